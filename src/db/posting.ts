import type { Uuid } from '../domain/ids.ts'
import { applyEntries, type LedgerFact, type TransferKind, transferOf, type Wallet } from '../domain/ledger.ts'
import type { MicroSarPerPoint } from '../domain/points.ts'
import { type EntryRow, post, type TransferRow, type WalletRow } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/** A fact to post, with the id that its transfer gets. */
export interface FactToPost {
  readonly fact: LedgerFact
  readonly transfer_id: Uuid
  readonly order_uuid: Uuid | null
  readonly reason?: string | null
  /** The value of a point that the entries record; null where what they undo recorded none. */
  readonly value: MicroSarPerPoint | null
  /** When it counts in the merchant's account, if later than now (`bookedLater`). */
  readonly booked_at?: Date | null
}

export interface Facts {
  readonly program_id: number
  readonly now: Date
  /** Wallets before the facts. The caller has locked them. */
  readonly wallets: readonly WalletBefore[]
  /** Wallets that this transaction creates. They are written even if no fact is about them. */
  readonly newWallets?: readonly WalletBefore[]
  readonly facts: readonly FactToPost[]
}

export type WalletBefore = Wallet & { readonly account_id: Uuid }

export interface PostedToWallets {
  /** The id of each fact's transfer; facts of zero points have none. */
  readonly transfers: ReadonlyMap<LedgerFact, Uuid>
  /** Every wallet after the facts, by account. */
  readonly wallets: ReadonlyMap<Uuid, Wallet>
}

/**
 * Posts facts about any number of wallets, in order, with one statement per table. Does not wait: an error fails the
 * transaction. Facts of one wallet build on each other; a fact of zero points makes no transfer. `domain/ledger.ts`
 * says what each fact posts. Throws an Error for a fact whose wallet is not given.
 */
export function postToWallets(
  tx: Transaction,
  { program_id, now, wallets, newWallets = [], facts }: Facts,
): PostedToWallets {
  const after = new Map<Uuid, Wallet>([...wallets, ...newWallets].map((wallet) => [wallet.account_id, wallet]))
  const transfers = new Map<LedgerFact, Uuid>()
  const transferRows: TransferRow[] = []
  const entries: EntryRow[] = []
  for (const { fact, transfer_id, order_uuid, reason = null, value, booked_at = null } of facts) {
    const transfer = transferOf(fact)
    if (transfer === null) continue
    const wallet = after.get(fact.wallet)
    if (wallet === undefined) throw new Error(`the fact ${transfer.reference} has no wallet`)
    const applied = applyEntries(wallet, transfer.entries)
    after.set(fact.wallet, applied.wallet)
    transfers.set(fact, transfer_id)
    tx.counts({ what: 'points', kind: fact.kind, amount: Math.abs(fact.points) })
    transferRows.push({ transfer_id, kind: transfer.kind, reference: transfer.reference, order_uuid, reason })
    applied.entries.forEach(({ account, bucket, amount, balance_after, account_version }, line) => {
      const { account_id } = account
      const written = { transfer_id, line, account_id, bucket, amount, balance_after, account_version }
      const counts_at = account.kind === 'merchant' ? booked_at : null
      entries.push({ ...written, kind: transfer.kind, micro_sar_per_point: value, booked_at: counts_at })
    })
  }
  const rowsOf = (before: readonly WalletBefore[]) => before.map(({ account_id }) => walletRow(account_id, after))
  const changed = wallets.filter(({ account_id, version }) => after.get(account_id)?.version !== version)
  const rows = { transfers: transferRows, entries, wallets: rowsOf(changed), newWallets: rowsOf(newWallets) }
  post(tx, { program_id, now, ...rows })
  return { transfers, wallets: after }
}

function walletRow(account_id: Uuid, after: ReadonlyMap<Uuid, Wallet>): WalletRow {
  const wallet = after.get(account_id)
  if (wallet === undefined) throw new Error(`the wallet ${account_id} is missing`)
  const { posted, held, version } = wallet
  return { account_id, posted, held, version }
}

export interface FactsOfOneWallet {
  readonly program_id: number
  readonly now: Date
  readonly order_uuid: Uuid | null
  readonly reason?: string | null
  /** The wallet of all facts, before them. The caller has locked it. */
  readonly wallet: WalletBefore
  readonly facts: readonly LedgerFact[]
  /** The value of a point that entries of each kind record. */
  readonly values: PointValues
  /** When they count in the merchant's account, if later than now. */
  readonly booked_at?: Date | null
  /** Makes the id of a transfer. */
  readonly newId: () => Uuid
}

export type PointValues = Readonly<Partial<Record<TransferKind, MicroSarPerPoint | null>>>

/** The ids of the transfers by fact, and the wallet after them. */
export interface Posted {
  readonly transfers: ReadonlyMap<LedgerFact, Uuid>
  readonly wallet: Wallet
}

/** `postToWallets` for facts about one wallet, all of one order. */
export function postFacts(tx: Transaction, of: FactsOfOneWallet): Posted {
  const { program_id, now, order_uuid, reason = null, wallet, newId, values, booked_at = null } = of
  const facts = of.facts.map((fact) => {
    const value = values[fact.kind]
    if (value === undefined) throw new Error(`an entry (${fact.kind}) without the value of a point`)
    return { fact, transfer_id: newId(), order_uuid, reason, value, booked_at }
  })
  const { transfers, wallets } = postToWallets(tx, { program_id, now, wallets: [wallet], facts })
  return { transfers, wallet: wallets.get(wallet.account_id) ?? wallet }
}
