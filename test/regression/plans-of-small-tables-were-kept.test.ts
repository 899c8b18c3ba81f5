import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn } from '../support/earnings.ts'
import { leaveUnobserved } from '../support/large.ts'

// With some 200 orders, and no statistics yet, the index of reference numbers is one page lower than the index of order numbers.
// A connection that planned the look-up of repeats then read all orders of the program for each earning, for as long as it lived.

const database = testDatabase({ leaves: ['due messages'] })
let merchants: readonly Merchant[]

beforeAll(async () => {
  await leaveUnobserved(database.owner)
  merchants = await earningMerchants(database.db, 60)
})

/** Earns so often, each time for another merchant, in batches of the size that is given. */
async function earn(db: Database, count: number, at_once: number): Promise<void> {
  const send = earnOn(db)
  for (let done = 0; done < count; done += at_once)
    await Promise.all(merchants.slice(0, Math.min(at_once, count - done)).map((merchant) => send(earningOf(merchant))))
}

const session = async (db: Database) =>
  (await db.one<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] }))?.pid

/** Commits orders as far as the pool counts them. */
const count = (db: Database, amount: number, what: 'orders' | 'points' = 'orders') =>
  db.transaction(async (tx) => {
    tx.counts({ what, kind: 'purchase', amount })
    await tx.run({ text: 'select 1', values: [] })
  })

describe('a plan for a small table', () => {
  it('is not kept while the table grows', async () => {
    await earn(database.connect({ plans: 'by_key' }), 190, 38)
    const db = database.connect({ plans: 'by_key', size: 1 })
    // PostgreSQL tries five plans for the values given before it keeps one for all values.
    await earn(db, 10, 1)
    await earn(db, 600, 60)
    await earn(db, 10, 1)
    const text = `explain (format json, costs off) execute "earning.repeats" (1, '{}', '{}', '{}')`
    const plan = JSON.stringify(await db.run({ text, values: [] }))
    expect(plan).toContain('orders_earning_key')
    expect(plan).not.toContain('orders_reference_number_key')
  })

  it('ends with its connection, ever more seldom, and at last stays', async () => {
    const db = database.connect({ plans: 'by_key', size: 1 })
    const first = await session(db)
    await count(db, 511)
    await count(db, 10_000, 'points')
    expect(await session(db)).toBe(first)
    await count(db, 1)
    const second = await session(db)
    expect(second).not.toBe(first)
    await count(db, 511)
    expect(await session(db)).toBe(second)
    await count(db, 1)
    const third = await session(db)
    expect(third).not.toBe(second)
    // One that passes several of the numbers is one renewal.
    await count(db, 100_000)
    const last = await session(db)
    expect(last).not.toBe(third)
    await count(db, 1_000_000)
    expect(await session(db)).toBe(last)
  })

  it('ends with every connection: those that wait, and those in use', async () => {
    const db = database.connect({ plans: 'by_key', size: 4 })
    /** Holds three connections at once, does something meanwhile, and gives their sessions. */
    const holdThree = async (meanwhile: () => Promise<void>) => {
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let holding = 0
      const held = [1, 2, 3].map(() =>
        db.transaction(async (tx) => {
          const row = await tx.one<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] })
          holding += 1
          if (holding === 3) begun.resolve()
          await end.promise
          return row?.pid
        }),
      )
      await begun.promise
      await meanwhile()
      end.resolve()
      return Promise.all(held)
    }
    const nothing = () => Promise.resolve()
    const idle = await holdThree(nothing)
    await count(db, 512)
    const busy = await holdThree(() => count(db, 512))
    const last = await holdThree(nothing)
    expect(new Set([...idle, ...busy, ...last]).size).toBe(9)
  })

  it('is of no concern to reports', async () => {
    const db = database.connect({ plans: 'whole_tables', size: 1 })
    const first = await session(db)
    await count(db, 1_000)
    expect(await session(db)).toBe(first)
  })
})
