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

/** How many more there are of what `count` counts, by table. */
async function moreOf(count: () => Promise<Counts>, work: () => Promise<unknown>): Promise<Counts> {
  const before = await count()
  await work()
  const after = await count()
  return Object.fromEntries(
    Object.entries(after).flatMap(([table, now]) => {
      const more = now - (before[table] ?? 0)
      return more === 0 ? [] : [[table, more]]
    }),
  )
}

type Counts = Readonly<Record<string, number>>

/** Rows of every table, partitions counted with their parents. */
async function countRows(): Promise<Counts> {
  const tables = await database.owner.run<{ relname: string }>({
    text: `select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`,
    values: [],
  })
  const counts = tables.map(({ relname }) => `(select count(*) from ${relname}) as ${relname}`)
  return (await database.owner.one<Counts>({ text: `select ${counts.join(', ')}`, values: [] })) ?? {}
}

/** Entries of the indexes of every table: of a partial index, the rows that its condition names. */
async function countIndexEntries(): Promise<Counts> {
  const indexes = await database.owner.run<{ relname: string; condition: string }>({
    text: `select c.relname, coalesce(pg_get_expr(i.indpred, i.indrelid), 'true') as condition
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and not c.relispartition`,
    values: [],
  })
  const counts = [...Map.groupBy(indexes, ({ relname }) => relname)].map(([relname, of]) => {
    const entries = of.map(({ condition }) => `count(*) filter (where ${condition})`)
    return `(select ${entries.join(' + ')} from ${relname}) as ${relname}`
  })
  return (await database.owner.one<Counts>({ text: `select ${counts.join(', ')}`, values: [] })) ?? {}
}

/** Updates that the session of `tapped` has made of every table: all of them, or those that wrote to its indexes too. */
async function countUpdates(column: 'n_tup_upd' | 'n_tup_upd - n_tup_hot_upd'): Promise<Counts> {
  await tapped.run({ text: 'select pg_stat_force_next_flush()', values: [] })
  const rows = await database.owner.run<{ relname: string; updates: number }>({
    text: `select relname, (${column})::integer as updates from pg_stat_user_tables where schemaname = 'public'`,
    values: [],
  })
  return Object.fromEntries(rows.map(({ relname, updates }) => [relname, updates]))
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

  const always = { orders: 1, transfer: 1, entry: 2, event: 1 }

  it('writes an order, a transfer with two entries, and an event; a new customer and a wallet once', async () => {
    const once = await batchOf(1)
    const phone = freshPhone()
    expect(await moreOf(countRows, () => once(phone))).toEqual({ ...always, customer: 1, account: 1 })
    expect(await moreOf(countRows, () => once(phone))).toEqual(always)
  })

  it('adds 14 entries to indexes, and 3 for a new customer', async () => {
    const once = await batchOf(1)
    const phone = freshPhone()
    const entries = {
      // By its key, its reference number, its merchant, its customer, its order number, and in the list of orders.
      orders: 6,
      // By its key, and its reference.
      transfer: 2,
      // Two entries: each by its key, and by its account, the wallet or the merchant.
      entry: 4,
      // By its key, and its order.
      event: 2,
    }
    // The customer by the key and the phone, the wallet by its key.
    expect(await moreOf(countIndexEntries, () => once(phone))).toEqual({ ...entries, customer: 2, account: 1 })
    expect(await moreOf(countIndexEntries, () => once(phone))).toEqual(entries)
  })

  // A cluster's workers count the updates of their shards.
  it.skipIf(inject('server').of_workers.length > 0)(
    'updates the wallet alone, without a new entry of an index',
    async () => {
      const once = await batchOf(1)
      const phone = freshPhone()
      const updates = () => countUpdates('n_tup_upd')
      // A new wallet is written with its points.
      expect(await moreOf(updates, () => once(phone))).toEqual({})
      expect(await moreOf(updates, () => once(phone))).toEqual({ account: 1 })
      // No index has a column that changes, so the update is a heap-only one (HOT).
      expect(
        await moreOf(
          () => countUpdates('n_tup_upd - n_tup_hot_upd'),
          () => once(phone),
        ),
      ).toEqual({})
    },
  )
})
