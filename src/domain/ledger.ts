/** What each business fact posts to the ledger. docs/spec/terms.md#wallet */
import type { Uuid } from './ids.ts'
import { asPoints, NO_POINTS, type Points } from './points.ts'

/** An account. A customer's account is the wallet, with two buckets; merchants and programs have `available` only. */
export interface AccountRef {
  readonly kind: 'customer' | 'merchant' | 'program'
  readonly account_id: Uuid
}

/** The buckets of a wallet. Their sum is `posted`. */
export type Bucket = 'available' | 'held'

/** What a posting takes points from or adds them to. */
export type Side = 'merchant' | 'program' | Bucket

interface Posting {
  readonly from: Side
  readonly to: Side
  /** Prefix of the idempotency reference; the uuid of the cause follows it. */
  readonly reference: string
}

/** Source and destination of each kind of transfer. `available` and `held` are buckets of the wallet. */
// biome-ignore format: one row per kind, to be read as a table
export const postings = {
  earn:    { from: 'merchant',  to: 'available', reference: 'earn' },     // cause: the order
  hold:    { from: 'available', to: 'held',      reference: 'hold' },     // cause: the hold
  post:    { from: 'held',      to: 'merchant',  reference: 'hold-end' }, // cause: the hold, which ends once:
  release: { from: 'held',      to: 'available', reference: 'hold-end' }, //   posted or released, never both
  reverse: { from: 'available', to: 'merchant',  reference: 'reverse' },  // cause: the refund
  return:  { from: 'merchant',  to: 'available', reference: 'return' },   // cause: the refund
  adjust:  { from: 'program',   to: 'available', reference: 'adjust' },   // cause: the adjustment; may be negative
} as const satisfies Record<string, Posting>

export type TransferKind = keyof typeof postings

/** True for a bucket of a wallet. */
export function isBucket(side: Side): side is Bucket {
  return side === 'available' || side === 'held'
}

/** The kinds of transfers whose points stay within one wallet. */
export const kindsWithinWallet: readonly TransferKind[] = (Object.keys(postings) as TransferKind[]).filter(
  (kind) => isBucket(postings[kind].from) && isBucket(postings[kind].to),
)

/** A business fact. `cause` is the uuid of the order, hold, refund or adjustment. */
export type LedgerFact =
  | { readonly kind: 'hold' | 'release'; readonly cause: Uuid; readonly points: Points; readonly wallet: Uuid }
  | {
      readonly kind: 'earn' | 'post' | 'reverse' | 'return'
      readonly cause: Uuid
      readonly points: Points
      readonly wallet: Uuid
      readonly merchant: Uuid
    }
  | {
      readonly kind: 'adjust'
      readonly cause: Uuid
      readonly points: Points
      readonly wallet: Uuid
      readonly program: Uuid
    }

/** One line of a transfer: points added to (above 0) or taken from (below 0) a bucket of an account. */
export interface Entry {
  readonly account: AccountRef
  readonly bucket: Bucket
  readonly amount: Points
}

export interface Transfer {
  readonly kind: TransferKind
  /** Unique per program, so the same fact cannot be posted twice. */
  readonly reference: string
  readonly entries: readonly Entry[]
}

/**
 * Takes a fact; gives its transfer, whose entries sum to 0, or null for zero points. Throws a RangeError for negative
 * points, except in an adjustment.
 */
export function transferOf(fact: LedgerFact): Transfer | null {
  if (fact.points === 0) return null
  if (fact.points < 0 && fact.kind !== 'adjust') throw new RangeError(`negative ${fact.kind}: ${fact.points}`)
  const { from, to } = postings[fact.kind]
  return {
    kind: fact.kind,
    reference: transferReference(fact.kind, fact.cause),
    entries: [
      { ...sideOf(fact, from), amount: asPoints(-fact.points) },
      { ...sideOf(fact, to), amount: fact.points },
    ],
  }
}

/** The idempotency reference of a transfer: `earn:<order uuid>`, `hold-end:<hold uuid>`, `reverse:<refund uuid>`. */
function transferReference(kind: TransferKind, cause: Uuid): string {
  return `${postings[kind].reference}:${cause}`
}

function sideOf(fact: LedgerFact, side: Side): Pick<Entry, 'account' | 'bucket'> {
  if (isBucket(side)) {
    return { account: { kind: 'customer', account_id: fact.wallet }, bucket: side }
  }
  return { account: { kind: side, account_id: counterparty(fact) }, bucket: 'available' }
}

function counterparty(fact: LedgerFact): Uuid {
  if ('merchant' in fact) return fact.merchant
  if ('program' in fact) return fact.program
  throw new TypeError(`a ${fact.kind} stays within the wallet`)
}

/**
 * A customer's balance. `posted - held` is available and may be negative; `held` may not.
 * docs/spec/points-and-money.md#negative-wallet
 */
export interface Wallet {
  readonly posted: Points
  readonly held: Points
  /** The number of entries of the wallet. */
  readonly version: number
}

/** The wallet of a new customer. */
export const EMPTY_WALLET: Wallet = { posted: NO_POINTS, held: NO_POINTS, version: 0 }

/** The points that the customer of a wallet may use by now: none while an operator blocks it. docs/spec/customers.md#block */
export function usablePoints(wallet: Pick<Wallet, 'posted' | 'held'> & { readonly blocked: boolean }): Points {
  return wallet.blocked ? NO_POINTS : availablePoints(wallet)
}

/** An entry as stored. Only entries of a wallet carry the balance of their bucket and the wallet's version. */
export interface AppliedEntry extends Entry {
  readonly balance_after: Points | null
  readonly account_version: number | null
}

/** The points that a wallet can spend or hold: `posted - held`. docs/spec/terms.md#wallet */
export function availablePoints(wallet: Pick<Wallet, 'posted' | 'held'>): Points {
  return asPoints(wallet.posted - wallet.held)
}

/**
 * Takes a wallet and entries in order; gives the wallet after them, and each entry with `balance_after` and
 * `account_version`, which grows by one per entry of the wallet. Throws a RangeError if `held` would become negative, a
 * balance would exceed 2^53, or the entries belong to more than one customer.
 */
export function applyEntries(
  wallet: Wallet,
  entries: readonly Entry[],
): { wallet: Wallet; entries: readonly AppliedEntry[] } {
  const owners = new Set(entries.filter(isWalletEntry).map((entry) => entry.account.account_id))
  if (owners.size > 1) throw new RangeError('entries of more than one customer')
  let current = wallet
  const applied = entries.map((entry) => {
    if (!isWalletEntry(entry)) return { ...entry, balance_after: null, account_version: null }
    current = applyEntry(current, entry)
    const balance_after = entry.bucket === 'held' ? current.held : availablePoints(current)
    return { ...entry, balance_after, account_version: current.version }
  })
  return { wallet: current, entries: applied }
}

function isWalletEntry(entry: Entry): boolean {
  return entry.account.kind === 'customer'
}

function applyEntry(wallet: Wallet, entry: Entry): Wallet {
  const held = asPoints(wallet.held + (entry.bucket === 'held' ? entry.amount : 0))
  if (held < 0) throw new RangeError(`held below zero: ${held}`)
  return { posted: asPoints(wallet.posted + entry.amount), held, version: wallet.version + 1 }
}
