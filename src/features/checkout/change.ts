import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { loadMerchant } from '../merchants/merchant.ts'
import type { LockedOrder } from '../orders/order.ts'
import { findPayments } from '../orders/payment-queries.ts'
import { changeOrder } from '../orders/service.ts'
import { findSessionOf } from '../orders/session-queries.ts'
import type { AskProvider } from '../payments/settle.ts'
import { undoConfirmation } from './release.ts'
import { mayAct, sessionOf, stepOf } from './session.ts'

/**
 * Takes a confirmation back while nothing has been paid, so that the customer can choose again. `finished`: money had come,
 * and it wins. `not now`: the provider does not say whether money has come; nothing has changed. `over`: there is nothing
 * to take back, or no time left to choose.
 */
export type ChangeChoice = (token: string, browser: string) => Promise<'choose' | 'finished' | 'not now' | 'over'>

export interface ChangeParts {
  readonly db: Database
  readonly clock: Clock
  readonly askProvider: AskProvider
}

/** Decisions §6: the provider is asked first. Money that comes after the change goes back. */
export function createChangeChoice({ db, clock, askProvider }: ChangeParts): ChangeChoice {
  return async (token, browser) => {
    const known = await sessionOf(db, token)
    if (known === null || !mayAct(known, browser)) return 'over'
    const { program_id, merchant_id, order_uuid } = known
    const payments = await db.run(findPayments(program_id, order_uuid))
    const created = payments.find(({ state }) => state === 'created')
    const asked = created && (await askProvider(program_id, created.payment_uuid))
    if (asked?.payment.state === 'created' && asked.answer === 'nothing') return 'not now'
    const merchant = await loadMerchant(db, program_id, merchant_id)
    if (merchant === null) throw new Error('a checkout without a merchant')
    const undo = async (tx: Transaction, order: LockedOrder) => {
      const now = clock.now()
      const session = await tx.one(findSessionOf(program_id, order_uuid))
      if (session === undefined) return 'over'
      const step = stepOf(session, order, { browser, active: true }, now)
      if (step === 'choose' || step === 'finished') return step
      if (step === 'identify' && session.confirmed_at === null) return 'choose'
      if ((step !== 'pay' && step !== 'reserved') || now.getTime() >= session.expires_at.getTime()) return 'over'
      undoConfirmation(tx, { merchant, order, now }, session, 'changed')
      return 'choose'
    }
    return changeOrder(db, merchant, order_uuid, undo, { repeatable: true })
  }
}
