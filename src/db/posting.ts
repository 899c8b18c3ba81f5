import type { Uuid } from '../domain/ids.ts'
import { applyEntries, type LedgerFact, transferOf, type Wallet } from '../domain/ledger.ts'
import { type EntryRow, post, type TransferRow } from './ledger.ts'
import type { Transaction } from './transaction.ts'

export interface FactsOfOneWallet {
  readonly program_id: number
  readonly now: Date
  readonly order_uuid: Uuid | null
  readonly reason?: string | null
  /** The wallet that all facts are about, locked by the caller, as it stands before them. */
  readonly wallet: Wallet & { readonly account_id: Uuid }
  readonly facts: readonly LedgerFact[]
  /** Makes the identifier of a transfer. */
  readonly newId: () => Uuid
}

/** What was posted: the transfers by the fact they rest on, and the wallet after them. */
export interface Posted {
  readonly transfers: ReadonlyMap<LedgerFact, Uuid>
  readonly wallet: Wallet
}

/**
 * Posts facts about one wallet, in their order, without waiting: errors end the transaction. Facts of zero points move
 * nothing and have no transfer. What each posts is in `domain/ledger.ts`.
 */
export function postFacts(tx: Transaction, of: FactsOfOneWallet): Posted {
  const { program_id, now, order_uuid, reason = null, facts, newId } = of
  const { account_id, ...before } = of.wallet
  const transfers = new Map<LedgerFact, Uuid>()
  const rows: TransferRow[] = []
  const entries: EntryRow[] = []
  let wallet: Wallet = before
  for (const fact of facts) {
    const transfer = transferOf(fact)
    if (transfer === null) continue
    const transfer_id = newId()
    const applied = applyEntries(wallet, transfer.entries)
    wallet = applied.wallet
    transfers.set(fact, transfer_id)
    rows.push({ transfer_id, kind: transfer.kind, reference: transfer.reference, order_uuid, reason })
    applied.entries.forEach(({ account, ...entry }, line) => {
      entries.push({ ...entry, transfer_id, line, account_id: account.account_id })
    })
  }
  const { posted, held, version } = wallet
  const wallets = rows.length === 0 ? [] : [{ account_id, posted, held, version }]
  post(tx, { program_id, now, transfers: rows, entries, wallets })
  return { transfers, wallet }
}
