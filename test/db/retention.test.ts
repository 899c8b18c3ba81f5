import { expect, it, onTestFinished, vi } from 'vitest'
import { dropOldPartitions, ensurePartitions } from '../../src/db/partitions.ts'
import { uuidV7Floor } from '../../src/domain/ids.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// Guarantee: expired months of events and deliveries are dropped as partitions, and nothing younger is.

const database = testDatabase({ leaves: ['ledger differences'] })
const tables = ['event', 'delivery', 'delivery_attempt']

async function partitions(): Promise<string[]> {
  const rows = await database.owner.run<{ name: string }>({
    text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('event'::regclass, 'delivery'::regclass, 'delivery_attempt'::regclass) order by c.relname`,
    values: [],
  })
  return rows.map(({ name }) => name).filter((name) => /_202[45]_/.test(name))
}

it('drops the months that ended before the retention time, and no other', async () => {
  await ensurePartitions(database.owner, new Date('2024-11-15T00:00:00Z'))
  expect(await partitions()).toHaveLength(12)
  // 30 days earlier is 1 January, 00:00: December has just ended.
  const dropped = await dropOldPartitions(database.owner, new Date('2025-01-31T00:00:00Z'), 30)
  expect(dropped.sort()).toEqual(tables.flatMap((table) => [`${table}_2024_11`, `${table}_2024_12`]).sort())
  expect(await partitions()).toEqual(tables.flatMap((table) => [`${table}_2025_01`, `${table}_2025_02`]).sort())
  expect(await dropOldPartitions(database.owner, new Date('2025-01-31T00:00:00Z'), 30)).toEqual([])
})

it('deletes expired rows of the default partition', async () => {
  const { program_id } = await makeMerchant(database.db)
  const ids = ['2023-01-01', '2026-06-01'].map((day) => uuidV7Floor(Date.parse(day)))
  for (const id of ids) {
    await database.owner.run({
      text: `insert into delivery_attempt_default (program_id, delivery_id, series, attempt, started_at)
        values ($1, $2, 1, 1, '2026-01-01Z')`,
      values: [program_id, id],
    })
  }
  await dropOldPartitions(database.owner, new Date('2026-12-01T00:00:00Z'), 400)
  const left = await database.owner.run({ text: 'select delivery_id from delivery_attempt_default', values: [] })
  expect(left).toEqual([{ delivery_id: ids[1] }])
})

// Where nobody made the months, everything is in the default partition. All that had expired there was deleted by one statement:
// a process that stopped before its end had deleted nothing.
it('deletes them a few at a time', async () => {
  const { owner } = database
  const most = 2
  await owner.transaction((tx) =>
    tx.script(
      `create function refuse_many() returns trigger language plpgsql as $$ begin
         if (select count(*) from gone) > ${most} then raise exception 'too many rows in one statement'; end if;
         return null;
       end $$;
       create trigger refuse_many after delete on delivery_attempt_default referencing old table as gone
         for each statement execute function refuse_many()`,
    ),
  )
  await owner.run({
    text: `insert into delivery_attempt_default (program_id, delivery_id, series, attempt, started_at)
      select $1, $2, 1, attempt, '2026-01-01Z' from generate_series(1, 5) as attempt`,
    values: [(await makeMerchant(database.db)).program_id, uuidV7Floor(Date.parse('2023-01-01'))],
  })
  await dropOldPartitions(owner, new Date('2026-12-01T00:00:00Z'), 400, { batch: most })
  expect(await owner.run({ text: 'select from delivery_attempt_default', values: [] })).toHaveLength(1)
})

// Processes that start together look for old months together.
it('drops a month that another process drops at the same moment', async () => {
  const { owner } = database
  await ensurePartitions(owner, new Date('2024-03-15T00:00:00Z'))
  const begin = owner.transaction.bind(owner)
  const late = vi.spyOn(owner, 'transaction').mockImplementationOnce(async (work, options) => {
    await owner.run({ text: 'drop table event_2024_03', values: [] })
    return begin(work, options)
  })
  onTestFinished(() => late.mockRestore())
  await dropOldPartitions(owner, new Date('2024-12-01T00:00:00Z'), 30)
  expect((await partitions()).filter((name) => name.includes('_2024_0'))).toEqual([])
})

// The whole maintenance failed, and raised an alert, whenever a backup was under way.
it('leaves the months of a table that somebody reads to the next run', async () => {
  const { owner } = database
  await ensurePartitions(owner, new Date('2024-05-15T00:00:00Z'))
  const now = new Date('2025-01-01T00:00:00Z')
  const held: string[] = []
  const dropped = await database.db.transaction(async (tx) => {
    await tx.run({ text: 'select from event limit 1', values: [] })
    return dropOldPartitions(owner, now, 30, { onHeld: (table) => held.push(table) })
  })
  expect(held).toEqual(['event'])
  expect([...new Set(dropped.map((name) => name.replace(/_\d.*/, '')))].sort()).toEqual([
    'delivery',
    'delivery_attempt',
  ])
  const later = await dropOldPartitions(owner, now, 30, { onHeld: (table) => held.push(table) })
  expect([held, later.includes('event_2024_05')]).toEqual([['event'], true])
})
