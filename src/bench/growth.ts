import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { day_ms } from '../domain/spans.ts'
import { type Beside, beside } from './beside.ts'
import { makeDailyFigures } from './daily-figures.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { customersSql, growSql } from './grow.ts'
import { acceptedPerSecond } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { findReads, measureReads } from './reads.ts'
import type { Customers } from './reference.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { prepareSides, type Sides } from './sides.ts'
import { type Compared, inTurns, type Sizes } from './sizes.ts'
import { measureViews, type ViewResult } from './views.ts'

const merchantCount = 1_000
const smallOrders = 10_000
const smallCustomers = 20_000
/** Orders of one customer in the grown database. */
const ordersEach = 10
/** Orders lie in the last days, so that the events of most are in this month's partition, as they are in a shop's. */
const days = 30
const warmUp_s = 8

export interface GrowthBenchOptions {
  readonly duration_s: number
  readonly orders: number
  readonly progress: (line: string) => void
}

export interface GrowthBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly orders: number
  readonly customers: number
  readonly load_s: number
  /** What the service's own job took to make the daily figures of these orders. In older results there were none. */
  readonly figures_s?: number
  /** Of one earning on one connection, in milliseconds. */
  readonly p50_ms: Compared
  /** P3: the median of the turns' ratios of these; in older results the ratio of the medians. */
  readonly p50_ratio: number
  /** Earnings a second at 32 connections, half of the customers new, and beside them those of pgbench. */
  readonly earnings_per_s: Compared
  readonly reference_per_s: Compared | null
  readonly reads_per_s: Compared
  /** P12: lists, search and pages, p50 in milliseconds. */
  readonly views: readonly (Sizes<number> & { readonly name: string })[]
  /** P11, P13, P14. */
  readonly verify: Beside & { readonly entries: number }
  readonly preview: Beside
  readonly close: Beside
  readonly backup_s: number
  readonly restore_s: number
  readonly ledger_differences: number
}

interface Side {
  readonly server: BenchServer
  readonly database: BenchDatabase
  readonly keys: readonly MerchantKeys[]
  readonly sides: Sides
  readonly figures_s: number
}

/**
 * Measures P3, P8, P11, P12, P13 and P14: a database with so many orders beside one with 10,000, each with its own server
 * without background work, measured in turns.
 */
export async function benchGrowth(options: GrowthBenchOptions): Promise<GrowthBenchResult> {
  const servers: BenchServer[] = []
  const start = async () => {
    const server = await startBenchServer(['max_wal_size = 4GB'], { NUQTA_ROLE: 'api' })
    servers.push(server)
    return server
  }
  try {
    const small = await fill(await start(), { orders: smallOrders, customers: smallCustomers })
    options.progress(`writing ${options.orders.toLocaleString('en')} orders`)
    const began_ms = performance.now()
    const customers = Math.max(smallCustomers, Math.round(options.orders / ordersEach))
    const grown = await fill(await start(), { orders: options.orders, customers })
    const { figures_s } = grown
    const load_s = (performance.now() - began_ms) / 1000 - figures_s
    options.progress(`written in ${load_s.toFixed(0)} s, their daily figures in ${figures_s.toFixed(0)} s`)
    try {
      const whole = await measureWhole(grown, options)
      const both = await compare({ small, grown }, options)
      const copied = await measureCopies(grown.server, options)
      return {
        database: small.server.database,
        orders: options.orders,
        customers,
        load_s,
        figures_s,
        ...whole,
        ...both,
        ...copied,
      }
    } finally {
      for (const { database } of [small, grown]) await database.close()
    }
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function fill(server: BenchServer, size: { readonly orders: number; readonly customers: number }): Promise<Side> {
  const database = await openBenchDatabase(server)
  const keys = await makeMerchants(server, merchantCount)
  const [first] = keys
  if (first === undefined) throw new Error('the bench has no merchants')
  const every_ms = Math.max(1, Math.floor((days * day_ms) / size.orders))
  await database.asOwner(customersSql(first.program_id, size.customers))
  for (const sql of growSql({
    ...{ program_id: first.program_id, merchants: merchantCount, ...size },
    ...{ first_merchant: Math.min(...keys.map(({ merchant_id }) => merchant_id)) },
    ...{ from_ms: Date.now() - every_ms * size.orders - 60_000, every_ms },
  }))
    await database.asOwner(sql)
  const figures_s = await secondsOf(() => makeDailyFigures(database.connection))
  // Autovacuum would have done this while the orders came in.
  await database.asOwner('vacuum analyze')
  // After years the disk has all pages; the kernel would write them beside what is measured.
  await promisify(execFile)('sync')
  const sides = await prepareSides(server, database, { keys, known: size.customers })
  return { server, database, keys, sides, figures_s }
}

async function compare(
  sides: Sizes<Side>,
  { duration_s, progress }: GrowthBenchOptions,
): Promise<
  Pick<GrowthBenchResult, 'p50_ms' | 'p50_ratio' | 'earnings_per_s' | 'reference_per_s' | 'reads_per_s' | 'views'>
> {
  const customers: Customers = 'half new'
  progress('warming up')
  for (const { sides: earn } of [sides.small, sides.grown]) await earn.http(32, customers, warmUp_s)
  progress('one earning at a time')
  const p50_ms = await inTurns(sides, async (one) => (await one.sides.http(1, customers, duration_s)).p50_ms)
  progress('earnings on 32 connections')
  const earnings_per_s = await inTurns(
    sides,
    async (one) => (await one.sides.http(32, customers, duration_s)).per_second,
  )
  progress('the same by pgbench')
  const reference_per_s = await compareReference(sides, duration_s)
  progress('reads of orders')
  const reads_per_s = await inTurns(sides, async ({ server, database, keys }) => {
    const reads = await findReads(database.db, keys)
    return acceptedPerSecond(await measureReads(server, reads, { connections: 32, duration_s }))
  })
  progress('lists, search and pages')
  // The orders of the runs before are in the figures too, as they would be with background work.
  for (const { database } of [sides.small, sides.grown]) await makeDailyFigures(database.connection)
  const [few, many] = [await viewsOf(sides.small), await viewsOf(sides.grown)]
  const views = few.map(({ name, p50_ms: shown_ms }, n) => ({
    name,
    small: shown_ms,
    grown: many[n]?.p50_ms ?? Number.NaN,
  }))
  return {
    p50_ms,
    p50_ratio: p50_ms.ratio ?? Number.NaN,
    earnings_per_s,
    reference_per_s,
    reads_per_s,
    views,
  }
}

/** Null without pgbench. */
async function compareReference({ small, grown }: Sizes<Side>, duration_s: number): Promise<Compared | null> {
  if (small.sides.reference === null || grown.sides.reference === null) return null
  const calls = { small: small.sides.reference, grown: grown.sides.reference }
  return inTurns(calls, async (call) => (await call(8, 'half new', duration_s)).per_second)
}

function viewsOf({ server, database, keys }: Side): Promise<readonly ViewResult[]> {
  return measureViews(server, database.db, keys)
}

/** Measures the work that reads a whole database, beside earnings. */
async function measureWhole(
  { server, keys, sides }: Side,
  { progress }: GrowthBenchOptions,
): Promise<Pick<GrowthBenchResult, 'verify' | 'preview' | 'close' | 'ledger_differences'>> {
  await sides.http(32, 'half new', warmUp_s)
  const measured = async (what: string, ...command: string[]) => {
    progress(`${what}, beside earnings`)
    const one = await beside(server, keys, () => server.command(...command))
    progress(`${what}: ${one.seconds.toFixed(1)} s`)
    return one
  }
  const { output, ...verify } = await measured('verifying the ledger', 'ledger', 'verify')
  const [{ differences, entries }] = output as [{ differences: unknown[]; entries: number }]
  const { output: _shown, ...preview } = await measured('settlement preview', 'settlement', 'preview')
  const { output: _closed, ...close } = await measured('settlement close', 'settlement', 'close', '--yes')
  return { verify: { ...verify, entries }, preview, close, ledger_differences: differences.length }
}

/** Backup and restore, alone. */
async function measureCopies(
  server: BenchServer,
  { progress }: GrowthBenchOptions,
): Promise<Pick<GrowthBenchResult, 'backup_s' | 'restore_s'>> {
  progress('backup')
  const file = join(server.folder, 'grown.backup')
  const backup_s = await secondsOf(() => server.command('backup', file))
  progress('restore')
  const restored = join(server.folder, 'restored')
  await mkdir(restored, { mode: 0o700 })
  await copyFile(join(server.data_dir, 'secret.key'), join(restored, 'secret.key'))
  return { backup_s, restore_s: await secondsOf(() => server.command('restore', file, '--data-dir', restored)) }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began_ms = performance.now()
  await work()
  return (performance.now() - began_ms) / 1000
}
