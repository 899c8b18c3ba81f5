import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Beside, beside } from './beside.ts'
import { makeDailyFigures } from './daily-figures.ts'
import { type Filled, fill, secondsOf } from './filled.ts'
import { acceptedPerSecond } from './load.ts'
import { measureReads, readOf } from './reads.ts'
import type { Customers } from './reference.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { type Compared, inTurns, type Sizes } from './sizes.ts'
import { signIn, timeView, views } from './views.ts'

const smallOrders = 10_000
const smallCustomers = 20_000
/** Orders of one customer in the grown database. */
const ordersEach = 10
/** About as many as are read within a turn. */
const readsOfTurn = 50_000
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
  /** Of any orders; in older results of the newest of each merchant. */
  readonly reads_per_s: Compared
  /** P12: lists, search and pages, p50 in milliseconds. In older results each is of one address, which was asked 40 times. */
  readonly views: readonly (Compared & { readonly name: string })[]
  /** P11, P13, P14. */
  readonly verify: Beside & { readonly entries: number }
  readonly preview: Beside
  readonly close: Beside
  readonly backup_s: number
  readonly restore_s: number
  readonly ledger_differences: number
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
    const customers = Math.max(smallCustomers, Math.round(options.orders / ordersEach))
    const grown = await fill(await start(), { orders: options.orders, customers })
    const { load_s, figures_s } = grown
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

async function compare(
  sides: Sizes<Filled>,
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
  const reads_per_s = await inTurns(sides, async ({ server, choose }) => {
    const reads = Array.from({ length: readsOfTurn }, choose).map((of) => readOf(of.order_uuid, of.private_key))
    return acceptedPerSecond(await measureReads(server, reads, { connections: 32, duration_s }))
  })
  progress('lists, search and pages')
  return {
    p50_ms,
    p50_ratio: p50_ms.ratio ?? Number.NaN,
    earnings_per_s,
    reference_per_s,
    reads_per_s,
    views: await compareViews(sides),
  }
}

/** Null without pgbench. */
async function compareReference({ small, grown }: Sizes<Filled>, duration_s: number): Promise<Compared | null> {
  if (small.sides.reference === null || grown.sides.reference === null) return null
  const calls = { small: small.sides.reference, grown: grown.sides.reference }
  return inTurns(calls, async (call) => (await call(8, 'half new', duration_s)).per_second)
}

async function compareViews({ small, grown }: Sizes<Filled>): Promise<GrowthBenchResult['views']> {
  // The orders of the runs before are in the figures too, as they would be with background work.
  for (const { database } of [small, grown]) await makeDailyFigures(database.connection)
  const signedIn = {
    small: { ...small, cookie: await signIn(small.server) },
    grown: { ...grown, cookie: await signIn(grown.server) },
  }
  const found: (Compared & { readonly name: string })[] = []
  for (const view of views)
    found.push({ name: view.name, ...(await inTurns(signedIn, (one) => timeView(one, view, one.cookie))) })
  return found
}

/** Measures the work that reads a whole database, beside earnings. */
async function measureWhole(
  filled: Filled,
  { progress }: GrowthBenchOptions,
): Promise<Pick<GrowthBenchResult, 'verify' | 'preview' | 'close' | 'ledger_differences'>> {
  const { server, sides } = filled
  await sides.http(32, 'half new', warmUp_s)
  const measured = async (what: string, ...command: string[]) => {
    progress(`${what}, beside earnings`)
    const one = await beside(filled, () => server.command(...command))
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
