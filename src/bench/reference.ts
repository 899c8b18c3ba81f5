import { execFile } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The rate and latency of pgbench alone on the same server. */
export interface ReferenceResult {
  readonly clients: number
  readonly per_second: number
  readonly latency_ms: number
}

export interface ReferenceOptions {
  /** Where the script is written. */
  readonly folder: string
  /** Folder of the server's Unix socket, or its host. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly clients: number
  readonly duration_s: number
  /** Variables of the script. */
  readonly variables: Readonly<Record<string, number>>
}

/** True when pgbench (PostgreSQL's own load generator) is on the path. */
export async function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  )
}

/** The version of pgbench, for the head of the table. */
export async function pgbenchVersion(): Promise<string> {
  return (await run('pgbench', ['--version'])).stdout.trim()
}

/**
 * One commit per earning, in one prepared statement, with the rows that the service writes: the wallet, the order, the
 * transfer, its two entries and the event. It does less than the service: no key check, no validation, no lock, no search
 * for repeats, no HTTP.
 */
const script = `
\\set m random(0, :merchants - 1)
\\set c random(0, :customers - 1)
\\set n random(1, 1000000000000000)
with wallet as (
  update account set posted = posted + 1000, version = version + 1
  where program_id = :program::bigint and account_id = ('00000000-0000-7000-8000-' || lpad(to_hex(:c::bigint), 12, '0'))::uuid
  returning account_id, posted, version
), purchase as (
  insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
    order_status, total_halalas, total_points, earned_points, items, paid_at, created_at, updated_at)
  select :program::bigint, NEW_UUID, :first_merchant::bigint + :m::bigint, w.account_id, 1, 'purchase', 'R' || :n::text, 'r' || :n::text, 'approved', 10000,
    1000, 1000, '[{"product_name":"Coffee","product_price":50,"quantity":2}]', now(), now(), now() from wallet w
  returning order_uuid
), fact as (
  insert into transfer (program_id, transfer_id, kind, reference, order_uuid, created_at)
  select :program::bigint, NEW_UUID, 'earn', 'earn:' || order_uuid, order_uuid, now() from purchase returning transfer_id
), lines as (
  insert into entry (program_id, transfer_id, line, account_id, amount, balance_after, account_version, created_at)
  select :program::bigint, f.transfer_id, 0, m.account_id, -1000, null, null, now() from fact f, merchant m
  where m.program_id = :program::bigint and m.merchant_id = :first_merchant::bigint + :m::bigint
  union all
  select :program::bigint, f.transfer_id, 1, w.account_id, 1000, w.posted, w.version, now() from fact f, wallet w
)
insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
select :program::bigint, NEW_UUID, :first_merchant::bigint + :m::bigint, order_uuid, 'approved', json_build_object('id', order_uuid,
  'reference_number', 'R' || :n::text, 'order_number', 'r' || :n::text, 'type', 'earning', 'total_price', 100, 'total_points', 1000,
  'payment_status', 'fully_paid', 'order_status', 'approved', 'metadata', null, 'created_at', '2026-01-01T00:00:00.000Z',
  'updated_at', '2026-01-01T00:00:00.000Z'), now() from purchase;
`

/** Runs pgbench with the script for some seconds. @param newUuid SQL for a new, time-ordered uuid where there is one */
export async function runReference(options: ReferenceOptions, newUuid: string): Promise<ReferenceResult> {
  const file = join(options.folder, 'earning.sql')
  await writeFile(file, script.replaceAll('NEW_UUID', newUuid))
  const { host, port, user, database, clients, duration_s, variables } = options
  const flags = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const { stdout } = await throughFolder(host, (reachable) =>
    run('pgbench', [
      ...['-h', reachable, '-p', String(port), '-U', user, '-n', '-M', 'prepared', '-f', file],
      ...['-c', String(clients), '-j', '1', '-T', String(duration_s), ...flags, database],
    ]),
  )
  return {
    clients,
    per_second: number(stdout, /tps = ([\d.]+)/),
    latency_ms: number(stdout, /latency average = ([\d.]+) ms/),
  }
}

/** Makes a socket folder named by `/proc/self` reachable for pgbench, which has another `self`. */
async function throughFolder<T>(host: string, work: (reachable: string) => Promise<T>): Promise<T> {
  if (!host.startsWith('/proc/self/')) return work(host)
  const folder = await open(host)
  try {
    return await work(`/proc/${process.pid}/fd/${folder.fd}`)
  } finally {
    await folder.close()
  }
}

function number(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`pgbench printed no ${pattern.source}:\n${text}`)
  return Number(found)
}
