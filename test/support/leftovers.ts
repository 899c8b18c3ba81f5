import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/pool.ts'
import { ledgerDifferences } from './ledger.ts'

const leftovers = [
  'open sessions',
  'prepared transactions',
  'ledger differences',
  'open holds',
  'due deliveries',
  'due messages',
  'due payment tasks',
] as const

/** A kind of rows that tests may leave behind. A file names those it leaves on purpose to `testDatabase`. */
export type Leftover = (typeof leftovers)[number]

/** Describes everything that the tests of one file left behind; empty after tests that clean up. */
export async function findLeftovers(
  owner: Database,
  allowed: readonly Leftover[],
  { patience_ms = 60_000 } = {},
): Promise<string[]> {
  const checks: Readonly<Record<Leftover, () => Promise<string[]>>> = {
    'open sessions': () => openSessions(owner, patience_ms),
    'prepared transactions': () => preparedTransactions(owner),
    'ledger differences': () => unbalanced(owner),
    'open holds': () => openHolds(owner),
    'due deliveries': () => dueDeliveries(owner),
    'due messages': () => dueMessages(owner),
    'due payment tasks': () => duePaymentTasks(owner),
  }
  // One after the other, on one connection: another one costs more than the checks.
  const found: string[] = []
  for (const kind of leftovers)
    if (!allowed.includes(kind)) found.push(...(await checks[kind]()).map((what) => `${kind}: ${what}`))
  return found
}

/** Beside the functions below: to plan their views, which join names to numbers, takes longer than the look. */
const this_database = '(select oid from pg_database where datname = current_database())'

/** Open sessions of others. The server takes a moment to end a closed one. */
async function openSessions(owner: Database, patience_ms: number): Promise<string[]> {
  const patience = Date.now() + patience_ms
  for (;;) {
    const rows = await owner.run<{ application_name: string; state: string; query: string }>({
      text: `select application_name, state, left(query, 100) as query from pg_stat_get_activity(null)
        where datid = ${this_database} and backend_type = 'client backend' and application_name <> 'nuqta-test-owner'
          and application_name not like 'citus\\_internal%'`,
      values: [],
    })
    if (rows.length === 0) return []
    if (Date.now() > patience)
      return rows.map((row) => `${row.application_name}, ${row.state}, last said: ${row.query}`)
    await sleep(20)
  }
}

async function preparedTransactions(owner: Database): Promise<string[]> {
  const rows = await owner.run<{ gid: string }>({
    text: `select gid from pg_prepared_xact() where dbid = ${this_database}`,
    values: [],
  })
  return rows.map(({ gid }) => gid)
}

async function unbalanced(owner: Database): Promise<string[]> {
  const differences = await ledgerDifferences(owner)
  return differences.map(({ check, id, detail }) => `${check}: ${id}, ${detail}`)
}

async function openHolds(owner: Database): Promise<string[]> {
  const rows = await owner.run<{ order_uuid: string; points: number }>({
    text: `select order_uuid, points from hold where state = 'open'`,
    values: [],
  })
  return rows.map(({ order_uuid, points }) => `${points} points for the order ${order_uuid}`)
}

async function dueDeliveries(owner: Database): Promise<string[]> {
  const rows = await owner.run<{ event_id: string }>({ text: 'select event_id from delivery_queue', values: [] })
  return rows.map(({ event_id }) => `of the event ${event_id}`)
}

async function duePaymentTasks(owner: Database): Promise<string[]> {
  const rows = await owner.run<{ kind: string; order_uuid: string; error: string | null }>({
    text: `select kind, order_uuid, error from payment_task where state = 'due'`,
    values: [],
  })
  return rows.map(({ kind, order_uuid, error }) => `${kind} of the order ${order_uuid}, ${error ?? 'never tried'}`)
}

async function dueMessages(owner: Database): Promise<string[]> {
  const rows = await owner.run<{ sms_uuid: string; kind: string }>({
    text: `select sms_uuid, kind from sms_queue where state = 'due'`,
    values: [],
  })
  return rows.map(({ sms_uuid, kind }) => `${kind} ${sms_uuid}`)
}
