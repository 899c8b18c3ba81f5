import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clusterSettings, distributeTables, findUndistributed, placements } from '../../src/db/citus.ts'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { dropOldPartitions, ensurePartitions } from '../../src/db/partitions.ts'
import { Database } from '../../src/db/pool.ts'
import { verifyLedger } from '../../src/db/verify.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { showOrder } from '../../src/features/orders/list.ts'
import { dropClusterDatabase, makeClusterDatabase } from '../support/cluster.ts'
import { released, rowsOf, runRelease, uncollected } from '../support/releases.ts'
import { at, freshName } from '../support/server.ts'

// The schema on a real cluster: distribution and later migrations.

const { admin_url, of_workers, service } = inject('server')
/** The migration of the first release that could be spread. */
const first_spread = '0011'
const present_ms = Date.parse('2026-02-10T00:00:00Z')

describe.runIf(of_workers.length > 0)('a database on a cluster', () => {
  const name = freshName()
  /** Owns the tables, and is not a superuser, as in production. */
  const role = { user: freshName(), password: freshName() }
  let owner: Database

  beforeAll(async () => {
    const url = await makeClusterDatabase(admin_url, name)
    const admin = new Database(url, { size: 1, query_timeout_ms: 120_000 })
    await admin.script(`create role ${role.user} login password '${role.password}'`)
    await admin.script(`grant create on schema public to ${role.user}`)
    await admin.close()
    owner = new Database(at(admin_url, { database: name, ...role }), { size: 2, query_timeout_ms: 240_000 })
  })
  afterAll(async () => {
    await owner?.close()
    await dropClusterDatabase(admin_url, name)
  })

  const rows = <Row>(text: string) => owner.run<Row>({ text, values: [] })
  const spread = async () =>
    (
      await rows<{ name: string }>(
        `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'`,
      )
    ).map((row) => row.name)
  const monthsOf = async (table: string) =>
    (
      await rows<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
      )
    ).map((row) => row.name.slice(table.length + 1))

  it('in use is distributed with its rows, even after an interrupted run', async () => {
    for (const migration of (await readMigrations()).filter(({ name }) => name < first_spread))
      await runRelease(owner, migration)
    // Simulate a run that was killed after these statements.
    await owner.script(`set citus.enable_local_reference_table_foreign_keys = off;
      select create_reference_table('deployment'), create_reference_table('program')`)
    expect((await findUndistributed(owner))[0]).toBe('merchant')

    const [first, ...others] = await Promise.all([distributeTables(owner), distributeTables(owner)])
    expect([...first, ...others.flat()].sort()).toEqual((await expected()).slice().sort().filter(notYet))
    expect(await findUndistributed(owner)).toEqual([])
    expect(await rows('select name from program')).toEqual([{ name: 'First' }])
    expect(await rows('select phone from customer where program_id = 1 order by 1')).toEqual([
      { phone: '511111111' },
      { phone: '522222222' },
    ])
    const [made] = await rows<{ program_id: number }>(
      `insert into program (name, account_id, created_at, updated_at) values ('Two', gen_random_uuid(), now(), now())
       returning program_id`,
    )
    expect(made?.program_id).toBe(2)
    // The moved rows are gone from the coordinator.
    const left = await rows<{ bytes: number }>(`select pg_relation_size('customer') as bytes`)
    expect(left).toEqual([{ bytes: 0 }])
  })

  const notYet = (table: string) => !['deployment', 'program'].includes(table)
  const expected = async () => {
    const there = await rows<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )
    return there
      .map((row) => row.name)
      .filter((table) => placements[table] !== undefined && placements[table] !== 'local')
  }

  it('keeps every foreign key, enforced on the nodes', async () => {
    const [keys] = await rows<{ keys: number }>(
      `select count(*)::int as keys from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    expect(keys?.keys).toBeGreaterThan(25)
    await expect(
      owner.script(`insert into account (program_id, account_id, kind, customer_id, posted, held, version, created_at)
        values (1, '${id(8)}', 'customer', '${id(8)}', 0, 0, 0, now())`),
    ).rejects.toMatchObject({ code: '23503' })
  })

  it('is upgraded from every release on, with what that has stored', async () => {
    const all = await readMigrations()
    for (const [place, { name }] of all.entries()) {
      if (name < first_spread) continue
      await migrate(owner, { migrations: all.slice(0, place + 1), now: released })
      await owner.transaction((tx) => tx.script(`${clusterSettings}; ${rowsOf(name)}`))
    }
    expect((await verifyLedger(owner, { programs: [1] })).differences).toMatchObject([uncollected])
    const orders = await rows<{ uuid: Uuid }>('select order_uuid as uuid from orders where program_id = 1')
    expect(orders).toHaveLength(9)
    for (const { uuid } of orders) expect(await showOrder(owner, uuid, released)).toMatchObject({ uuid })
  })

  it('takes later migrations, distributes their tables, and rolls back one that fails', async () => {
    const known = await readMigrations()
    const later = {
      name: '9998_later.sql',
      checksum: 'later',
      sql: `
        -- A table that refers to one that is spread; and one that refers to it.
        create table order_note (
          program_id bigint not null, note_uuid uuid not null, order_uuid uuid not null, text text not null default ';',
          constraint order_note_pkey primary key (program_id, note_uuid),
          constraint order_note_order_fkey foreign key (program_id, order_uuid) references orders (program_id, order_uuid)
        );
        alter table customer add column nickname text;
        alter table customer add constraint customer_nickname_check check (nickname <> '');
        create index customer_nickname_idx on customer (program_id, nickname);
        alter table program add column motto text not null default 'all''s well; ends well';
        update customer set nickname = 'Nono' where phone = '511111111';`,
    }
    await withPlacement('order_note', async () => {
      const broken = { ...later, sql: `${later.sql} select 1 / 0;` }
      await expect(migrate(owner, { migrations: [...known, broken] })).rejects.toThrow('division by zero')
      expect(await rows(`select to_regclass('order_note') as found`)).toEqual([{ found: null }])

      const given = { service: service.user, now: new Date(present_ms) }
      const applied = await migrate(owner, { migrations: [...known, later], ...given })
      expect(applied.at(-1)).toBe('9998_later.sql')
      expect(await spread()).toContain('order_note')
      expect(await findUndistributed(owner)).toEqual([])
    })
    expect(await rows('select nickname from customer where program_id = 1 order by phone limit 1')).toEqual([
      { nickname: 'Nono' },
    ])
    expect(await rows('select distinct motto from program')).toEqual([{ motto: `all's well; ends well` }])
  })

  it('gets the partitions of the next months, and moves rows into them', async () => {
    expect(await monthsOf('event')).toEqual(['2026_01', '2026_02', '2026_03', '2026_04', '2026_05', 'default'])
    const stray = `${idAt('2026-07-15')}-7000-8000-000000000000`
    await owner.script(`insert into event values (1, '${stray}', 1, gen_random_uuid(), 'approved', '{}', now())`)
    expect(await rows('select count(*)::int as rows from event_default')).toEqual([{ rows: 1 }])
    expect(await ensurePartitions(owner, new Date('2026-05-20T00:00:00Z'))).toContain('event_2026_07')
    expect(await rows('select count(*)::int as rows from event_default')).toEqual([{ rows: 0 }])
    expect(
      await rows(
        `select event_id from event where program_id = 1 and event_id >= '${idAt('2026-07-01')}-7000-8000-000000000000'`,
      ),
    ).toEqual([{ event_id: stray }])
    expect(await spread()).toContain('event_2026_07')
  })

  it('drops expired months', async () => {
    expect(await dropOldPartitions(owner, new Date('2026-06-20T00:00:00Z'), 60)).toEqual(
      ['event', 'delivery', 'delivery_attempt'].flatMap((table) =>
        ['2026_01', '2026_02', '2026_03'].map((month) => `${table}_${month}`),
      ),
    )
    expect((await monthsOf('delivery'))[0]).toBe('2026_04')
  })
})

/** Runs `work` with an extra table in `placements`. */
async function withPlacement(table: string, work: () => Promise<void>): Promise<void> {
  const all = placements as Record<string, string>
  all[table] = 'program_id'
  await work().finally(() => delete all[table])
}

const idAt = (day: string): string =>
  Date.parse(`${day}T00:00:00Z`)
    .toString(16)
    .padStart(12, '0')
    .replace(/(.{8})/, '$1-')
const id = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
