import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import type { Earn } from '../../../src/features/earning/service.ts'
import { testDatabase } from '../../support/database.ts'
import { earningMerchants, earningOf, earnOn, freshPhone } from '../../support/earnings.ts'
import { tapWire, type Wire } from '../../support/wire.ts'

// What an earning costs, in counts that are the same on every machine. A change that raises one should do so knowingly.

const database = testDatabase({ leaves: ['due messages'] })
let wire: Wire
let tapped: Database
let earn: Earn

beforeAll(async () => {
  wire = await tapWire(database.url)
  // Use one connection: each batch waits for the one before, and every statement is prepared after the first.
  tapped = database.connectTo(wire.url, { size: 1 })
  earn = earnOn(tapped)
})
afterAll(() => wire.close())

/** Earns once for each merchant, in one batch. */
const batchOf = async (count: number) => {
  const merchants = await earningMerchants(database.db, count)
  const [first] = merchants
  if (first === undefined) throw new Error('no merchant')
  return (phone?: Phone) =>
    Promise.all(merchants.map((merchant) => earn(earningOf(merchant, phone === undefined ? {} : { phone }))))
}

async function rowsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await countAll()
  await work()
  const after = await countAll()
  return Object.fromEntries(
    Object.entries(after).flatMap(([table, count]) => {
      const more = count - (before[table] ?? 0)
      return more === 0 ? [] : [[table, more]]
    }),
  )
}

/** Rows of every table, partitions counted with their parents. */
async function countAll(): Promise<Record<string, number>> {
  const tables = await database.owner.run<{ relname: string }>({
    text: `select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`,
    values: [],
  })
  const counts = tables.map(({ relname }) => `(select count(*) from ${relname}) as ${relname}`)
  return (await database.owner.one<Record<string, number>>({ text: `select ${counts.join(', ')}`, values: [] })) ?? {}
}

/** The number of index entries of these rows, without partial indexes. */
async function indexEntriesOf(rows: Record<string, number>): Promise<number> {
  const indexes = await database.owner.run<{ relname: string; indexes: number }>({
    text: `select c.relname, count(*)::integer as indexes from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = any($1) and i.indpred is null group by c.relname`,
    values: [Object.keys(rows)],
  })
  return indexes.reduce((sum, one) => sum + one.indexes * (rows[one.relname] ?? 0), 0)
}

describe('an earning', () => {
  it('alone takes eleven prepared statements in two round trips', async () => {
    const once = await batchOf(1)
    await once()
    const { bytes_sent, ...said } = await wire.listen(() => once())
    expect(said).toEqual({ parsed: 0, statements: 11, round_trips: 2 })
    expect(bytes_sent).toBeLessThan(2_800)
  })

  it('in a batch of 32 takes as many together', async () => {
    const all = await batchOf(32)
    await all()
    const { bytes_sent, ...said } = await wire.listen(() => all())
    expect(said).toEqual({ parsed: 0, statements: 11, round_trips: 2 })
    expect(bytes_sent / 32).toBeLessThan(1_550)
  })

  // A cluster's own planner looks at the values of every statement.
  it.skipIf(inject('server').of_workers.length > 0)(
    'alone is not planned anew, though all before it on its connection were alone',
    async () => {
      const db = database.connectTo(database.url, { size: 1, plans: 'by_key' })
      const earnAlone = earnOn(db)
      const [merchant] = await earningMerchants(database.db, 1)
      if (merchant === undefined) throw new Error('no merchant')
      for (let turn = 0; turn < 12; turn += 1) await earnAlone(earningOf(merchant, { phone: freshPhone() }))
      // PostgreSQL tries five plans for the values given before it may keep one for all values.
      const text = 'select name, custom_plans from pg_prepared_statements where custom_plans > 5 order by name'
      expect(await db.run({ text, values: [] })).toEqual([])
    },
  )

  it('writes an order, a transfer with two entries, and an event; a new customer and a wallet once', async () => {
    const once = await batchOf(1)
    const phone = freshPhone()
    const always = { orders: 1, transfer: 1, entry: 2, event: 1 }
    const first = await rowsOf(() => once(phone))
    expect(first).toEqual({ ...always, customer: 1, account: 1 })
    const next = await rowsOf(() => once(phone))
    expect(next).toEqual(always)
    expect([await indexEntriesOf(first), await indexEntriesOf(next)]).toEqual([13, 10])
  })
})
