import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/statement.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { listDeliveries } from '../../src/features/webhooks/log.ts'
import { oneShop, type Shop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { rowsRead, stepsOf } from '../support/reads.ts'

// `nuqta deliveries list` read and sorted the whole queue for each page, 2.5 s with 300,000 waiting, and also for a merchant
// with few of them. Then it read all attempts that were ever made, in the order of their index.

const database = testDatabase({ leaves: ['ledger differences', 'due deliveries'] })
const first = '0193e7a1-0000-7000-8000-000000000001' as Uuid
let db: Database
let shop: Shop
let waiting: Uuid[]

/** A big merchant with two webhooks, 6,556 events each; a small one with 44 events, whose webhook was deleted. */
const fill = (program_id: number, big: number) => `
  create temporary table e as select n, case n % 150 when 0 then ${big + 1} else ${big} end as merchant_id,
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n * 333), 12, '0') || '70008000' || lpad(to_hex(n * 256), 12, '0'))::uuid as id
    from generate_series(1, 6600) n;
  insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
  select ${program_id}, id, merchant_id, overlay(md5(id::text) placing '7' from 13)::uuid, 'approved', '{}', now() from e;
  create temporary table d as
    select (left(e.id::text, 34) || '0' || slot)::uuid as id, e.id as event_id, e.merchant_id,
      overlay(md5(e.id::text) placing '7' from 13)::uuid as order_uuid,
      case when e.merchant_id > ${big} then 3 else slot end as hook, (e.n + slot) % 7 = 0 as is_ended
    from e cross join generate_series(1, 2) slot;
  insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at, created_at)
  select ${program_id}, id, event_id, merchant_id, ('0193e7a1-0000-7000-8000-00000000000' || hook)::uuid, order_uuid, 1, 0,
    now() + random() * interval '1 day', now() from d where not is_ended;
  insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series, attempts, created_at, ended_at)
  select ${program_id}, id, event_id, merchant_id, ('0193e7a1-0000-7000-8000-00000000000' || hook)::uuid, order_uuid,
    'delivered', 1, 1, now(), now() from d where is_ended;
  insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status)
  select ${program_id}, id, 1, 1, now(), 5, 200 from d;
  analyze delivery_queue, event, delivery, delivery_attempt`

beforeAll(async () => {
  shop = await oneShop(database.db)
  const { program_id, merchant_id } = shop.merchant
  await database.owner.transaction((tx) => tx.script(fill(program_id, merchant_id)))
  waiting = await ids('delivery_queue')
  // Like the command.
  db = database.connect({ plans: 'by_order' })
})

async function ids(from: string): Promise<Uuid[]> {
  const text = `select delivery_id from ${from} order by delivery_id desc`
  return (await database.owner.run<{ delivery_id: Uuid }>({ text, values: [] })).map((row) => row.delivery_id)
}

type Filter = Parameters<typeof listDeliveries>[1]

/** All pages of a list. */
async function listed(filter: Filter): Promise<Uuid[]> {
  const found: Uuid[] = []
  for (;;) {
    const page = await listDeliveries(db, filter, { before: found.at(-1), size: 1_000 })
    found.push(...page.map((one) => one.delivery_id))
    if (page.length < 1_000) return found
  }
}

/** The rows of the queue, events and logs that the statements of one page read, at most by one step. */
async function readFor(filter: Filter, before: Uuid | undefined): Promise<number> {
  const statements: Statement<unknown>[] = []
  const noting = new Proxy(db, {
    get(target, name) {
      if (name !== 'run' && name !== 'one') return Reflect.get(target, name).bind(target)
      return (statement: Statement<unknown>) => {
        if ('text' in statement) statements.push(statement)
        return target[name](statement)
      }
    },
  })
  expect(await listDeliveries(noting, filter, { before, size: 21 })).toHaveLength(21)
  const steps = (await Promise.all(statements.map((one) => stepsOf(db, one)))).flat()
  const read = steps.filter((step) =>
    /^(delivery_queue|event|delivery_\d|delivery_attempt)/.test(step['Relation Name'] ?? ''),
  )
  expect(read.some((step) => step['Relation Name'] === 'delivery_queue')).toBe(true)
  return Math.max(...read.map(rowsRead))
}

test('a long queue is listed whole, the newest first, with what has ended in between', async () => {
  expect(waiting.length).toBeGreaterThan(10_000)
  const { program_id, merchant_id } = shop.merchant
  expect(await listed({ state: 'due' })).toEqual(waiting)
  expect(await listed({})).toEqual(
    await ids('(select delivery_id from delivery_queue union all select delivery_id from delivery) d'),
  )
  const own = `delivery_queue where merchant_id = ${merchant_id}`
  expect(await listed({ program_id, merchant_id, state: 'due' })).toEqual(await ids(own))
  expect(await listed({ program_id, merchant_id, webhook_uuid: first, state: 'due' })).toEqual(
    await ids(`${own} and webhook_uuid = '${first}'`),
  )
})

test('what waits for a deleted webhook of another merchant is listed', async () => {
  const { program_id, merchant_id } = shop.merchant
  const small = await ids(`delivery_queue where merchant_id = ${merchant_id + 1}`)
  expect(small.length).toBeGreaterThan(50)
  expect(await listed({ program_id, merchant_id: merchant_id + 1, state: 'due' })).toEqual(small)
})

test('a page reads few rows of a long queue', async () => {
  const { program_id, merchant_id } = shop.merchant
  const middle = waiting[Math.floor(waiting.length / 2)]
  for (const before of [undefined, middle])
    for (const filter of [
      {},
      { state: 'due' },
      { program_id, merchant_id },
      { program_id, merchant_id, webhook_uuid: first },
    ] as const)
      expect(await readFor(filter, before)).toBeLessThanOrEqual(5_001)
})

test('a page of a merchant for whom little waits reads only that', async () => {
  const { program_id, merchant_id } = shop.merchant
  expect(await readFor({ program_id, merchant_id: merchant_id + 1, state: 'due' }, undefined)).toBeLessThan(100)
})
