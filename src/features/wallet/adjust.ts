import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { refuseAdjustment, refuseStaffAdjustment, type StaffAdjustmentRefused } from '../../domain/adjustment.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, type FieldError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Program } from '../../domain/merchant.ts'
import type { Phone } from '../../domain/phone.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { type LockedCustomer, lockCustomer, lockCustomerById } from '../customers/queries.ts'
import { sumWaiting } from '../orders/queries.ts'

export interface Adjustment {
  /** The program, whose account gives or takes the points. */
  readonly program: Pick<Program, 'program_id' | 'account_id' | 'rates'>
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
  const { program, phone, typed, points } = asked
  const { program_id } = program
  return db.transaction(async (tx) => {
    const customer = await tx.one(lockCustomer(program_id, phone))
    if (customer === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
    const refused = refuseAdjustment(customer, { points, waiting: await waitingOf(tx, program_id, customer) })
    if (refused !== null) throw new CliError(refusals[refused.kind](refused.room))
    postAdjustment(tx, customer, asked, clock.now())
  })
}

async function waitingOf(tx: Transaction, program_id: number, { customer_id }: LockedCustomer): Promise<Points> {
  return (await tx.one(sumWaiting(program_id, [customer_id])))?.points ?? NO_POINTS
}

/** Posts an adjustment of a locked wallet and records it. Gives the wallet after it. */
function postAdjustment(
  tx: Transaction,
  customer: LockedCustomer,
  { program, points, reason, by }: Pick<Adjustment, 'program' | 'points' | 'reason' | 'by'>,
  now: Date,
): Wallet {
  const { program_id, account_id } = program
  const fact = { kind: 'adjust', cause: newUuid(), points, wallet: customer.account_id, program: account_id } as const
  const values = { adjust: rateAt(program.rates, now) }
  const posting = { program_id, now, order_uuid: null, reason, wallet: customer, facts: [fact], values }
  const { wallet } = postFacts(tx, { ...posting, newId: newUuid })
  const [before, after] = [{ posted: customer.posted }, { posted: wallet.posted, points, reason }]
  const object = `customer:${customer.customer_id}` as const
  audit(tx, by, [{ program_id, action: 'wallet.adjust', object, before, after }])
  return wallet
}

/** An adjustment by the staff of a merchant. */
export interface StaffAdjustment extends Pick<Adjustment, 'program' | 'points' | 'reason'> {
  readonly customer_id: Uuid
  /** The most points that they may add or take at once; null for any number. */
  readonly limit: number | null
  readonly by: Actor
}

/**
 * Adds points to a customer's wallet, or takes them, by the staff of a merchant. Gives the wallet after it. Refuses with
 * `not_found`, or on `points` as `refuseStaffAdjustment` does. docs/spec/dashboard-orders.md#adjustments
 */
export type AdjustByStaff = (asked: StaffAdjustment, beforeCommit?: BeforeCommit<Wallet>) => Promise<Wallet>

export function createAdjustByStaff({ db, clock }: { readonly db: Database; readonly clock: Clock }): AdjustByStaff {
  return (asked, beforeCommit) =>
    db.transaction(async (tx) => {
      const { program, customer_id, points, limit } = asked
      const customer = await tx.one(lockCustomerById(program.program_id, customer_id))
      if (customer === undefined) throw new DomainError({ kind: 'not_found' })
      const waiting = await waitingOf(tx, program.program_id, customer)
      const refused = refuseStaffAdjustment(customer, { points, waiting, limit })
      if (refused !== null) throw new DomainError({ kind: 'validation', errors: [fieldErrorOf(refused)] })
      const wallet = postAdjustment(tx, customer, asked, clock.now())
      await beforeCommit?.(tx, wallet)
      return wallet
    })
}

function fieldErrorOf(refused: StaffAdjustmentRefused): FieldError {
  const field = 'points'
  switch (refused.kind) {
    case 'none':
      return { field, rule: 'required' }
    case 'over limit':
      return refused.added
        ? { field, rule: 'max_numeric', limit: refused.limit }
        : { field, rule: 'min_numeric', limit: -refused.limit }
    case 'below zero':
      return { field, rule: 'min_numeric', limit: -refused.room }
    case 'too many':
      return { field, rule: 'wallet_full' }
  }
}

const refusals = {
  'too many': (room: Points) =>
    `A wallet holds at most 10^14 points, pending ones counted: this one takes ${room} more.`,
  'too few': (room: Points) => `A wallet goes at most 10^14 points below zero: from this one ${room} can be taken.`,
} as const
