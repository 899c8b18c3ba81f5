import type { Database } from '../db/pool.ts'
import { Random } from '../lib/random.ts'
import { type LoadResult, runLoad } from './load.ts'
import { getRequest } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'
import { hasWrk, type Read, runWrkReads } from './wrk.ts'

/** Of each merchant: with 1,000 of them about as many as are read within some seconds. */
const orders_each = 50

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
    ...{ port: server.port, ca: server.ca, connections, duration_ms: duration_s * 1000 },
    request() {
      turn += 1
      return readRequest(reads[turn % reads.length] ?? { path: '/', private_key: '' })
    },
  })
}

/** A read of an order through the API of its merchant. */
export function readOf(order_uuid: string, private_key: string): Read {
  return { path: `/api/v1/orders/${order_uuid}`, private_key }
}

export function readRequest({ path, private_key }: Read): Buffer {
  return getRequest(path, `x-api-key: ${private_key}\r\n`)
}

/** Chooses orders of each merchant among all that it has, and takes merchants in turn. */
export async function findReads(db: Database, keys: readonly MerchantKeys[]): Promise<readonly Read[]> {
  const random = new Random('reads')
  const rounds = Array.from({ length: orders_each }, (): Read[] => [])
  for (const { program_id, merchant_id, private_key } of keys) {
    const orders = await db.run<{ order_uuid: string }>({
      text: `select order_uuid from orders where program_id = $1 and merchant_id = $2 order by order_uuid::text collate "C"`,
      values: [program_id, merchant_id],
    })
    for (const round of rounds) {
      const order = orders[random.whole(0, orders.length - 1)]
      if (order !== undefined) round.push(readOf(order.order_uuid, private_key))
    }
  }
  return rounds.flat()
}
