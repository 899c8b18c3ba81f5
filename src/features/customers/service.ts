import { type EntryRow, post, type TransferRow, type WalletRow } from '../../db/ledger.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { applyEntries, availablePoints, transferOf, type Wallet } from '../../domain/ledger.ts'
import { type Phone, parsePhone } from '../../domain/phone.ts'
import { asPoints, NO_POINTS } from '../../domain/points.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { findWallet, insertFreshCustomers } from './queries.ts'

/** Decisions §14: who is there in every program of a sandbox, with which balance. */
const sandboxIdentities = [
  { phone: '500000001', status: 'active', points: 10_000 },
  { phone: '500000002', status: 'active', points: 0 },
  { phone: '500000003', status: 'invited', points: 0 },
] as const

const emptyWallet: Wallet = { posted: NO_POINTS, held: NO_POINTS, version: 0 }

/** What `wallet show` gives: a customer's points by phone. */
export interface WalletView {
  readonly phone: string
  readonly customer_status: 'invited' | 'active'
  readonly posted: number
  readonly held: number
  readonly available: number
}

/**
 * The wallet of a phone, in any accepted format.
 * @throws CliError when it is no phone, or nobody has it in this program
 */
export async function showWallet(db: Database, program_id: number, phoneText: string): Promise<WalletView> {
  const phone = readPhone(phoneText)
  const wallet = await db.one(findWallet(program_id, phone))
  if (wallet === undefined) throw new CliError(`No customer of this program has the phone ${phoneText}.`)
  const { status, posted, held } = wallet
  const available = availablePoints({ posted: asPoints(posted), held: asPoints(held) })
  return { phone, customer_status: status, posted, held, available }
}

/**
 * A phone as a person typed it.
 * @throws CliError when it is none
 */
export function readPhone(text: string): Phone {
  const phone = parsePhone(text)
  if (phone === null) throw new CliError(`${text} is not a Saudi mobile number like 0512345678.`)
  return phone
}

/** Sends the insertion of the sandbox identities into a program made in this transaction. */
export function addSandboxCustomers(
  tx: Transaction,
  program: { readonly program_id: number; readonly account_id: Uuid },
  now: Date,
): void {
  const customers = sandboxIdentities.map((identity) => ({ ...identity, customer_id: newUuid() }))
  void tx.run(insertFreshCustomers(program.program_id, now, customers))
  const transfers: TransferRow[] = []
  const entries: EntryRow[] = []
  const newWallets = customers.map(({ customer_id, points }): WalletRow => {
    const fact = { cause: newUuid(), points: asPoints(points), wallet: customer_id, program: program.account_id }
    const transfer = transferOf({ kind: 'adjust', ...fact })
    const applied = applyEntries(emptyWallet, transfer?.entries ?? [])
    if (transfer !== null) {
      const transfer_id = newUuid()
      const { kind, reference } = transfer
      transfers.push({ transfer_id, kind, reference, order_uuid: null, reason: 'Sandbox balance' })
      applied.entries.forEach(({ account, ...entry }, line) => {
        entries.push({ ...entry, transfer_id, line, account_id: account.account_id })
      })
    }
    return { account_id: customer_id, ...applied.wallet }
  })
  post(tx, { program_id: program.program_id, now, transfers, entries, wallets: [], newWallets })
}
