import { type Uuid, uuidV7Floor } from '../domain/ids.ts'
import type { Check } from './checks/check.ts'
import { checkoutChecks } from './checks/checkouts.ts'
import { entryChecks, walletChecks } from './checks/entries.ts'
import { holdChecks } from './checks/holds.ts'
import { orderChecks } from './checks/orders.ts'
import type { Database } from './pool.ts'

/** Every rule that `verifyLedger` recomputes, each a query for the places where it does not hold. */
export const checks: readonly Check[] = [
  ...entryChecks,
  ...walletChecks,
  ...holdChecks,
  ...orderChecks,
  ...checkoutChecks,
]

/** One place where the ledger is not what its rules say. */
export interface Difference {
  readonly program_id: number
  /** The rule. */
  readonly check: string
  /** The transfer, account, hold, order or event. */
  readonly id: string
  readonly detail: string
}

export interface Verification {
  readonly transfers: number
  readonly entries: number
  readonly wallets: number
  readonly differences: readonly Difference[]
}

/** What answers the questions: a database, or a transaction that is to see its own changes. */
type Source = Pick<Database, 'run' | 'one'>

/** Of one rule in one program; a ledger that is off everywhere is told by fewer. */
const most_differences = 1_000

/**
 * Recomputes the ledger from its entries and compares: sums, versions, balances, wallets, holds, orders, events. Reads
 * only, one statement a rule and program, each a snapshot of its own, so it may run beside a service (architecture,
 * "Data").
 */
export async function verifyLedger(db: Source): Promise<Verification> {
  const programs = await db.run<{ program_id: number }>({
    text: 'select program_id from program order by program_id',
    values: [],
  })
  const oldest = await oldestEvents(db)
  const totals = { transfers: 0, entries: 0, wallets: 0 }
  const differences: Difference[] = []
  for (const { program_id } of programs) {
    const counted = await count(db, program_id)
    totals.transfers += counted.transfers
    totals.entries += counted.entries
    totals.wallets += counted.wallets
    for (const check of checks) differences.push(...(await runCheck(db, check, { program_id, oldest })))
  }
  return { ...totals, differences }
}

async function count(db: Source, program_id: number): Promise<Omit<Verification, 'differences'>> {
  const counted = await db.one<Omit<Verification, 'differences'>>({
    text: `select (select count(*) from transfer where program_id = $1) as transfers,
      (select count(*) from entry where program_id = $1) as entries,
      (select count(*) from account where program_id = $1 and kind = 'customer') as wallets`,
    values: [program_id],
  })
  return counted ?? { transfers: 0, entries: 0, wallets: 0 }
}

async function runCheck(
  db: Source,
  check: Check,
  { program_id, oldest }: { readonly program_id: number; readonly oldest: Uuid },
): Promise<Difference[]> {
  // Both values are given to every check, so that each can be asked alike.
  const rows = await db.run<{ id: string; detail: string }>({
    text: `select id::text as id, detail from (${check.sql}) found
      where $2::uuid is not null order by id, detail limit ${most_differences}`,
    values: [program_id, oldest],
  })
  return rows.map(({ id, detail }) => ({ program_id, check: check.name, id, detail }))
}

/** The first identifier of the oldest month whose events are kept: orders from before it have lost theirs. */
async function oldestEvents(db: Source): Promise<Uuid> {
  const partition = await db.one<{ name: string | null }>({
    text: `select min(c.relname) as name from pg_catalog.pg_inherits i
      join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass('event') and c.relname ~ '^event_[0-9]{4}_[0-9]{2}$'`,
    values: [],
  })
  const month = /^event_(\d{4})_(\d{2})$/.exec(partition?.name ?? '')
  return uuidV7Floor(month === null ? 0 : Date.UTC(Number(month[1]), Number(month[2]) - 1, 1))
}
