import type { Uuid } from '../domain/ids.ts'
import { applyEntries, type LedgerFact, transferOf, type Wallet } from '../domain/ledger.ts'
import { type EntryRow, post, type TransferRow, type WalletRow } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/** A fact to post, with the id that its transfer gets. */
export interface FactToPost {
  readonly fact: LedgerFact
  readonly transfer_id: Uuid
  readonly order_uuid: Uuid | null
  readonly reason?: string | null
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
  for (const { fact, transfer_id, order_uuid, reason = null } of facts) {
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
      entries.push({ transfer_id, line, account_id, bucket, amount, balance_after, account_version })
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
  /** Makes the id of a transfer. */
  readonly newId: () => Uuid
}

/** The ids of the transfers by fact, and the wallet after them. */
export interface Posted {
  readonly transfers: ReadonlyMap<LedgerFact, Uuid>
  readonly wallet: Wallet
}

/** `postToWallets` for facts about one wallet, all of one order. */
export function postFacts(tx: Transaction, of: FactsOfOneWallet): Posted {
  const { program_id, now, order_uuid, reason = null, wallet, newId } = of
  const facts = of.facts.map((fact) => ({ fact, transfer_id: newId(), order_uuid, reason }))
  const { transfers, wallets } = postToWallets(tx, { program_id, now, wallets: [wallet], facts })
  return { transfers, wallet: wallets.get(wallet.account_id) ?? wallet }
}
