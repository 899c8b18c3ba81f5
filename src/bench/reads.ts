import type { Database } from '../db/pool.ts'
import { type LoadResult, runLoad } from './load.ts'
import { getRequest } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'
import { hasWrk, type Read, runWrkReads } from './wrk.ts'

/** One order for each merchant is enough: a cache of orders does not exist. */
const most_orders = 1_000

export interface ReadsOptions {
  readonly connections: number
  readonly duration_s: number
}

/** P8: reads of single orders over HTTPS, with wrk where it is on the path. */
export async function measureReads(
  server: BenchServer,
  reads: readonly Read[],
  { connections, duration_s }: ReadsOptions,
): Promise<LoadResult> {
  if (await hasWrk()) return runWrkReads({ folder: server.folder, port: server.port, connections, duration_s }, reads)
  let turn = 0
  return runLoad({
    ...{ host: '127.0.0.1', port: server.port, ca: server.ca, connections, duration_ms: duration_s * 1000 },
    request() {
      turn += 1
      const { path, private_key } = reads[turn % reads.length] ?? { path: '/', private_key: '' }
      return getRequest(path, `x-api-key: ${private_key}\r\n`)
    },
  })
}

/** Finds the newest order of each merchant. */
export async function findReads(db: Database, keys: readonly MerchantKeys[]): Promise<readonly Read[]> {
  const reads: Read[] = []
  for (const { program_id, merchant_id, private_key } of keys.slice(0, most_orders)) {
    const [order] = await db.run<{ order_uuid: string }>({
      text: `select order_uuid from orders where program_id = $1 and merchant_id = $2
        order by created_at desc, order_uuid desc limit 1`,
      values: [program_id, merchant_id],
    })
    if (order !== undefined) reads.push({ path: `/api/v1/orders/${order.order_uuid}`, private_key })
  }
  return reads
}
