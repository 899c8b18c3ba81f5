import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { refuseAdjustment, refuseStaffAdjustment, type StaffAdjustmentRefused } from '../../domain/adjustment.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, type FieldError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { MerchantKey, Program } from '../../domain/merchant.ts'
import type { Phone } from '../../domain/phone.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { adjustmentNeedsTwo } from '../../domain/proposal.ts'
import { rateAt } from '../../domain/rates.ts'
import { adjustmentLimits, isStoppedBySuspension, type Standing } from '../../domain/staff.ts'
import type { Clock } from '../../lib/clock.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { type LockedCustomer, lockCustomer, lockCustomerById } from '../customers/queries.ts'
import { findProgramAccount, findTwoPersonRule } from '../merchants/program-queries.ts'
import { lockSuspension } from '../merchants/suspension-queries.ts'
import { sumWaiting } from '../orders/queries.ts'
import type { ProposalRow } from '../proposals/queries.ts'
import { type ProposalExecutor, propose } from '../proposals/service.ts'

/** The most characters of the reason. */
export const max_adjust_reason = 500

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
 * Adds points to a wallet, or takes them, by hand; or proposes it, and gives the proposal, where that needs a second person.
 * Fires no event: no order changes. docs/spec/points-and-money.md#adjustments
 * @throws CliError if no customer has the phone, or the wallet would leave its bound
 */
export function adjustWallet(db: Database, clock: Clock, asked: Adjustment): Promise<ProposalRow | null> {
  const { program, phone, typed, points } = asked
  const { program_id } = program
  return db.transaction(async (tx) => {
    const customer = await tx.one(lockCustomer(program_id, phone))
    if (customer === undefined) throw new CliError(`No customer of this program has the phone ${typed}.`)
    const refused = refuseAdjustment(customer, { points, waiting: await waitingOf(tx, program_id, customer) })
    if (refused !== null) throw new CliError(refusals[refused.kind](refused.room))
    return (await postOrPropose(tx, customer, asked, clock.now())).proposal
  })
}

/** A wallet after an adjustment, or as it is while one waits for a second person. */
export interface Adjusted {
  readonly wallet: Pick<Wallet, 'posted' | 'held'>
  readonly proposal: ProposalRow | null
}

/** docs/spec/two-people.md#adjustments */
async function postOrPropose(
  tx: Transaction,
  customer: LockedCustomer,
  asked: Pick<Adjustment, 'program' | 'points' | 'reason' | 'by'> & { readonly standing?: Standing },
  now: Date,
): Promise<Adjusted> {
  const { program, points, reason, by, standing } = asked
  const { program_id } = program
  const rule = await tx.one(findTwoPersonRule(program_id))
  if (rule === undefined || !adjustmentNeedsTwo(rule, points))
    return { wallet: postAdjustment(tx, customer, asked, now), proposal: null }
  if (by === undefined) throw new Error('an adjustment that needs two people has none')
  const { customer_id } = customer
  const payload: ProposedAdjustment = {
    points,
    ...(by.merchant_id === undefined ? {} : { merchant_id: by.merchant_id }),
    ...(standing === 'operator' ? { by_operator: true } : {}),
  }
  const proposing = {
    program_id,
    kind: 'wallet.adjust',
    payload,
    facts: factsOf(customer),
    customer_id,
    reason,
  } as const
  const merchant_id = standing === 'operator' ? undefined : by.merchant_id
  return { wallet: customer, proposal: await propose(tx, { ...proposing, merchant_id, by, now }) }
}

interface ProposedAdjustment {
  readonly points: Points
  /** The merchant at which it is proposed. */
  readonly merchant_id?: number
  /** An operator's own proposals count for no merchant. */
  readonly by_operator?: true
}

/** Holds count too: staff take no more than the wallet can spend. */
function factsOf({ posted, held }: LockedCustomer) {
  return { posted, held }
}

/** Adds or takes points once a second person has confirmed it, if the wallet is still what the first one saw. */
export const adjustmentExecutor: ProposalExecutor = {
  async lockMerchant(tx, { program_id, payload }) {
    const { merchant_id } = payload as ProposedAdjustment
    if (merchant_id === undefined) return undefined
    return { merchant_id, suspended: await lockSuspended(tx, { program_id, merchant_id }) }
  },
  async facts(tx, { program_id, customer_id }) {
    const customer = customer_id === null ? undefined : await tx.one(lockCustomerById(program_id, customer_id))
    return customer === undefined ? null : factsOf(customer)
  },
  async execute(tx, { program_id, customer_id, payload, reason }, { now, by }) {
    const { points, merchant_id } = payload as ProposedAdjustment
    const customer = customer_id === null ? undefined : await tx.one(lockCustomerById(program_id, customer_id))
    const account = await tx.one(findProgramAccount(program_id))
    // An erasure has taken the reason.
    if (customer === undefined || account === undefined || reason === null)
      throw new DomainError({ kind: 'proposal_stale' })
    const waiting = await waitingOf(tx, program_id, customer)
    if (refuseAdjustment(customer, { points, waiting }) !== null) throw new DomainError({ kind: 'proposal_stale' })
    const program = { program_id, ...account }
    postAdjustment(tx, customer, { program, points, reason, by: { ...by, merchant_id } }, now)
  },
}

async function waitingOf(tx: Transaction, program_id: number, { customer_id }: LockedCustomer): Promise<Points> {
  return (await tx.one(sumWaiting(program_id, [customer_id])))?.points ?? NO_POINTS
}

/** Whether a merchant is suspended. It locks that until the transaction ends. */
async function lockSuspended(tx: Transaction, merchant: MerchantKey): Promise<boolean> {
  const found = await tx.one(lockSuspension(merchant))
  return found !== undefined && found.suspended_at !== null
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
  readonly merchant_id: number
  readonly customer_id: Uuid
  /** Their role at the merchant, which limits how many points they may add or take at once. */
  readonly standing: Standing
  readonly by: Actor
}

/**
 * Adds points to a customer's wallet, or takes them, by the staff of a merchant; or proposes it. Refuses with
 * `merchant_suspended`, `not_found`, or on `points` as `refuseStaffAdjustment` does. docs/spec/dashboard-orders.md#adjustments
 */
export type AdjustByStaff = (asked: StaffAdjustment, beforeCommit?: BeforeCommit<Adjusted>) => Promise<Adjusted>

export function createAdjustByStaff({ db, clock }: { readonly db: Database; readonly clock: Clock }): AdjustByStaff {
  return (asked, beforeCommit) =>
    db.transaction(async (tx) => {
      const { program, merchant_id, customer_id, points, standing } = asked
      const { program_id } = program
      if (isStoppedBySuspension(standing, { suspended: await lockSuspended(tx, { program_id, merchant_id }) }))
        throw new DomainError({ kind: 'merchant_suspended' })
      const customer = await tx.one(lockCustomerById(program_id, customer_id))
      if (customer === undefined) throw new DomainError({ kind: 'not_found' })
      const waiting = await waitingOf(tx, program_id, customer)
      const refused = refuseStaffAdjustment(customer, { points, waiting, limit: adjustmentLimits[standing] })
      if (refused !== null) refuseFields(fieldErrorOf(refused))
      const adjusted = await postOrPropose(tx, customer, asked, clock.now())
      await beforeCommit?.(tx, adjusted)
      return adjusted
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
