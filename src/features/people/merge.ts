import { audit } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import { postToWallets } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { closeWallet } from '../../db/wallet-state.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { type MergeRefused, mergeReasons, refuseMerge } from '../../domain/merge.ts'
import type { Phone } from '../../domain/phone.ts'
import { asPoints, NO_POINTS, type Points } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  eraseIdentity,
  findCustomer,
  findName,
  type LockedCustomer,
  lockCustomersById,
  nameCustomers,
} from '../customers/queries.ts'
import { activate } from '../earning/activation.ts'
import { findProgramAccount } from '../merchants/program-queries.ts'
import { sumWaiting } from '../orders/queries.ts'
import { endSessions } from './sessions.ts'

/** Two numbers of one person. docs/spec/customers.md#merge, docs/decisions/0042-customers-across-merchants.md */

export interface MergeRequest {
  readonly program_id: number
  /** The customer whose number is given up. */
  readonly from: Uuid
  /** The number that stays. */
  readonly into_phone: Phone
  /** The language of the reasons. */
  readonly locale: Locale
  readonly by: Actor
}

export interface Merged {
  readonly customer_id: Uuid
  readonly into_customer_id: Uuid
  /** The points that moved; below 0 if the customer owed them. */
  readonly points: Points
  /** The points now in the wallet that stays. */
  readonly posted: Points
  /** Earnings that waited for the number, and became orders. */
  readonly orders_created: number
}

export interface MergeParts {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Moves everything that one number has to another, in one transaction, and frees the first number. Later changes of its
 * orders move points in the other wallet.
 * @throws DomainError `not_found` for `from`, `validation` of `phone`, `customer_busy`, `customer_blocked`
 */
export function mergeCustomers(
  { db, clock }: MergeParts,
  asked: MergeRequest,
  keep?: BeforeCommit<Merged>,
): Promise<Merged> {
  return db.transaction(
    async (tx) => {
      const merged = await merge(tx, asked, clock)
      await keep?.(tx, merged)
      return merged
    },
    // A reference number of an earning that waited is taken.
    { retryOn: isUniqueViolation },
  )
}

async function merge(tx: Transaction, asked: MergeRequest, clock: Clock): Promise<Merged> {
  const { program_id, by } = asked
  const { from, into } = await lockBoth(tx, asked)
  // Read the clock after the locks: what the wallets got while they were waited for came before.
  const now = clock.now()
  const refused = refuseMerge(from, into)
  if (refused !== null) refuse(refused)
  const orders_created = from.status === 'invited' ? await activate(tx, program_id, from, now) : 0
  // The earnings that waited have changed the wallet.
  const [earned] = orders_created === 0 ? [] : await tx.run(lockCustomersById(program_id, [from.customer_id]))
  const first = earned ?? from
  const posted = await movePoints(tx, { program_id, locale: asked.locale, from: first, into, now })
  for (const statement of eraseIdentity(program_id, from.customer_id, new Date())) void tx.run(statement)
  const closed = { into: into.account_id, given_up: from.phone, now: new Date() }
  for (const closing of closeWallet({ program_id, account_id: from.account_id }, closed)) void tx.run(closing)
  const sessions_ended = await endSessions(tx, program_id, from.phone)
  const points = first.posted
  const [customer_id, into_customer_id] = [from.customer_id, into.customer_id]
  const action = 'customers.merge'
  const outcome = { points, orders_created, sessions_ended }
  const of = (id: Uuid) => ({ program_id, action, object: `customer:${id}` }) as const
  audit(tx, by, [
    { ...of(customer_id), before: { posted: points }, after: { into: into_customer_id, ...outcome } },
    { ...of(into_customer_id), before: { posted: into.posted }, after: { from: customer_id, posted, points } },
  ])
  return { customer_id, into_customer_id, points, posted, orders_created }
}

/** What a merge would do now. */
export interface MergePreview {
  readonly from: Locked
  readonly into: Locked
  readonly into_name: string | null
}

/**
 * Gives what a merge would move; changes nothing.
 * @throws DomainError as `mergeCustomers` does
 */
export function previewMerge(
  { db }: Pick<MergeParts, 'db'>,
  asked: Pick<MergeRequest, 'program_id' | 'from' | 'into_phone'>,
): Promise<MergePreview> {
  return db.transaction(async (tx) => {
    const { from, into } = await lockBoth(tx, asked)
    const refused = refuseMerge(from, into)
    if (refused !== null) refuse(refused)
    const named = await tx.one(findName(asked.program_id, into.customer_id))
    return { from, into, into_name: named?.name ?? null }
  })
}

/** A locked customer with the points that wait. */
export type Locked = LockedCustomer & { readonly waiting: Points }

/** Locks both wallets in the order of their ids, as everywhere. */
async function lockBoth(
  tx: Transaction,
  { program_id, from: from_id, into_phone }: Pick<MergeRequest, 'program_id' | 'from' | 'into_phone'>,
): Promise<{ readonly from: Locked; readonly into: Locked }> {
  const named = await tx.one(findCustomer(program_id, into_phone))
  if (named === undefined) return refuseFields({ field: 'phone', rule: 'phone_unknown' })
  const ids = [from_id, named.customer_id]
  const locked = await tx.run(lockCustomersById(program_id, ids))
  const from = locked.find(({ customer_id }) => customer_id === from_id)
  const into = locked.find(({ customer_id }) => customer_id === named.customer_id)
  if (from === undefined) throw new DomainError({ kind: 'not_found' })
  if (into === undefined) return refuseFields({ field: 'phone', rule: 'phone_unknown' })
  const sums = new Map(
    (await tx.run(sumWaiting(program_id, ids))).map(({ customer_id, points }) => [customer_id, points]),
  )
  const waitingOf = ({ customer_id }: LockedCustomer) => sums.get(customer_id) ?? NO_POINTS
  return { from: { ...from, waiting: waitingOf(from) }, into: { ...into, waiting: waitingOf(into) } }
}

interface Moving extends Pick<MergeRequest, 'program_id' | 'locale'> {
  readonly from: LockedCustomer
  readonly into: LockedCustomer
  readonly now: Date
}

/**
 * Moves the whole balance of one wallet to the other, by two adjustments whose sum on the program's account is zero. Each
 * names the other as its cause, so that the points keep their age. Gives the balance of the other wallet. A customer without
 * a name gets the name of the one that is given up.
 */
async function movePoints(tx: Transaction, { program_id, from, into, locale, now }: Moving): Promise<Points> {
  const [account, name] = await Promise.all([
    tx.one(findProgramAccount(program_id)),
    tx.one(findName(program_id, from.customer_id)),
  ])
  if (account === undefined) throw new Error('a program has no account')
  if (name !== undefined && name.name !== null)
    void tx.run(nameCustomers(program_id, [{ customer_id: into.customer_id, name: name.name }]))
  const value = rateAt(account.rates, now)
  const [out, back] = [newUuid(), newUuid()]
  const fact = (transfer_id: Uuid, cause: Uuid, wallet: Uuid, points: number, reason: string) => ({
    ...{ transfer_id, order_uuid: null, reason, value },
    fact: { kind: 'adjust', cause, points: asPoints(points), wallet, program: account.account_id } as const,
  })
  const { wallets } = postToWallets(tx, {
    program_id,
    now,
    wallets: [from, into],
    facts: [
      fact(out, back, from.account_id, 0 - from.posted, mergeReasons.out[locale]),
      fact(back, out, into.account_id, from.posted, mergeReasons.in[locale]),
    ],
  })
  return wallets.get(into.account_id)?.posted ?? into.posted
}

/** Ends the request with the reason why a merge is refused. */
function refuse(refused: MergeRefused): never {
  switch (refused.kind) {
    case 'same':
      return refuseFields({ field: 'phone', rule: 'phone_same' })
    case 'not joined':
      return refuseFields({ field: 'phone', rule: 'phone_not_joined' })
    case 'blocked':
      throw new DomainError({ kind: 'customer_blocked' })
    case 'held':
      throw new DomainError({ kind: 'customer_busy' })
    case 'too many':
      return refuseFields({ field: 'phone', rule: 'wallet_full' })
    case 'too few':
      return refuseFields({ field: 'phone', rule: 'wallet_owes' })
  }
}
