import type { Transaction } from '../../db/transaction.ts'
import type { Phone } from '../../domain/phone.ts'
import { deleteRememberedOf } from '../otp/remembered-queries.ts'
import { deleteCardsOf } from '../wallet/card-queries.ts'
import { deleteSessionsOf } from '../wallet/session-queries.ts'

/** Ends everything that a phone is signed in to: wallet, remembered browsers and cards in shops. */
export async function endSessions(tx: Transaction, program_id: number, phone: Phone): Promise<number> {
  const ended = await Promise.all([
    tx.run(deleteSessionsOf(program_id, phone)),
    tx.run(deleteRememberedOf(program_id, phone)),
    tx.run(deleteCardsOf(program_id, phone)),
  ])
  return ended.reduce((sum, rows) => sum + rows.length, 0)
}
