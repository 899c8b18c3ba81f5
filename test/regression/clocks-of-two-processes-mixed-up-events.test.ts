import { afterEach, expect, it } from 'vitest'
import { type Uuid, uuidV7, uuidV7Time } from '../../src/domain/ids.ts'
import { hour_ms } from '../../src/domain/spans.ts'
import { purchase } from '../support/api.ts'
import { appAtNoon, oneShop, type Shop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { clearQueue, register } from '../support/deliveries.ts'

// Ids order the deliveries of an order, and hold the time at which they were made. A process whose clock was behind
// another's gave the event of a later change a lesser id: the refund of an order was delivered before its award.

const database = testDatabase()
const app = appAtNoon(database)
afterEach(() => clearQueue(database.owner))

/** The events that are queued for an order, in the order of their deliveries. */
async function queuedFor(order_uuid: Uuid): Promise<string[]> {
  const rows = await database.db.run<{ name: string }>({
    text: `select e.name from delivery_queue q
      join event e on e.program_id = q.program_id and e.event_id = q.event_id
      where q.order_uuid = $1 order by q.delivery_id`,
    values: [order_uuid],
  })
  return rows.map(({ name }) => name)
}

/** Makes all that is queued as if by a process whose clock is an hour ahead. */
async function moveAhead(order_uuid: Uuid): Promise<void> {
  const queued = await database.owner.run<{ delivery_id: Uuid }>({
    text: 'select delivery_id from delivery_queue where order_uuid = $1',
    values: [order_uuid],
  })
  for (const { delivery_id } of queued)
    await database.owner.run({
      text: 'update delivery_queue set delivery_id = $2 where delivery_id = $1',
      values: [delivery_id, uuidV7(uuidV7Time(delivery_id) + hour_ms, new Uint8Array(16).fill(255))],
    })
}

/** An order of a shop with a webhook, whose award was queued by a process whose clock is an hour ahead. */
async function awardedAhead() {
  const shop = await oneShop(database.db)
  await register(database.db, shop.merchant, 'https://shop.example/hook')
  const uuid = await earn(shop, purchase())
  await moveAhead(uuid)
  return { shop, uuid }
}

async function earn({ private_key }: Shop, json: object): Promise<Uuid> {
  const earned = await app.call('POST', '/api/v1/orders/earning', { key: private_key, json })
  return (earned.body.data as { readonly uuid: Uuid }).uuid
}

it('keeps the order of the events that processes with different clocks write', async () => {
  const { shop, uuid } = await awardedAhead()
  const shipped = await app.actBy(shop, uuid, 'status', { status: 'delivered' })
  expect(shipped.status).toBe(200)
  await app.actBy(shop, uuid, 'refund', {})
  const events = await queuedFor(uuid)
  expect(events.slice(-2)).toEqual(['shipping_status_updated', 'refunded'])
  expect(events.length).toBeGreaterThan(2)
})

it('does not carry the other clock into other orders', async () => {
  const { shop, uuid } = await awardedAhead()
  await app.actBy(shop, uuid, 'status', { status: 'delivered' })
  const other = await earn(shop, purchase({ order_number: 'next' }))
  expect(Math.abs(uuidV7Time(other) - Date.now())).toBeLessThan(hour_ms / 2)
})
