import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import { refuseAdjustment } from '../../domain/adjustment.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { lockCustomer } from '../customers/queries.ts'
import { sumWaiting } from '../orders/queries.ts'

export interface Adjustment {
  /** The program, whose account gives or takes the points. */
  readonly program: { readonly program_id: number; readonly account_id: Uuid }
  readonly phone: Phone
  /** The phone as it was typed, for messages. */
  readonly typed: string
  /** Below 0 they are taken. */
  readonly points: Points
  /** Kept with the transfer; the customer reads it in the wallet. */
  readonly reason: string
  readonly by?: Actor | undefined
}

/**
 * Adds points to a wallet, or takes them, by hand. Fires no event: no order changes.
 * docs/spec/points-and-money.md#adjustments
 * @throws CliError if no customer has the phone, or the wallet would leave its bound
 */
export function adjustWallet(db: Database, clock: Clock, asked: Adjustment): Promise<void> {
  const { program, phone, typed, points, reason, by } = asked
  const { program_id, account_id } = program
  const cause = newUuid()
  return db.transaction(async (tx) => {
    const customer = await tx.one(lockCustomer(program_id, phone))
    if (customer === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
    const { customer_id } = customer
    const waiting = (await tx.one(sumWaiting(program_id, [customer_id])))?.points ?? NO_POINTS
    const refused = refuseAdjustment(customer, { points, waiting })
    if (refused !== null) throw new CliError(refusals[refused.kind](refused.room))
    const fact = { kind: 'adjust', cause, points, wallet: customer.account_id, program: account_id } as const
    const posting = { program_id, now: clock.now(), order_uuid: null, reason, wallet: customer, facts: [fact] }
    const { wallet } = postFacts(tx, { ...posting, newId: newUuid })
    const [before, after] = [{ posted: customer.posted }, { posted: wallet.posted, points, reason }]
    audit(tx, by, [{ program_id, action: 'wallet.adjust', object: `customer:${customer_id}`, before, after }])
  })
}

const refusals = {
  'too many': (room: Points) =>
    `A wallet holds at most 10^14 points, pending ones counted: this one takes ${room} more.`,
  'too few': (room: Points) => `A wallet goes at most 10^14 points below zero: from this one ${room} can be taken.`,
} as const
