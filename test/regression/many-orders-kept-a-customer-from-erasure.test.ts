import { expect, it } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Transaction } from '../../src/db/transaction.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, freshPhone, TestClock } from '../support/earnings.ts'

// An erasure read all events of a customer at once, and looked for their deliveries, 21 for each, in one statement. With
// 40,000 orders its connection ended before it was done, so such a customer could not be erased.

const database = testDatabase()
const merchants_count = 100
const rounds = 11
/** 21 deliveries for an event of each of 500 orders. */
const longest_list = 10_500

it('erases a customer with 1,100 orders by statements of a bounded size', async () => {
  const merchants = await earningMerchants(database.db, merchants_count)
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  const { earn } = servicesOn(database.db, { clock })
  const phone = freshPhone()
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(merchants.map((merchant) => earn(earningOf(merchant, { phone, metadata: '{"who":"Noura"}' }))))
  const program_id = merchants[0]?.program_id ?? 0
  const named = async (): Promise<unknown> =>
    (
      await database.owner.run({
        text: `select count(*)::int as orders, count(o.metadata)::int as metadata, count(o.items)::int as items,
            count(e.event_id)::int as events, count(*) filter (where e.payload::text like '%Noura%')::int as payloads
          from orders o left join event e on e.program_id = $1 and e.order_uuid = o.order_uuid where o.program_id = $1`,
        values: [program_id],
      })
    )[0]
  const orders = merchants_count * rounds
  expect(await named()).toEqual({ orders, metadata: orders, items: orders, events: orders, payloads: orders })
  const lists: number[] = []
  const parts = {
    owner: observed(database.owner, lists),
    secrets: createSecretBox(defaults.secret_key),
    by: { source: 'command', name: 'Sara' },
  } as const
  await eraseCustomer(parts, { program_id, phone, typed: phone })
  expect(await named()).toEqual({ orders, metadata: 0, items: 0, events: orders, payloads: 0 })
  expect(lists.length).toBeGreaterThan(0)
  expect(Math.max(...lists)).toBeLessThanOrEqual(longest_list)
})

/** The database, which notes how long the lists of the statements in its transactions are. */
function observed(db: Database, lists: number[]): Database {
  const noted = <Of extends object>(of: Of, names: readonly string[], note: (value: unknown) => unknown): Of =>
    new Proxy(of, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) =>
          Reflect.apply(value, target, names.includes(String(name)) ? [note(args[0]), ...args.slice(1)] : args)
      },
    })
  const statement = (asked: unknown) => {
    const { values = [] } = asked as { readonly values?: readonly unknown[] }
    lists.push(...values.filter(Array.isArray).map(({ length }) => length))
    return asked
  }
  return noted(db, ['transaction'], (work) => (tx: Transaction) => {
    return (work as (tx: Transaction) => unknown)(noted(tx, ['run', 'one'], statement))
  })
}
