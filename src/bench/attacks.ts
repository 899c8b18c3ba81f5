import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchDatabase } from './database.ts'
import { acceptedPerSecond, runLoad } from './load.ts'
import { customerCount, earningRequest, knownPhone, newRun } from './requests.ts'
import { residentMb, watchMemory } from './resident.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { BenchVisitor } from './visitor.ts'

/** Measures R8: what a stranger with a public key can do to a service with a small heap. */

const heap_mb = 512
/** How long the process gets to release memory. */
const rest_ms = 10_000

export interface AttackBenchOptions {
  /** The length of each attack. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

interface AttackResult {
  readonly name: string
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly rss_peak_mb: number
  readonly event_loop_p99_ms: number
  readonly event_loop_max_ms: number
  readonly healthz_p50_ms: number
  /** Earnings a second of other merchants meanwhile. */
  readonly earnings_per_s: number
}

export interface AttackBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly attacks: readonly AttackResult[]
  readonly rss_before_mb: number
  readonly rss_after_mb: number
}

interface Attack {
  readonly name: string
  readonly connections: number
  /** As fast as the service answers, unless given. */
  readonly pace_per_s?: number
  readonly request: () => Buffer
}

/** Runs the attacks one after another on their own service, each beside the requests of others. */
export async function benchAttacks({ duration_s, progress }: AttackBenchOptions): Promise<AttackBenchResult> {
  const server = await startBenchServer([], { NODE_OPTIONS: `--max-old-space-size=${heap_mb}` })
  try {
    const keys = (await server.command(
      ...['merchant', 'create', '--name', 'Door', '--count', '8', '--verified', '--published', '--program', 'Door'],
    )) as MerchantKeys[]
    const [shop] = keys
    if (shop === undefined) throw new Error('the bench has no merchants')
    const link = await storeLongCheckout(server, shop)
    progress('quiet')
    const quiet = { name: 'nobody attacks', connections: 0, request: () => Buffer.alloc(0) }
    const attacks = [await measure(server, keys, quiet, duration_s)]
    const rss_before_mb = await residentMb(server)
    for (const attack of attacksOn(shop, link)) {
      progress(attack.name)
      attacks.push(await measure(server, keys, attack, duration_s))
    }
    await sleep(rest_ms)
    return { database: server.database, attacks, rss_before_mb, rss_after_mb: await residentMb(server) }
  } finally {
    await server.stop()
  }
}

function attacksOn({ public_key, private_key }: MerchantKeys, link: string): Attack[] {
  const open = `/api/v1/orders/checkout/${public_key}`
  const deep = (depth: number) => `{"total_price":1,"order_number":"1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const lines = (count: number) => `{"products":[${'1,'.repeat(count - 1)}1]}`
  const post = (path: string, body: string, headers = '') => {
    let turn = 0
    return () => {
      turn += 1
      return request('POST', path, `idempotency-key: door-${turn}\r\n${headers}`, body)
    }
  }
  const key = `x-api-key: ${private_key}\r\n`
  return [
    { name: '980 kB of brackets, 20 at once', connections: 20, request: post(open, deep(490_000)) },
    { name: '120 kB of brackets, 20 at once', connections: 20, request: post(open, deep(60_000)) },
    { name: '63 kB of lines, 60 at once', connections: 60, request: post(open, lines(31_000)) },
    { name: '500,000 lines, 2 a second', connections: 2, pace_per_s: 2, request: post(open, lines(500_000)) },
    { name: '980 kB with a private key', connections: 20, request: post('/api/v1/orders/earning', deep(490_000), key) },
    { name: 'a page of 19,500 products', connections: 4, request: () => request('GET', link, '') },
  ]
}

function request(method: string, path: string, headers: string, body = ''): Buffer {
  const type = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}${type}\r\n${body}`)
}

/** Stores a checkout with more lines than the API accepts, as older ones may have. Gives the path of its page. */
async function storeLongCheckout(server: BenchServer, { program_id, public_key }: MerchantKeys): Promise<string> {
  const visitor = new BenchVisitor(server)
  const opening = { total_price: 1, order_number: 'long' }
  const { checkout_url = '', order_uuid } = await visitor
    .post(`/api/v1/orders/checkout/${public_key}`, opening)
    .finally(() => visitor.close())
  const database = await openBenchDatabase(server)
  try {
    await database.db.run({
      text: `update orders set items = (
          select json_agg(json_build_object('product_name', 'Product ' || n, 'product_price', 1, 'quantity', 1))
          from generate_series(1, 19500) as n
        ) where program_id = $1 and order_uuid = $2`,
      values: [program_id, order_uuid],
    })
  } finally {
    await database.close()
  }
  return new URL(checkout_url).pathname
}

/** Runs one attack, beside a request to `/healthz` ten times a second and earnings of other merchants. */
async function measure(
  server: BenchServer,
  keys: readonly MerchantKeys[],
  attack: Attack,
  duration_s: number,
): Promise<AttackResult> {
  const place = { port: server.port, ca: server.ca, duration_ms: duration_s * 1000 }
  const run = newRun()
  let turn = 0
  const earning = (connection: number): Buffer => {
    turn += 1
    return earningRequest(keys[connection + 1]?.private_key ?? '', `${run}-${turn}`, knownPhone(turn % customerCount))
  }
  const health = request('GET', '/healthz', '')
  await server.metric('nodejs_eventloop_lag_p99_seconds') // reading it begins it anew
  const { result, rss_peak_mb } = await watchMemory(server, () =>
    Promise.all([
      runLoad({ ...place, ...attack }),
      runLoad({ ...place, connections: 1, pace_per_s: 10, request: () => health }),
      runLoad({ ...place, connections: 4, pace_per_s: 100, request: earning }),
    ]),
  )
  const [attacked, healthy, earned] = result
  const [event_loop_p99_ms, event_loop_max_ms] = await eventLoopDelay_ms(server)
  return {
    name: attack.name,
    statuses: attacked.statuses,
    rss_peak_mb,
    event_loop_p99_ms,
    event_loop_max_ms,
    healthz_p50_ms: healthy.p50_ms,
    earnings_per_s: acceptedPerSecond(earned),
  }
}

/** Reads the event-loop delay since the last call, p99 and longest, from one answer of the service. */
async function eventLoopDelay_ms(server: BenchServer): Promise<readonly [number, number]> {
  const [p99, max] = await server.metrics('nodejs_eventloop_lag_p99_seconds', 'nodejs_eventloop_lag_max_seconds')
  return [(p99 ?? Number.NaN) * 1000, (max ?? Number.NaN) * 1000]
}
