import { beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/db/statement.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { createLimits } from '../../src/features/limits/service.ts'
import { findDelivery } from '../../src/features/webhooks/log-queries.ts'
import { createWebhookLog } from '../../src/features/webhooks/merchant-log.ts'
import { findMerchantDelivery } from '../../src/features/webhooks/merchant-log-queries.ts'
import { findNewestWaiting } from '../../src/features/webhooks/waiting-queries.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { oneShop, type Shop } from '../support/app.ts'
import { signedInApp } from '../support/dashboard-api.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { rowsRead, stepsOf } from '../support/reads.ts'
import { secret_key } from '../support/secret-key.ts'

// A page of deliveries sorted the whole queue of a merchant, and one delivery was looked for in all of it: with a million
// waiting each took up to a second, and a replay of thousands from the command line looked so for each.

const database = testDatabase({ leaves: ['ledger differences', 'due deliveries'] })
const app = signedInApp(database, { clock: new TestClock('2026-02-01T09:00:00.000Z'), secret_key })
let shop: Shop
/** The ids of what waits, the newest first. */
let waiting: Uuid[]

interface Page {
  readonly data: { readonly delivery_id: Uuid; readonly state: string }[]
  readonly next: Uuid | null
}

/** Three events a second: 3,300 of the shop, each for two webhooks, and as many of another. Every seventh delivery has ended. */
const fill = (program_id: number, merchant_id: number, webhooks: readonly string[]) => `
  create temporary table e as select n, case n % 2 when 0 then ${merchant_id} else 0 end as merchant_id,
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + n * 333), 12, '0') || '70008000' || lpad(to_hex(n * 256), 12, '0'))::uuid as id
    from generate_series(1, 6600) n;
  insert into event (program_id, event_id, merchant_id, order_uuid, name, payload, created_at)
  select ${program_id}, id, merchant_id, overlay(id::text placing 'a' from 20)::uuid, 'approved', '{}', now() from e;
  create temporary table d as
    select (left(e.id::text, 34) || '0' || w.slot)::uuid as id, e.id as event_id, e.merchant_id, w.webhook_uuid,
      overlay(e.id::text placing 'a' from 20)::uuid as order_uuid, (e.n + w.slot) % 7 = 0 as is_ended
    from e cross join (values (1, '${webhooks[0]}'::uuid), (2, '${webhooks[1]}'::uuid)) as w(slot, webhook_uuid)
    where e.merchant_id > 0;
  insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at, created_at)
  select ${program_id}, id, event_id, merchant_id, webhook_uuid, order_uuid, 1, 0, now() + random() * interval '1 day', now() from d
  where not is_ended;
  insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series, attempts, created_at, ended_at)
  select ${program_id}, id, event_id, merchant_id, webhook_uuid, order_uuid, 'delivered', 1, 1, now(), now() from d where is_ended;
  analyze delivery_queue, event, delivery`

beforeAll(async () => {
  shop = await oneShop(database.db)
  const { program_id, merchant_id } = shop.merchant
  for (const name of ['First', 'Second']) {
    const json = { name, url: `https://198.51.101.7/${name}` }
    await app.call('POST', shop.merchant, '/webhooks', { json })
  }
  const text = 'select webhook_uuid from webhook where program_id = $1 and merchant_id = $2 order by slot'
  const hooks = await database.owner.run<{ webhook_uuid: Uuid }>({ text, values: [program_id, merchant_id] })
  const uuids = hooks.map(({ webhook_uuid }) => webhook_uuid)
  await database.owner.transaction((tx) => tx.script(fill(program_id, merchant_id, uuids)))
  const queue = 'select delivery_id from delivery_queue order by delivery_id desc'
  waiting = (await database.owner.run<{ delivery_id: Uuid }>({ text: queue, values: [] })).map((row) => row.delivery_id)
})

async function pages(path: string, count: number): Promise<Page['data']> {
  const found: Page['data'] = []
  let after = ''
  for (let page = 0; page < count; page += 1) {
    const { body } = await app.call('GET', shop.merchant, `/deliveries?limit=100${path}${after}`)
    const { data, next } = body as unknown as Page
    found.push(...data)
    if (next === null) break
    after = `&after=${next}`
  }
  return found
}

test('a long queue is listed whole, the newest first', async () => {
  expect(waiting.length).toBeGreaterThan(5_000)
  const found = await pages('&state=due', 100)
  expect(found.map((one) => one.delivery_id)).toEqual(waiting)
})

test('a list skips deliveries that have ended in between', async () => {
  const found = await pages('', 3)
  expect(found.filter((one) => one.state === 'due').map((one) => one.delivery_id)).toEqual(
    waiting.slice(0, found.filter((one) => one.state === 'due').length),
  )
  expect(found.filter((one) => one.state === 'delivered').length).toBeGreaterThan(30)
  const ids = found.map((one) => one.delivery_id)
  expect(ids).toEqual(ids.toSorted().reverse())
})

test('a page of a long queue, and one delivery, read few of its rows', async () => {
  const { db } = database
  const { program_id } = shop.merchant
  const text = 'select webhook_uuid from webhook where program_id = $1'
  const hooks = (await db.run<{ webhook_uuid: Uuid }>({ text, values: [program_id] })).map((one) => one.webhook_uuid)
  const middle = waiting[Math.floor(waiting.length / 2)] as Uuid
  const owner = { program_id, merchant_id: shop.merchant.merchant_id }
  for (const statement of [
    findNewestWaiting(owner, hooks, { before: middle, size: 121, events: 20_000 }),
    findMerchantDelivery(owner, middle),
    findDelivery(program_id, middle),
  ]) {
    const steps = await stepsOf(db, statement)
    const read = steps.filter((step) => /^(delivery_queue|event)/.test(step['Relation Name'] ?? '')).map(rowsRead)
    expect(Math.max(...read)).toBeLessThan(600)
    expect(read.length).toBeGreaterThan(1)
  }
})

test('a delivery whose event is no longer kept is found', async () => {
  const { program_id, merchant_id } = shop.merchant
  const [id] = waiting.slice(-1) as [Uuid]
  await database.owner.script(
    `delete from event where event_id = (select event_id from delivery_queue where delivery_id = '${id}')`,
  )
  const expected = { delivery_id: id, state: 'due', event: null }
  expect(await database.db.one(findDelivery(program_id, id))).toMatchObject(expected)
  expect(await database.db.one(findMerchantDelivery({ program_id, merchant_id }, id))).toMatchObject(expected)
  expect((await pages('&state=due', 100)).at(-1)?.delivery_id).toBe(id)
})

// The page was short then, and `next` null, as if nothing older waited.
test('a page is full even if many of its deliveries end before they are read', async () => {
  const { db, owner } = database
  const end = (order_uuids: readonly Uuid[]) =>
    owner.run({ text: 'delete from delivery_queue where order_uuid = any($1::uuid[])', values: [order_uuids] })
  const ending = new Proxy(db, {
    get(target, name) {
      if (name !== 'run') return Reflect.get(target, name).bind(target)
      return async (statement: Statement<{ order_uuid: Uuid }>) => {
        const rows = await target.run(statement)
        const hasFound = 'text' in statement && statement.text.startsWith('select q.order_uuid')
        if (hasFound) await end(rows.map(({ order_uuid }) => order_uuid))
        return rows
      }
    },
  })
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  const secrets = createSecretBox(secret_key)
  const log = createWebhookLog({ db: ending, clock, secrets, limits: createLimits({ db, secrets }) })
  const { program_id, merchant_id } = shop.merchant
  const before = waiting[200]
  const { rows } = await log.list(
    { program_id, merchant_id },
    { webhook_uuid: undefined, state: 'due' },
    { before, size: 101 },
  )
  const left = await owner.run<{ delivery_id: Uuid }>({
    text: 'select delivery_id from delivery_queue where delivery_id < $1 order by delivery_id desc limit 101',
    values: [before],
  })
  expect(rows.map((row) => row.delivery_id)).toEqual(left.map((row) => row.delivery_id))
  expect(rows).toHaveLength(101)
})
