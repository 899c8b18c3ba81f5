import type { CompiledQuery } from 'kysely'
import type { Uuid } from '../domain/ids.ts'
import type { Bucket, TransferKind } from '../domain/ledger.ts'
import { builder } from './builder.ts'
import { preparedRows, type Statement, type WriteRows } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A transfer to be written. */
export interface TransferRow {
  readonly transfer_id: Uuid
  readonly kind: TransferKind
  /** Unique per program, so the same fact is never posted twice. */
  readonly reference: string
  readonly order_uuid: Uuid | null
  readonly reason: string | null
}

export interface EntryRow {
  readonly transfer_id: Uuid
  readonly line: number
  readonly account_id: Uuid
  readonly bucket: Bucket
  readonly amount: number
  /** Balance of the wallet's bucket; null for accounts of merchants and programs. */
  readonly balance_after: number | null
  readonly account_version: number | null
  readonly kind: TransferKind
  /** The value of a point that the entry counts with; null for that of the program's beginning. */
  readonly micro_sar_per_point: number | null
  /** When it counts in the account, if not at the time of its transfer. */
  readonly booked_at: Date | null
}

/** A wallet after the entries of this transaction. */
export interface WalletRow {
  readonly account_id: Uuid
  readonly posted: number
  readonly held: number
  readonly version: number
}

const insertTransfers = preparedRows<never>(
  'ledger.transfers',
  (rows) => `insert into transfer (program_id, transfer_id, kind, reference, order_uuid, reason, created_at)
   select $1::bigint, t.transfer_id, t.kind, t.reference, t.order_uuid, t.reason, $2
   from ${rows(
     '$3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::text[]',
     't(transfer_id, kind, reference, order_uuid, reason)',
   )}`,
)

const insertEntries = preparedRows<never>(
  'ledger.entries',
  (rows) => `insert into entry
     (program_id, transfer_id, line, account_id, bucket, amount, balance_after, account_version, kind, micro_sar_per_point,
      created_at)
   select $1::bigint, e.transfer_id, e.line, e.account_id, e.bucket, e.amount, e.balance_after, e.account_version, e.kind,
     e.micro_sar_per_point, coalesce(e.booked_at, $2)
   from ${rows(
     `$3::uuid[], $4::smallint[], $5::uuid[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[],
       $11::bigint[], $12::timestamptz[]`,
     `e(transfer_id, line, account_id, bucket, amount, balance_after, account_version, kind, micro_sar_per_point,
       booked_at)`,
   )}`,
)

const walletRows = (
  rows: WriteRows,
): string => `insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
   select $1::bigint, w.account_id, 'customer', w.account_id, w.posted, w.held, w.version, $2
   from ${rows('$3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[]', 'w(account_id, posted, held, version)')}`

const insertWallets = preparedRows<never>('ledger.new_wallets', walletRows)

// An update with a join may scan all wallets of the program; a conflict finds each by its key.
const updateWallets = preparedRows<never>(
  'ledger.wallets',
  (rows) => `${walletRows(rows)}
   on conflict (program_id, account_id)
   do update set posted = excluded.posted, held = excluded.held, version = excluded.version`,
)

export interface Posting {
  readonly program_id: number
  readonly now: Date
  readonly transfers: readonly TransferRow[]
  readonly entries: readonly EntryRow[]
  /** Wallets after the posting. The caller has locked them. */
  readonly wallets: readonly WalletRow[]
  /** Wallets created by this transaction, after the posting. */
  readonly newWallets?: readonly WalletRow[]
}

/**
 * Sends the statements of a posting without waiting for them: an error fails the transaction. All balances change here.
 * The caller has locked `wallets` (`for no key update`, ordered by id).
 */
export function post(tx: Transaction, posting: Posting): void {
  const { program_id, now, transfers, entries, wallets, newWallets = [] } = posting
  if (newWallets.length > 0) void tx.run(insertWallets(program_id, now, ...walletColumns(newWallets)))
  if (wallets.length > 0) void tx.run(updateWallets(program_id, now, ...walletColumns(wallets)))
  if (transfers.length > 0) void tx.run(insertTransfers(program_id, now, ...transferColumns(transfers)))
  if (entries.length > 0) void tx.run(insertEntries(program_id, now, ...entryColumns(entries)))
}

function walletColumns(wallets: readonly WalletRow[]): unknown[] {
  return [
    wallets.map((wallet) => wallet.account_id),
    wallets.map((wallet) => wallet.posted),
    wallets.map((wallet) => wallet.held),
    wallets.map((wallet) => wallet.version),
  ]
}

function transferColumns(transfers: readonly TransferRow[]): unknown[] {
  return [
    transfers.map((transfer) => transfer.transfer_id),
    transfers.map((transfer) => transfer.kind),
    transfers.map((transfer) => transfer.reference),
    transfers.map((transfer) => transfer.order_uuid),
    transfers.map((transfer) => transfer.reason),
  ]
}

function entryColumns(entries: readonly EntryRow[]): unknown[] {
  return [
    entries.map((entry) => entry.transfer_id),
    entries.map((entry) => entry.line),
    entries.map((entry) => entry.account_id),
    entries.map((entry) => entry.bucket),
    entries.map((entry) => entry.amount),
    entries.map((entry) => entry.balance_after),
    entries.map((entry) => entry.account_version),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.micro_sar_per_point),
    entries.map((entry) => entry.booked_at),
  ]
}

/** Creates the program's own account, the source of adjustments. */
export function insertProgramAccount(account: {
  readonly program_id: number
  readonly account_id: Uuid
  readonly created_at: Date
}): CompiledQuery<unknown> {
  const { program_id, account_id, created_at } = account
  return builder.insertInto('account').values({ program_id, account_id, kind: 'program', created_at }).compile()
}

/** Creates the accounts of new merchants. */
export function insertMerchantAccounts(
  { program_id, now }: { readonly program_id: number; readonly now: Date },
  merchants: readonly { readonly merchant_id: number; readonly account_id: Uuid }[],
): Statement<never> {
  return {
    text: `insert into account (program_id, account_id, kind, merchant_id, created_at)
      select $1::bigint, m.account_id, 'merchant', m.merchant_id, $2 from unnest($3::uuid[], $4::bigint[]) as m(account_id, merchant_id)`,
    values: [
      program_id,
      now,
      merchants.map(({ account_id }) => account_id),
      merchants.map(({ merchant_id }) => merchant_id),
    ],
  }
}
