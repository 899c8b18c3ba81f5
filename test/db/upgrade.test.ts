import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import { schemaState } from '../../src/db/prepare.ts'
import { verifyLedger } from '../../src/db/verify.ts'
import { showWallet } from '../../src/features/customers/service.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { listOrders, showOrder } from '../../src/features/orders/list.ts'
import { cloneDatabase } from '../support/database.ts'
import { numberOf, numbers_with_rows, runRelease, uncollected } from '../support/releases.ts'
import { at, connected, freshName } from '../support/server.ts'
import { readTree } from '../support/tree.ts'

// A deployment of any release can be upgraded, with what it has stored: rows are added after each migration as the release
// of that time wrote them, and from each of these schemas the database is migrated to today's.

const { admin_url } = inject('server')
const upgraded = new Date('2026-02-10T00:00:00Z')
const names = readTree('migrations/*.sql').map(({ path }) => path.replace('migrations/', ''))
/** The releases that add rows: an upgrade from any other is part of the upgrade from the one before it. */
const with_rows = names.filter((name) => numbers_with_rows.includes(numberOf(name)))

/** The wallet of the customer after the rows of each migration. */
const wallets: Readonly<Record<string, { posted: number; held: number }>> = {
  '0002': { posted: 500, held: 0 },
  '0003': { posted: 1300, held: 0 },
  '0005': { posted: 1850, held: 0 },
  '0010': { posted: 1850, held: 100 },
}
/** The orders that the rows of each migration add. */
const orders: Readonly<Record<string, number>> = { '0003': 3, '0005': 3, '0007': 1, '0010': 1, '0015': 1 }

const upTo = <T>(table: Readonly<Record<string, T>>, name: string): T[] =>
  Object.entries(table).flatMap(([number, value]) => (number <= numberOf(name) ? [value] : []))

/** The database that has gone through every release so far. */
const chain = freshName()
const made = [chain]

function onDatabase<T>(name: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = new Database(at(admin_url, { database: name }), { size: 2, query_timeout_ms: 60_000 })
  return work(db).finally(() => db.close())
}

beforeAll(() => connected(admin_url, (admin) => admin.script(`create database ${chain}`)))
afterAll(() =>
  connected(admin_url, async (admin) => {
    for (const name of made) await admin.script(`drop database if exists ${name} with (force)`)
  }),
)

/** The releases that the chain has gone through. */
let passed = 0

/** Brings the chain to a release, with the rows of each on the way; gives a copy of it. */
async function releaseOf(name: string): Promise<string> {
  const migrations = await readMigrations()
  await onDatabase(chain, async (db) => {
    for (const next of names.slice(passed, names.indexOf(name) + 1)) {
      const migration = migrations.find((one) => one.name === next)
      if (migration === undefined) throw new Error(`there is no migration ${next}`)
      await runRelease(db, migration)
      passed += 1
    }
  })
  const copy = freshName()
  made.push(copy)
  await cloneDatabase(chain, copy)
  return copy
}

async function countRows(db: Database): Promise<Readonly<Record<string, number>>> {
  const tables = await db.run<{ name: string }>({
    text: `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname <> 'schema_migration' order by 1`,
    values: [],
  })
  const count = (name: string) => `select '${name}' as name, count(*)::int as rows from ${name}`
  const text = tables.map(({ name }) => count(name)).join(' union all ')
  const counts = await db.run<{ name: string; rows: number }>({ text, values: [] })
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
}

describe('rows of old releases', () => {
  it('are of migrations that exist', () => {
    expect(numbers_with_rows.filter((number) => !names.some((name) => numberOf(name) === number))).toEqual([])
    expect(numbers_with_rows.length).toBeGreaterThan(10)
  })

  it.each(with_rows)('from %s on are kept and can be read after an upgrade', async (name) => {
    const copy = await releaseOf(name)
    await onDatabase(copy, async (db) => {
      const before = await countRows(db)
      await migrate(db, { now: upgraded })
      expect(await schemaState(db)).toEqual({ pending: [], foreign: [] })
      expect(await countRows(db)).toMatchObject(before)
      const { differences } = await verifyLedger(db)
      expect(differences).toMatchObject(numberOf(name) < '0029' ? [] : [uncollected])
      await readEverything(db, name)
    })
  })

  it('fill every table in the end, so that no migration meets an empty one', async () => {
    const counts = await onDatabase(chain, countRows)
    expect(Object.entries(counts).filter(([, rows]) => rows === 0)).toEqual([])
  })
})

/** Reads the rows of a release as today's service does. */
async function readEverything(db: Database, name: string): Promise<void> {
  const wallet = upTo(wallets, name).at(-1)
  if (wallet === undefined) return
  expect(await showWallet(db, 1, '0511111111')).toMatchObject(wallet)
  const merchant = await createAuthenticate(db)('private', 'sk_test_00000000000000000000000000')
  expect(merchant).toMatchObject({ program_id: 1, merchant_id: 1, name: 'Corner Café', verified: true })
  const list = await listOrders(db, { program_id: 1 }, { before: undefined, size: 100, now: upgraded })
  expect(list).toHaveLength(upTo(orders, name).reduce((sum, count) => sum + count, 0))
  for (const { uuid } of list) expect(await showOrder(db, uuid, upgraded)).toMatchObject({ uuid })
}
