/** What each business fact posts to the ledger. Decisions §1 ("wallet"), §6 and §8. */
import type { Uuid } from './ids.ts'
import { asPoints, type Points } from './points.ts'

/** Whose account. A customer's is the wallet, with two buckets; a merchant's and the program's have `available` only. */
export interface AccountRef {
  readonly kind: 'customer' | 'merchant' | 'program'
  readonly account_id: Uuid
}

/** A wallet's `available` and `held` points; together they are what is posted. */
export type Bucket = 'available' | 'held'

type Side = 'merchant' | 'program' | Bucket

interface Posting {
  readonly from: Side
  readonly to: Side
  /** Prefix of the idempotency reference, before the uuid of what caused the transfer. */
  readonly reference: string
}

/** Where each kind of transfer takes points from and brings them to: `available` and `held` are the wallet's. */
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

/** A business fact: `cause` is the uuid of the order, hold, refund or adjustment that it rests on. */
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

/** One line of a transfer: points that come to (above 0) or leave (below 0) a bucket of an account. */
export interface Entry {
  readonly account: AccountRef
  readonly bucket: Bucket
  readonly amount: Points
}

export interface Transfer {
  readonly kind: TransferKind
  /** Unique in a program: the same fact cannot be posted twice. */
  readonly reference: string
  readonly entries: readonly Entry[]
}

/**
 * Takes a fact and gives its transfer, whose entries sum to 0; null for zero points, which move nothing. Throws a
 * RangeError for negative points, except in an adjustment, where they take away.
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

/** Throws a RangeError unless the entries sum to 0, as those of every transfer do. */
export function assertBalanced(entries: readonly Entry[]): void {
  const sum = entries.reduce((total, entry) => total + BigInt(entry.amount), 0n)
  if (sum !== 0n) throw new RangeError(`entries sum to ${sum}`)
}

function sideOf(fact: LedgerFact, side: Side): Pick<Entry, 'account' | 'bucket'> {
  if (side === 'available' || side === 'held') {
    return { account: { kind: 'customer', account_id: fact.wallet }, bucket: side }
  }
  return { account: { kind: side, account_id: counterparty(fact) }, bucket: 'available' }
}

function counterparty(fact: LedgerFact): Uuid {
  if ('merchant' in fact) return fact.merchant
  if ('program' in fact) return fact.program
  throw new TypeError(`a ${fact.kind} stays within the wallet`)
}

/** A customer's stored balance. `posted - held` is available, and may be below 0 (decisions §8); `held` may not. */
export interface Wallet {
  readonly posted: Points
  readonly held: Points
  /** How many entries the wallet has had. */
  readonly version: number
}

/** An entry as it is stored: a wallet's with its bucket's balance and the wallet's version, any other's without. */
export interface AppliedEntry extends Entry {
  readonly balance_after: Points | null
  readonly account_version: number | null
}

/** What a wallet can spend or hold: `posted - held` (decisions §1). */
export function availablePoints(wallet: Pick<Wallet, 'posted' | 'held'>): Points {
  return asPoints(wallet.posted - wallet.held)
}

/**
 * Takes a wallet and entries in order; gives the wallet after them, and each entry with `balance_after` and
 * `account_version`, one higher per entry of the wallet. Throws a RangeError when `held` would go below 0 or a balance
 * beyond 2^53, and when the entries are of more than one customer.
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
