import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { day_ms } from '../domain/spans.ts'
import { Random } from '../lib/random.ts'
import { makeDailyFigures } from './daily-figures.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { chooseOrder, customersSql, type GrownOrder, type Growth, growSql } from './grow.ts'
import { makeMerchants } from './merchants.ts'
import { knownPhone } from './requests.ts'
import type { BenchServer, MerchantKeys } from './server.ts'
import { prepareSides, type Sides } from './sides.ts'

const merchantCount = 1_000
/** Orders lie in the last days, so that the events of most are in this month's partition, as they are in a shop's. */
const days = 30

export type Size = Pick<Growth, 'orders' | 'customers'>

/** An order, with what is needed to ask for it. */
export interface Target extends GrownOrder {
  readonly program_id: number
  readonly private_key: string
}

/** A server with a database of many orders. */
export interface Filled {
  readonly size: Size
  readonly server: BenchServer
  readonly database: BenchDatabase
  readonly keys: readonly MerchantKeys[]
  readonly sides: Sides
  /** Gives any of the orders that it was filled with, by the same seed for every database. */
  readonly choose: () => Target
  /** Gives the phone of any of its customers. */
  readonly choosePhone: () => string
  readonly load_s: number
  readonly figures_s: number
}

/** Fills the database of a server. */
export async function fill(server: BenchServer, size: Size): Promise<Filled> {
  const began_ms = performance.now()
  const database = await openBenchDatabase(server)
  const keys = await makeMerchants(server, merchantCount)
  const program_id = keys[0]?.program_id ?? 0
  const every_ms = Math.max(1, Math.floor((days * day_ms) / size.orders))
  const growth: Growth = {
    ...{ program_id, merchants: merchantCount, ...size },
    first_merchant: Math.min(...keys.map(({ merchant_id }) => merchant_id)),
    ...{ from_ms: Date.now() - every_ms * size.orders - 60_000, every_ms },
  }
  await database.asOwner(customersSql(program_id, size.customers))
  for (const sql of growSql(growth)) await database.asOwner(sql)
  const figures_s = await secondsOf(() => makeDailyFigures(database.connection))
  // Autovacuum would have done this while the orders came in.
  await database.asOwner('vacuum analyze')
  // After years the disk has all pages; the kernel would write them beside what is measured.
  await promisify(execFile)('sync')
  const load_s = (performance.now() - began_ms) / 1000 - figures_s
  const [ofOrders, ofCustomers] = [new Random('orders'), new Random('customers')]
  const private_keys = new Map(keys.map(({ merchant_id, private_key }) => [merchant_id, private_key]))
  return {
    ...{ size, server, database, keys, load_s, figures_s },
    sides: await prepareSides(server, database, { keys, known: size.customers }),
    choose() {
      const order = chooseOrder(growth, ofOrders)
      return { ...order, program_id, private_key: private_keys.get(order.merchant_id) ?? '' }
    },
    choosePhone: () => knownPhone(ofCustomers.whole(0, size.customers - 1)),
  }
}

/** How long some work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began_ms = performance.now()
  await work()
  return (performance.now() - began_ms) / 1000
}
