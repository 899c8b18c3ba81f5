import { execFile } from 'node:child_process'
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { medianOf } from './pairs.ts'
import { newPhones } from './requests.ts'

const run = promisify(execFile)

/** The rate and latency of pgbench alone on the same server. */
export interface ReferenceResult {
  readonly clients: number
  readonly customers: Customers
  readonly per_second: number
  /** The mean of all calls. */
  readonly latency_ms: number
  /** Their median; null with several clients, whose single calls are not recorded, and undefined in older results. */
  readonly p50_ms: number | null
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
  readonly customers: Customers
  readonly duration_s: number
  readonly run: number
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

/** The customers whom earnings are for: those with an account, or every second one new. */
export type Customers = 'known' | 'half new'

/**
 * The strongest that one commit per earning allows: one call looks the key up, finds or makes the customer, and writes the
 * wallet, the order, the transfer, its two entries and the event. It does less than the service: no validation, no lock, no
 * search for repeats, no HTTP.
 */
export const referenceFunction = `
create or replace function bench_earning(program bigint, merchant bigint, phone_number bigint, n bigint) returns void
language plpgsql as $$
declare
  number text := phone_number;
  shop record;
  buyer uuid;
  balance bigint;
  lines bigint;
  purchase uuid := NEW_UUID;
  fact uuid := NEW_UUID;
begin
  select m.account_id, m.points_per_sar_e4 into shop from api_key k
    join merchant m on m.program_id = k.program_id and m.merchant_id = k.merchant_id
    where k.program_id = program and k.merchant_id = merchant and k.status and m.verified and m.published and m.earning_on;
  select c.customer_id into buyer from customer c where c.program_id = program and c.phone = number;
  if not found then
    buyer := NEW_UUID;
    insert into customer (program_id, customer_id, phone, status, created_at, activated_at)
      values (program, buyer, number, 'active', now(), now());
    insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
      values (program, buyer, 'customer', buyer, 1000, 0, 1, now()) returning posted, version into balance, lines;
  else
    update account a set posted = posted + 1000, version = version + 1
      where a.program_id = program and a.account_id = buyer returning posted, version into balance, lines;
  end if;
  insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
    order_status, total_halalas, total_points, earned_points, items, paid_at, created_at, updated_at)
    values (program, purchase, merchant, buyer, 1, 'purchase', 'R' || n, 'r' || n, 'approved', 10000, 1000, 1000,
      '[{"product_name":"Coffee","product_price":50,"quantity":2}]', now(), now(), now());
  insert into transfer (program_id, transfer_id, kind, reference, order_uuid, created_at)
    values (program, fact, 'earn', 'earn:' || purchase, purchase, now());
  insert into entry (program_id, transfer_id, line, account_id, amount, balance_after, account_version, created_at)
    values (program, fact, 0, shop.account_id, -1000, null, null, now()), (program, fact, 1, buyer, 1000, balance, lines, now());
  insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
    values (program, NEW_UUID, merchant, purchase, 'approved', json_build_object('id', purchase, 'reference_number', 'R' || n,
      'order_number', 'r' || n, 'type', 'earning', 'total_price', 100, 'total_points', 1000, 'payment_status', 'fully_paid',
      'order_status', 'approved', 'metadata', null, 'created_at', '2026-01-01T00:00:00.000Z',
      'updated_at', '2026-01-01T00:00:00.000Z'), now());
end $$;`.replaceAll('NEW_UUID', 'uuidv7()')

/** Those of new ones are taken once: run, client and turn are in them. */
const script = (customers: Customers): string => `
\\set m :first_merchant + random(0, :merchants - 1)
\\set n random(1, 1000000000000000)
\\set i :i + 1
\\if ${customers === 'half new' ? ':i % 2' : '0'}
\\set phone ${newPhones.pgbench} + :run * ${newPhones.run} + :client_id * :share + :i % :share
\\else
\\set phone 510000000 + random(0, :customers - 1)
\\endif
select bench_earning(:program, :m, :phone, :n);
`

/** Runs pgbench for some seconds; `referenceFunction` is in the database. `run` differs from every run before. */
export async function runReference(options: ReferenceOptions): Promise<ReferenceResult> {
  const file = join(options.folder, 'earning.sql')
  const { host, port, user, database, clients, customers, duration_s, run: turn, variables } = options
  await writeFile(file, script(customers))
  const flags = Object.entries({ ...variables, run: turn, i: 0, share: Math.floor(newPhones.run / clients) }).flatMap(
    ([name, value]) => ['-D', `${name}=${value}`],
  )
  const log = clients === 1 ? `pgbench-${turn}` : undefined
  const logging = log === undefined ? [] : ['--log', '--log-prefix', join(options.folder, log)]
  const { stdout } = await throughFolder(host, (reachable) =>
    run('pgbench', [
      ...['-h', reachable, '-p', String(port), '-U', user, '-n', '-M', 'prepared', '-f', file, ...logging],
      ...['-c', String(clients), '-j', '1', '-T', String(duration_s), ...flags, database],
    ]),
  )
  return {
    clients,
    customers,
    per_second: number(stdout, /tps = ([\d.]+)/),
    latency_ms: number(stdout, /latency average = ([\d.]+) ms/),
    p50_ms: log === undefined ? null : await takeMedian(options.folder, log),
  }
}

/**
 * The median time of the calls in the log that pgbench has written, which is removed. Its name ends with the id of the
 * process.
 */
async function takeMedian(folder: string, prefix: string): Promise<number> {
  const name = (await readdir(folder)).find((one) => one.startsWith(`${prefix}.`))
  if (name === undefined) throw new Error('pgbench wrote no times of its calls')
  const file = join(folder, name)
  const median_ms = medianOfLog(await readFile(file, 'utf8'))
  await rm(file)
  return median_ms
}

/** The median of the times in a log of pgbench: the third field of each line, in microseconds. */
export function medianOfLog(log: string): number {
  const times_us = log.split('\n').flatMap((line) => (line === '' ? [] : [Number(line.split(' ')[2])]))
  return medianOf(times_us) / 1_000
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
