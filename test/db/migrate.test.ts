import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { renderSchemaSql, renderSchemaTypes } from '../../src/db/catalogue.ts'
import { MigrationError, migrate, readMigrations } from '../../src/db/migrate.ts'
import { ensurePartitions } from '../../src/db/partitions.ts'
import { Database } from '../../src/db/pool.ts'
import { schemaState } from '../../src/db/prepare.ts'
import { cloneDatabase } from '../support/database.ts'
import { at, connected, freshName } from '../support/server.ts'

const { admin_url, service, template } = inject('server')
const made: { name: string; pools: Database[] }[] = []

type Pools = [Database, ...Database[]]

/** Pools of its owner for several processes on a new database. */
function poolsOn(name: string, count: number): Pools {
  const place = at(admin_url, { database: name })
  // As long as an operator's migration may take: building an index waits for every older statement.
  const connect = () => new Database(place, { size: 2, query_timeout_ms: 21_600_000 })
  const pools: Pools = [connect(), ...Array.from({ length: count - 1 }, connect)]
  made.push({ name, pools })
  return pools
}

async function emptyDatabase(count: number): Promise<Pools> {
  const name = freshName()
  await connected(admin_url, (admin) => admin.script(`create database ${name}`))
  return poolsOn(name, count)
}

/** A copy of the run's template, which `migrate` has brought up to this version, with the rights of the service. */
async function migratedDatabase(count: number): Promise<Pools> {
  const name = freshName()
  await cloneDatabase(template, name)
  return poolsOn(name, count)
}

/** One whose months are those that `migrate` makes at this time. */
async function migratedAt(now: string, count: number): Promise<Pools> {
  const pools = await migratedDatabase(count)
  const [owner] = pools
  const months = await owner.run<{ name: string }>({
    text: `select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhparent
      where relkind = 'p' and inhrelid::regclass::text ~ '_\\d{4}_\\d\\d$'`,
    values: [],
  })
  await owner.script(`drop table ${months.map(({ name }) => name).join()}`)
  await migrate(owner, { now: new Date(now) })
  return pools
}

afterEach(async () => {
  for (const { name, pools } of made.splice(0)) {
    await Promise.all(pools.map((pool) => pool.close()))
    await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
  }
})

const all = async () => (await readMigrations()).map(({ name }) => name)

async function partitions(db: Database): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    text: `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass order by 1`,
    values: [],
  })
  return rows.map(({ name }) => name).filter((name) => name !== 'event_default')
}

describe('migrate', () => {
  it('brings an empty database up to this version, and then finds nothing to do', async () => {
    const [owner] = await emptyDatabase(1)
    expect(await schemaState(owner)).toEqual({ pending: await all(), foreign: [] })
    expect(await migrate(owner, { service: service.user })).toEqual(await all())
    expect(await migrate(owner, { service: service.user })).toEqual([])
    expect(await schemaState(owner)).toEqual({ pending: [], foreign: [] })
  })

  it('applies each migration once when several processes run it, grants included, and none fails', async () => {
    const owners = await emptyDatabase(4)
    const applied = await Promise.all(owners.map((owner) => migrate(owner, { service: service.user })))
    expect(applied.flat().sort()).toEqual(await all())
    for (let round = 0; round < 5; round += 1)
      expect(await Promise.all(owners.map((owner) => migrate(owner, { service: service.user })))).toEqual([
        [],
        [],
        [],
        [],
      ])
  })

  it('refuses a database of a later version, and leaves it unchanged', async () => {
    const [owner] = await migratedDatabase(1)
    await owner.script(`insert into schema_migration values ('9999_later.sql', 'x', now())`)
    await expect(migrate(owner)).rejects.toThrow(MigrationError)
    await expect(migrate(owner)).rejects.toThrow('9999_later.sql')
    expect((await schemaState(owner)).foreign).toEqual(['9999_later.sql'])
  })

  it('refuses a database with another text of a migration', async () => {
    const [owner] = await migratedDatabase(1)
    await owner.script(`update schema_migration set checksum = 'x' where name like '0002%'`)
    await expect(migrate(owner)).rejects.toThrow(/0002.* is not the one/)
  })
})

describe('a migration that builds an index concurrently', () => {
  const sql = `-- A text like 'concurrently' is no such migration.
    drop index concurrently if exists orders_created_idx;
    create index concurrently orders_created_idx on orders (program_id, created_at)`
  const index = `select indisvalid as valid from pg_index where indexrelid = to_regclass('orders_created_idx')`

  it('runs once when several processes start it, and again after an interruption', async () => {
    const owners = await migratedDatabase(3)
    const [owner] = owners
    const migrations = [...(await readMigrations()), { name: '9998_index.sql', checksum: 'x', sql }]
    // An interrupted build leaves an index that is not valid.
    await owner.script('create index orders_created_idx on orders (program_id, created_at)')
    await owner.script(`update pg_index set indisvalid = false where indexrelid = to_regclass('orders_created_idx')`)
    const applied = await Promise.all(owners.map((one) => migrate(one, { migrations })))
    expect(applied.flat()).toEqual(['9998_index.sql'])
    expect(await owner.run({ text: index, values: [] })).toEqual([{ valid: true }])
  })

  it('is tried again when it fails', async () => {
    const [owner] = await migratedDatabase(1)
    const known = await readMigrations()
    const wrong = { name: '9998_index.sql', checksum: 'x', sql: `${sql}; select 1 / 0` }
    await expect(migrate(owner, { migrations: [...known, wrong] })).rejects.toThrow('division by zero')
    expect(await migrate(owner, { migrations: [...known, { ...wrong, sql }] })).toEqual(['9998_index.sql'])
  })
})

describe('partitions of events', () => {
  it.each([
    ['2026-01-31T23:59:59.999Z', '2026_01 2026_02 2026_03 2026_04'],
    ['2026-02-28T12:00:00Z', '2026_02 2026_03 2026_04 2026_05'],
    ['2026-12-31T23:59:59Z', '2026_12 2027_01 2027_02 2027_03'],
    ['2028-10-31T00:00:00+03:00', '2028_10 2028_11 2028_12 2029_01'],
  ])('at %s are those of %s', async (now, months) => {
    const [owner] = await migratedAt(now, 1)
    expect(await partitions(owner)).toEqual(months.split(' ').map((month) => `event_${month}`))
    expect(await ensurePartitions(owner, new Date(now))).toEqual([])
  })

  it('have no gaps, and take every id of their months', async () => {
    const [owner] = await migratedAt('2026-01-31T00:00:00Z', 1)
    expect(await ensurePartitions(owner, new Date('2026-03-01T00:00:00Z'))).toEqual(
      ['event', 'delivery', 'delivery_attempt'].flatMap((table) => [`${table}_2026_05`, `${table}_2026_06`]),
    )
    const months = [
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-06-30T23:59:59.999Z',
    ]
    for (const instant of months) {
      const time = Date.parse(instant).toString(16).padStart(12, '0')
      for (const tail of ['7000-8000-000000000000', '7fff-bfff-ffffffffffff'])
        await owner.script(`insert into event values
          (1, '${time.slice(0, 8)}-${time.slice(8)}-${tail}', 1, gen_random_uuid(), 'approved', '{}', now())`)
    }
    const [stray] = await owner.run<{ rows: number }>({
      text: 'select count(*) as rows from event_default',
      values: [],
    })
    expect(stray?.rows).toBe(0)
  })

  it('are created once by concurrent runs', async () => {
    const owners = await migratedAt('2026-01-31T00:00:00Z', 4)
    const later = new Date('2027-01-31T00:00:00Z')
    await Promise.all(owners.map((owner) => ensurePartitions(owner, later)))
    expect((await partitions(owners[0])).slice(-4)).toEqual(
      ['2027_01', '2027_02', '2027_03', '2027_04'].map((month) => `event_${month}`),
    )
  })

  it('take events from the default partition when they are created late', async () => {
    const [owner] = await migratedAt('2026-01-31T00:00:00Z', 1)
    const time = Date.parse('2026-09-15T00:00:00Z').toString(16).padStart(12, '0')
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
    await owner.script(`insert into event values (1, '${id}', 1, gen_random_uuid(), 'approved', '{"a": 1}', now())`)
    expect(await ensurePartitions(owner, new Date('2026-09-20T00:00:00Z'))).toContain('event_2026_09')
    const rows = await owner.run({
      text: 'select event_id, payload, tableoid::regclass::text as place from event',
      values: [],
    })
    expect(rows).toEqual([{ event_id: id, payload: { a: 1 }, place: 'event_2026_09' }])
  })
})

describe('the role of the service', () => {
  const roleOf = (name: string) => new Database(at(admin_url, { database: name, ...service }), { size: 1 })

  it('can add ledger entries and events, but neither change nor delete them', async () => {
    await migratedDatabase(1)
    const role = roleOf(made[0]?.name ?? '')
    made[0]?.pools.push(role)
    for (const table of ['transfer', 'entry', 'event']) {
      await role.script(`select * from ${table}; insert into ${table} select * from ${table} where false`)
      for (const text of [`update ${table} set created_at = now()`, `delete from ${table}`, `truncate ${table}`])
        await expect(role.script(text), text).rejects.toMatchObject({ code: '42501' })
    }
    for (const table of ['hold', 'order_refund', 'account', 'customer', 'merchant', 'program'])
      await expect(role.script(`delete from ${table}`), table).rejects.toMatchObject({ code: '42501' })
    for (const text of [
      'drop table event',
      'create table mine ()',
      'delete from schema_migration',
      'delete from event_default',
    ])
      await expect(role.script(text), text).rejects.toMatchObject({ code: '42501' })
    await role.script('select * from schema_migration; update account set posted = 0; delete from api_key')
  })

  it('loses excess rights when the migrations run again', async () => {
    const [owner] = await migratedDatabase(1)
    await owner.script(`grant update, delete on entry to ${service.user}`)
    await migrate(owner, { service: service.user })
    const role = roleOf(made[0]?.name ?? '')
    made[0]?.pools.push(role)
    await expect(role.script('delete from entry')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('the files generated from the catalogues', () => {
  const committed = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

  it('equals the committed files, on any PostgreSQL, with or without monthly partitions', async () => {
    const [owner] = await migratedDatabase(1)
    const texts = await Promise.all([renderSchemaSql(owner), renderSchemaTypes(owner)])
    expect(texts).toEqual(await Promise.all(['schema.sql', 'src/db/schema.ts'].map(committed)))
    await ensurePartitions(owner, new Date('2031-01-01T00:00:00Z'))
    expect(await renderSchemaSql(owner)).toBe(texts[0])
    expect(await renderSchemaTypes(owner)).toBe(texts[1])
  })
})
