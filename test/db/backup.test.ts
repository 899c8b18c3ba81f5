import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type BackupHeader, chunk_bytes } from '../../src/db/backup/format.ts'
import { checkSeal, openBackup } from '../../src/db/backup/reader.ts'
import { BackupWriter } from '../../src/db/backup/writer.ts'
import { renderSchemaSql } from '../../src/db/catalogue.ts'
import { bookkeepingText, migrate, readMigrations } from '../../src/db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts'
import { ensurePartitions } from '../../src/db/partitions.ts'
import type { Database } from '../../src/db/pool.ts'
import { verifyLedger } from '../../src/db/verify.ts'
import { checkBackup, prepareBackup, type Restored, verifyRestored } from '../../src/features/deployment/backup.ts'
import { requireSecretKey } from '../../src/features/deployment/canary.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { type LedgerFixture, writeLedger } from '../cli/ledger-fixture.ts'
import { backUp, inChunks, keys, quiet, restore } from '../support/backups.ts'
import { cloneDatabase, testDatabase } from '../support/database.ts'
import { at, connected, freshName } from '../support/server.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'

const { admin_url, service, template } = inject('server')
const database = testDatabase({ leaves: ['open holds'] })
const others = createSecretBox('the key of another deployment, which is long too')
const now = new Date()
let ledger: LedgerFixture

beforeAll(async () => {
  ledger = await writeLedger(database.db)
  await claimDeployment(database.db, 'sandbox')
  await requireSecretKey(database.db, keys)
  await database.owner.script(`insert into translation (program_id, target, text, translated, created_at)
    select 1, 'ar', n || E' tab \\t, line \\n, backslash \\\\ and \\\\N', repeat('نقطة', 50), now() from generate_series(1, 3000) as n`)
})

const made: string[] = []
const opened: OpenDatabase[] = []
afterAll(async () => {
  for (const open of opened) await open.close()
  for (const name of made) await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
})

/** An empty database, as the service and its owner reach it. */
async function emptyDatabase(): Promise<OpenDatabase> {
  const name = freshName()
  await connected(admin_url, (admin) => admin.script(`create database ${name}`))
  return openMade(name)
}

/** One that was only migrated. */
async function migratedDatabase(): Promise<OpenDatabase> {
  const name = freshName()
  await cloneDatabase(template, name)
  return openMade(name)
}

async function openMade(name: string): Promise<OpenDatabase> {
  made.push(name)
  const place = {
    database_url: at(admin_url, { database: name, ...service }),
    migration_url: at(admin_url, { database: name }),
  }
  const open = await openDatabase(place, undefined, { as: 'command', progress: quiet, log: quiet, warn: quiet })
  opened.push(open)
  return open
}

/** Every table with a digest of its rows, except the time of the last backup. */
async function contentsOf(db: Database): Promise<Record<string, unknown>[]> {
  const tables = await db.run<{ name: string }>({
    text: `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    values: [],
  })
  const digest = (name: string) =>
    `select '${name}' as name, count(*)::int as rows, md5(coalesce(string_agg((to_jsonb(t) - 'backed_up_at')::text, '|' order by t::text collate "C"), '')) as digest from ${name} t`
  return db.run({ text: `${tables.map(({ name }) => digest(name)).join(' union all ')} order by name`, values: [] })
}

const tablesIn = async ({ owner }: OpenDatabase): Promise<number> =>
  (await owner.run({ text: `select from pg_class where relnamespace = 'public'::regnamespace`, values: [] })).length

describe('a restored backup', () => {
  let open: OpenDatabase
  let restored: Restored
  beforeAll(async () => {
    await ensurePartitions(database.owner, new Date('2026-01-01T00:00:00Z'))
    const bytes = await backUp(database.db)
    await checkSeal(inChunks(bytes))
    open = await emptyDatabase()
    restored = await restore(open, bytes)
  })

  it('has every row, key, index and right of the database it was made of', async () => {
    expect(restored).toMatchObject({ applied: [], rows: expect.any(Number) })
    expect(await contentsOf(open.owner)).toEqual(await contentsOf(database.owner))
    expect(await renderSchemaSql(open.owner)).toBe(await renderSchemaSql(database.owner))
    const found = await verifyLedger(open.service)
    expect(found).toEqual(await verifyLedger(database.db))
    await expect(open.service.script('delete from entry')).rejects.toMatchObject({ code: '42501' })
    const invalid =
      'select from pg_index where not indisvalid union all select from pg_constraint where not convalidated'
    expect(await open.owner.run({ text: invalid, values: [] })).toEqual([])
  })

  // The delivery queue has fixed statistics (migration 0009): without them its plans walk the whole queue.
  it('has statistics, the fixed ones of a migration included', async () => {
    const text = `select attname, n_distinct from pg_stats where tablename = 'delivery_queue' order by 1`
    const statistics = await database.owner.run({ text, values: [] })
    expect(statistics.length).toBeGreaterThan(5)
    expect(await open.owner.run({ text, values: [] })).toEqual(statistics)
    const [orders] = await open.owner.run({
      text: `select from pg_stats where tablename = 'orders' limit 1`,
      values: [],
    })
    expect(orders).toBeDefined()
  })

  it('numbers new rows after those it has', async () => {
    const next = `insert into program (name, account_id, created_at, updated_at)
      values ('Next', gen_random_uuid(), now(), now()) returning program_id`
    const [before] = await open.owner.run<{ last: number }>({
      text: 'select max(program_id) as last from program',
      values: [],
    })
    const [row] = await open.service.run<{ program_id: number }>({ text: next, values: [] })
    expect(row?.program_id).toBe((before?.last ?? 0) + 1)
  })

  it('of an older schema is brought up to this version', async () => {
    const old = await emptyDatabase()
    const migrations = (await readMigrations()).filter(({ name }) => name < '0012')
    await migrate(old.owner, { migrations, service: service.user })
    await old.owner.script(`insert into deployment (environment, created_at) values ('sandbox', now())`)
    const bytes = await backUp(old.service)
    const { header } = await openBackup(inChunks(bytes))
    expect(header.migrations).toHaveLength(migrations.length)
    const newer = await emptyDatabase()
    const later = (await readMigrations()).map(({ name }) => name).filter((name) => name >= '0012')
    expect((await restore(newer, bytes)).applied).toEqual(later)
    expect(await renderSchemaSql(newer.owner)).toBe(await renderSchemaSql(database.owner))
  })
})

// Version 1 has rows as a COPY of texts writes them. The file is of the schema before migration 0012.
describe('a backup of the first format', () => {
  it('is restored as well', async () => {
    const bytes = await readFile(new URL('backups/format-1.backup', import.meta.url))
    await checkSeal(inChunks(bytes))
    const open = await emptyDatabase()
    await restore(open, bytes)
    const text = `select d.created_at, m.name, encode(k.private_key_hash, 'hex') as hash
      from deployment d cross join merchant m join api_key k using (program_id, merchant_id)`
    expect(await open.service.run({ text, values: [] })).toEqual([
      {
        created_at: new Date('2026-01-01T00:00:00.123456Z'),
        name: "O'Neil \\ \\N",
        hash: '00ff5c0a'.repeat(8),
      },
    ])
    const translations = `select count(*)::integer as texts, min(text collate "C") as text, max(translated) as translated
      from translation`
    expect(await open.service.run({ text: translations, values: [] })).toEqual([
      { texts: 300, text: '1 tab \t, line \n, backslash \\ and \\N', translated: 'نقطة'.repeat(50) },
    ])
  })
})

describe('a backup', () => {
  it('blocks no writer, and has the rows of one moment', async () => {
    const before = await verifyLedger(database.db)
    let earned = false
    const bytes = await backUp(database.db, async (table) => {
      if (table !== 'customer' || earned) return
      earned = true
      await database.db.transaction(async (tx) => {
        await tx.run({
          text: 'update program set updated_at = $1 where program_id = $2',
          values: [now, ledger.program_id],
        })
      })
      // Change a table after the moment of the backup, but before the backup reads it.
      await database.owner.script(`insert into translation (program_id, target, text, translated, created_at)
        values (1, 'en', 'written meanwhile', '', now())`)
    })
    expect(earned).toBe(true)
    const open = await emptyDatabase()
    await restore(open, bytes)
    const late = `select from translation where text = 'written meanwhile'`
    expect(await database.db.run({ text: late, values: [] })).toHaveLength(1)
    expect(await open.service.run({ text: late, values: [] })).toEqual([])
    expect(await verifyLedger(open.service)).toEqual(before)
  })

  it('postpones new partitions, and nobody queues behind it', async () => {
    const year = new Date('2035-01-01T00:00:00Z')
    let made_meanwhile: readonly string[] | undefined
    const held = Promise.withResolvers<void>()
    const parts: Buffer[] = []
    const writing = (await prepareBackup(database.db, keys)).write(
      { write: (bytes) => held.promise.then(() => void parts.push(bytes)) },
      quiet,
    )
    const reading = `select from pg_locks l join pg_stat_activity a using (pid)
      where a.application_name = 'nuqta-copy' and l.relation = 'event'::regclass and l.granted
        and l.database = (select oid from pg_database where datname = current_database())`
    await waitFor(
      'the locks of the backup',
      async () => (await database.owner.run({ text: reading, values: [] })).length > 0,
    )
    try {
      made_meanwhile = await ensurePartitions(database.owner, year)
    } finally {
      held.resolve()
    }
    await writing
    expect(made_meanwhile).toEqual([])
    expect(await ensurePartitions(database.owner, year)).toHaveLength(12)
  })

  it('is refused without the secret key of the database, and where there is none', async () => {
    await expect(prepareBackup(database.db, undefined)).rejects.toThrow(
      'The secret key is missing: set NUQTA_SECRET_KEY',
    )
    await expect(prepareBackup(database.db, others)).rejects.toThrow('The secret key is not the one')
    await expect(prepareBackup((await emptyDatabase()).service, keys)).rejects.toThrow('has not been started yet')
  })

  it('fails when it cannot be written', async () => {
    const full = { write: () => Promise.reject(new Error('no space left')) }
    await expect((await prepareBackup(database.db, keys)).write(full, quiet)).rejects.toThrow('no space left')
  })
})

describe('a backup is not restored', () => {
  let bytes: Buffer
  let header: BackupHeader
  beforeAll(async () => {
    bytes = await backUp(database.db)
    header = (await openBackup(inChunks(bytes))).header
  })

  it('when any byte of it is wrong', async () => {
    for (let at_byte = 0; at_byte < bytes.length; at_byte += Math.ceil(bytes.length / 60)) {
      const damaged = Buffer.from(bytes)
      damaged[at_byte] = (damaged[at_byte] ?? 0) ^ 0x10
      await expect(checkSeal(inChunks(damaged)), `byte ${at_byte}`).rejects.toThrow(/damaged|no backup|later version/)
    }
  })

  it('when it was cut off, or goes on', async () => {
    for (const length of [0, 5, 20, 1_000, Math.floor(bytes.length / 2), bytes.length - 40, bytes.length - 1])
      await expect(checkSeal(inChunks(bytes.subarray(0, length))), `${length} bytes`).rejects.toThrow(
        /damaged|no backup/,
      )
    await expect(checkSeal(inChunks(Buffer.concat([bytes, Buffer.of(0)])))).rejects.toThrow('damaged')
  })

  // From a pipe, the damage shows only after most was loaded.
  it('in part, when the damage shows late; nor into a database with rows, of ours or of another application', async () => {
    const open = await emptyDatabase()
    const middle = Math.floor(bytes.length / 2)
    const wrong = Buffer.concat([bytes.subarray(0, middle), randomBytes(8), bytes.subarray(middle + 8)])
    const wrongSeal = Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)])
    for (const damaged of [bytes.subarray(0, middle), bytes.subarray(0, -1), wrong, wrongSeal]) {
      await expect(restore(open, damaged)).rejects.toThrow('damaged')
      expect(await tablesIn(open)).toBe(0)
    }

    await open.owner.script('create table notes (id bigint)')
    await expect(restore(open, bytes)).rejects.toThrow('tables of another application (notes)')
    await open.owner.script('drop table notes')
    await restore(open, bytes)
    await verifyRestored(open)
    const before = await contentsOf(open.owner)
    await expect(restore(open, bytes)).rejects.toThrow('This database is in use')
    expect(await contentsOf(open.owner)).toEqual(before)
  })

  it('unless the database was only migrated', async () => {
    const open = await migratedDatabase()
    await restore(open, bytes)
    expect(await contentsOf(open.owner)).toEqual(await contentsOf(database.owner))
  })

  it('twice at once: the other restore is told that it came too late', async () => {
    const open = await emptyDatabase()
    const refused = await connected(at(admin_url, { database: made.at(-1) ?? '' }), (first) =>
      first.transaction(async (tx) => {
        await tx.script(bookkeepingText)
        const late = expect(restore(open, bytes)).rejects.toThrow(
          'Another process has made the tables of this database',
        )
        await waitForLocks(first)
        return { late }
      }),
    )
    await refused.late
  })

  it('under another key, as the other environment, or by an earlier version', async () => {
    const sandbox = { environment: 'sandbox' } as const
    await checkBackup(header, sandbox, keys)
    await expect(checkBackup(header, sandbox, undefined)).rejects.toThrow('copy its secret.key into the data directory')
    await expect(checkBackup(header, sandbox, others)).rejects.toThrow('The secret key is not the one')
    const production = { environment: 'production' } as const
    await expect(checkBackup(header, production, keys)).rejects.toThrow('set NUQTA_ENVIRONMENT=sandbox')
    const later = { name: '9999_later.sql', checksum: 'x', applied_at: now.toISOString() }
    const newer = { ...header, migrations: [...header.migrations, later] }
    await expect(checkBackup(newer, sandbox, keys)).rejects.toThrow('9999_later.sql, which this version')
  })

  it('when a table or rows of it are missing', async () => {
    const open = await emptyDatabase()
    const onlyHeader = await writeParts(async (writer) => writer.add({ kind: 'header', header }))
    await expect(restore(open, onlyHeader)).rejects.toThrow('it has no table')
    const short = await writeParts(async (writer) => {
      await writer.add({ kind: 'header', header })
      await writer.add({ kind: 'table', table: 'write_probe', columns: ['singleton', 'probed_at'] })
      await writer.add({ kind: 'rows', data: noRows })
      await writer.add({ kind: 'table end', rows: 1 })
    })
    await expect(restore(open, short)).rejects.toThrow('write_probe lacks rows')
    expect(await tablesIn(open)).toBe(0)
  })
})

/** What a binary COPY of no rows writes: its signature, flags, no extension, and its end. */
const noRows = Buffer.concat([Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1'), Buffer.alloc(8), Buffer.of(0xff, 0xff)])

async function writeParts(work: (writer: BackupWriter) => Promise<void>): Promise<Buffer> {
  const parts: Buffer[] = []
  const writer = new BackupWriter({ write: async (bytes) => void parts.push(bytes) })
  await work(writer)
  await writer.end()
  return Buffer.concat(parts)
}

describe('the parts of a backup', () => {
  it('carry rows of any length unchanged, and keep none in memory longer than needed', async () => {
    const rows = [randomBytes(3 * chunk_bytes + 17), Buffer.alloc(chunk_bytes, 'a'), randomBytes(1)]
    const header = { service: '', environment: '', created_at: '', secret_canary: null, migrations: [], months: [] }
    const bytes = await writeParts(async (writer) => {
      await writer.add({ kind: 'header', header })
      for (const data of rows) await writer.add({ kind: 'rows', data })
      await writer.add({ kind: 'table end', rows: 3 })
    })
    const { parts } = await openBackup(inChunks(bytes))
    const read: Buffer[] = []
    for await (const part of parts) {
      if (part.kind !== 'rows') continue
      expect(part.data.length).toBeLessThanOrEqual(chunk_bytes)
      read.push(part.data)
    }
    expect(Buffer.concat(read).equals(Buffer.concat(rows))).toBe(true)
  })
})
