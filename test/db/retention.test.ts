import { expect, it } from 'vitest'
import { dropOldPartitions, ensurePartitions } from '../../src/db/partitions.ts'
import { uuidV7Floor } from '../../src/domain/ids.ts'
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
  const ids = ['2023-01-01', '2026-06-01'].map((day) => uuidV7Floor(Date.parse(day)))
  for (const id of ids) {
    await database.owner.run({
      text: `insert into delivery_attempt_default (program_id, delivery_id, series, attempt, started_at)
        values (1, $1, 1, 1, '2026-01-01Z')`,
      values: [id],
    })
  }
  await dropOldPartitions(database.owner, new Date('2026-12-01T00:00:00Z'), 400)
  const left = await database.owner.run({ text: 'select delivery_id from delivery_attempt_default', values: [] })
  expect(left).toEqual([{ delivery_id: ids[1] }])
})
