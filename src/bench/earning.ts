import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { runLoad } from './load.ts'
import { hasPgbench, pgbenchVersion, type ReferenceResult, runReference } from './reference.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'

const merchantCount = 1_000
/** Customers with an account; `earningRequest` uses their phones. */
export const customerCount = 20_000
const connectionCounts = [1, 32, 128]
const referenceClients = [1, 8, 16]
const warmUp_s = 10

export interface EarningBenchOptions {
  /** The length of each measurement. */
  readonly duration_s: number
  readonly progress: (line: string) => void
}

interface HttpResult {
  readonly connections: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly mean_batch: number
  readonly refused: number
}

export interface EarningBenchResult {
  readonly reference: readonly ReferenceResult[] | null
  readonly reference_version: string | null
  readonly http: readonly HttpResult[]
  readonly rss_mb: number
  /** P1: the best rate over HTTP to the best of pgbench. */
  readonly rate_ratio: number | null
  /** P2: p50 over HTTP on one connection to pgbench's latency with one client. */
  readonly latency_ratio: number | null
  readonly ledger_differences: number
}

/**
 * Measures P1, P2 and P6 in one run on one server: (a) pgbench alone writing the rows of an earning, one commit each,
 * and (b) earnings over HTTPS. Only answers of 200 count; every connection has its own merchants.
 */
export async function benchEarning({ duration_s, progress }: EarningBenchOptions): Promise<EarningBenchResult> {
  const server = await startBenchServer()
  const database = await openBenchDatabase(server)
  try {
    const keys = (await server.command(
      ...['merchant', 'create', '--name', 'Bench', '--count', String(merchantCount)],
      ...['--verified', '--published', '--program', 'Bench'],
    )) as MerchantKeys[]
    const measureReference = await prepareReference(server, database, keys)
    progress('warming up')
    // Long enough to compile the code and to collect table statistics; both sides gain by it.
    await measureHttp(server, keys, 32, warmUp_s)
    const best = (results: readonly { per_second: number }[]) => Math.max(...results.map((one) => one.per_second))
    const reference: ReferenceResult[] = []
    const http: HttpResult[] = []
    // Alternate, so that both see the same state of the machine.
    for (const [index, connections] of connectionCounts.entries()) {
      const clients = referenceClients[index]
      if (measureReference !== null && clients !== undefined) {
        progress(`pgbench, ${clients} clients`)
        reference.push(await measureReference(clients, duration_s))
      }
      progress(`HTTPS, ${connections} connections`)
      http.push(await measureHttp(server, keys, connections, duration_s))
    }
    const rss_mb = (await server.metric('process_resident_memory_bytes')) / 2 ** 20
    progress('verifying the ledger')
    const [verified] = (await server.command('ledger', 'verify')) as { differences: unknown[] }[]
    const single = reference.find(({ clients }) => clients === 1)
    const p50_ms = http.find(({ connections }) => connections === 1)?.p50_ms ?? Number.NaN
    return {
      reference: measureReference === null ? null : reference,
      reference_version: measureReference === null ? null : await pgbenchVersion(),
      http,
      rss_mb: Math.round(rss_mb),
      rate_ratio: reference.length === 0 ? null : best(http) / best(reference),
      latency_ratio: single === undefined ? null : p50_ms / single.latency_ms,
      ledger_differences: verified?.differences.length ?? Number.NaN,
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Creates the customers that both sides use; gives null when pgbench is missing. */
async function prepareReference(
  { folder }: BenchServer,
  { connection, db }: BenchDatabase,
  keys: readonly MerchantKeys[],
): Promise<((clients: number, duration_s: number) => Promise<ReferenceResult>) | null> {
  const [first] = keys
  if (first === undefined) throw new Error('the bench has no merchants')
  await db.script(customersSql(first.program_id, customerCount))
  if (!(await hasPgbench())) return null
  const variables = {
    program: first.program_id,
    merchants: merchantCount,
    first_merchant: Math.min(...keys.map(({ merchant_id }) => merchant_id)),
    customers: customerCount,
  }
  return (clients, duration_s) => runReference({ folder, ...connection, clients, duration_s, variables }, 'uuidv7()')
}

async function measureHttp(
  server: BenchServer,
  keys: readonly MerchantKeys[],
  connections: number,
  duration_s: number,
): Promise<HttpResult> {
  const run = Math.random().toString(36).slice(2, 8)
  const sent = new Array<number>(connections).fill(0)
  const before = await batches(server)
  const result = await runLoad({
    host: '127.0.0.1',
    port: server.port,
    ca: server.ca,
    connections,
    duration_ms: duration_s * 1000,
    request(connection) {
      const turn = sent[connection] ?? 0
      sent[connection] = turn + 1
      // Merchants connection, connection + n, connection + 2n, …: no two connections share one.
      const own = Math.floor((merchantCount - 1 - connection) / connections) + 1
      const key = keys[connection + (turn % own) * connections]?.private_key ?? ''
      return earningRequest(key, `${run}-${connection}-${turn}`, Math.floor(Math.random() * customerCount))
    },
  })
  const after = await batches(server)
  const accepted = result.statuses['200'] ?? 0
  const answered = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
  return {
    connections,
    per_second: accepted / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    mean_batch: (after.items - before.items) / (after.count - before.count),
    refused: answered - accepted,
  }
}

async function batches(server: BenchServer): Promise<{ items: number; count: number }> {
  return {
    items: await server.metric('nuqta_batch_size_sum{kind="earning"}'),
    count: await server.metric('nuqta_batch_size_count{kind="earning"}'),
  }
}

/** The bytes of a request for the earning of a purchase. */
export function earningRequest(key: string, order_number: string, customer: number): Buffer {
  const body = JSON.stringify({
    phone_number: `+96651${String(customer).padStart(7, '0')}`,
    total_price: 100,
    products: [{ product_name: 'Coffee', product_price: 50, quantity: 2 }],
    order_number,
  })
  return Buffer.from(
    `POST /api/v1/orders/earning HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n` +
      `content-type: application/json\r\naccept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
