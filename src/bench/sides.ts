import type { BenchDatabase } from './database.ts'
import { acceptedPerSecond, type LoadResult, runLoad } from './load.ts'
import { earningRequests } from './merchants.ts'
import { type Customers, hasPgbench, type ReferenceResult, referenceFunction, runReference } from './reference.ts'
import type { BenchServer, MerchantKeys } from './server.ts'
import { hasWrk, runWrk } from './wrk.ts'

/** A run of earnings over HTTPS. */
export interface HttpResult {
  readonly connections: number
  readonly customers: Customers
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly mean_batch: number
  readonly refused: number
}

/** What both sides of a comparison do: earnings over HTTPS, and calls by pgbench. */
export interface Sides {
  readonly http: (connections: number, customers: Customers, duration_s: number) => Promise<HttpResult>
  /** What sends the requests. */
  readonly load: 'wrk' | 'the load generator of this bench'
  /** Null when pgbench is missing. */
  readonly reference: ((clients: number, customers: Customers, duration_s: number) => Promise<ReferenceResult>) | null
}

/** Creates the function of the reference; the `known` customers are there already. */
export async function prepareSides(
  server: BenchServer,
  { connection, asOwner }: BenchDatabase,
  { keys, known }: { readonly keys: readonly MerchantKeys[]; readonly known: number },
): Promise<Sides> {
  await asOwner(referenceFunction)
  // Each side counts its own runs: both have new phones for 100.
  let earned = 0
  let called = 0
  const variables = {
    program: keys[0]?.program_id ?? 0,
    merchants: keys.length,
    first_merchant: Math.min(...keys.map(({ merchant_id }) => merchant_id)),
    customers: known,
  }
  return {
    load: (await hasWrk()) ? 'wrk' : 'the load generator of this bench',
    http: (connections, customers, duration_s) =>
      measureHttp(server, { connections, customers }, () =>
        earnAtFullSpeed(server, { keys, known, connections, customers, duration_s, run: earned++ }),
      ),
    reference: (await hasPgbench())
      ? (clients, customers, duration_s) =>
          runReference({
            folder: server.folder,
            ...connection,
            ...{ clients, customers, duration_s, variables, run: called++ },
          })
      : null,
  }
}

export interface Load {
  readonly keys: readonly MerchantKeys[]
  readonly known: number
  readonly connections: number
  readonly customers: Customers
  readonly duration_s: number
  readonly run: number
}

/** Earnings as fast as the service answers, by wrk where there is one. */
export async function earnAtFullSpeed(server: BenchServer, load: Load): Promise<LoadResult> {
  return (await hasWrk()) ? wrkLoad(server, load) : ownLoad(server, load)
}

function wrkLoad({ folder, port }: BenchServer, { keys, ...load }: Load): Promise<LoadResult> {
  const private_keys = keys.map(({ private_key }) => private_key)
  return runWrk({ folder, port, ...load, private_keys })
}

/** Costs more CPU beside the service than wrk, but needs only Node.js. */
function ownLoad({ port, ca }: BenchServer, { duration_s, connections, ...load }: Load): Promise<LoadResult> {
  const request = earningRequests({ connections, ...load })
  return runLoad({ port, ca, connections, duration_ms: duration_s * 1000, request })
}

/** Runs a load, and gives what came of it, with the size of the batches that the service made. */
export async function measureHttp(
  server: BenchServer,
  facts: Pick<HttpResult, 'connections' | 'customers'>,
  load: () => Promise<LoadResult>,
): Promise<HttpResult> {
  const before = await batches(server)
  const result = await load()
  const after = await batches(server)
  const accepted = result.statuses['200'] ?? 0
  const answered = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
  return {
    ...facts,
    per_second: acceptedPerSecond(result),
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
