import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withoutPersonalData } from '../../../src/domain/erasure.ts'
import { type Move, orderTable } from '../../../src/domain/order.ts'
import { sendTest } from '../../../src/features/webhooks/log.ts'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import { paidCheckout } from '../../support/booked-shop.ts'
import { deliveryContract } from '../../support/contract.ts'
import { testDatabase } from '../../support/database.ts'
import { clearQueue, keptWebhook, register, startWorker } from '../../support/deliveries.ts'
import { replacingOrder } from '../../support/orders.ts'
import { providersOf, reconcilePayments } from '../../support/payments.ts'
import { type Received, type Receiver, testReceiver } from '../../support/receiver.ts'

// Every event of orders as it arrives, against the API description, from which integrators generate their types.

const database = testDatabase({ leaves: ['due payment tasks'] })
const provider = new BookedProvider()
const payments = providersOf({ sandbox: provider })
const app = appAtNoon(database, { payments })
const check = deliveryContract()
let shop: Shop

beforeEach(async () => {
  shop = await oneShop(database.db)
})
afterEach(() => clearQueue(database.owner))

const custom = { status: 'delivered', name_ar: 'عند البوابة', name_en: 'At the gate' }

/** Sends these requests about an order, one after the other. */
async function act(order_uuid: string, ...requests: readonly (readonly [action: string, json?: object])[]) {
  for (const [action, json] of requests)
    expect(await app.actBy(shop, order_uuid, action, json), action).toMatchObject({ status: 200 })
}

async function earn(changes: object): Promise<string> {
  const json = {
    phone_number: '+966512345678',
    total_price: 100.5,
    products: [{ product_name: 'Coffee', product_price: 50.25, quantity: 2 }],
    ...changes,
  }
  const { body } = await app.call('POST', '/api/v1/orders/earning', { key: shop.private_key, json })
  app.clock.advance(60)
  return String(Reflect.get(body.data as object, 'uuid'))
}

const replacing = async (asked: Parameters<typeof replacingOrder>[2] = {}) =>
  (await replacingOrder(database.db, shop.merchant, asked)).order_uuid

/** Both types of orders, each event with and without what may be missing. */
async function trade(): Promise<void> {
  const [part, rest] = [{ amount: 30.5, reason: 'Returned' }, {}]
  const later = [
    ['status', { status: 'ready_shipping' }],
    ['status', custom],
    ['refund', part],
    ['refund', rest],
  ] as const
  await act(await earn({ order_number: 'A-1', metadata: { branch: 'Olaya', tags: [1, null] } }), ...later)
  await earn({ order_number: 'A-2' })
  await act(await replacing({ points: 4_000, metadata: { basket: 7 } }), ['complete'], ...later)
  await act(await replacing(), ['complete'], ['refund'])
  await act(await replacing({ points: 100 }), ['cancel'])
  await act(await replacing(), ['cancel', { reason: 'Out of stock' }])
  await act(await replacing(), ['authorize'], ['cancel'])
  await act(await replacing(), ['authorize'], ['capture'], ['refund', part])
  const { payment_uuid } = await paidCheckout(database.db, { provider, services: app.services, shop })
  provider.books.delete(payment_uuid)
  app.clock.advance(3_600)
  expect(await reconcilePayments({ db: database.db, clock: app.clock, payments })).toMatchObject([
    { action: 'reversed' },
  ])
}

/** Waits until all events of the merchant have arrived. */
async function arrived(receiver: Receiver): Promise<readonly Received[]> {
  const { program_id } = shop.merchant
  const text = 'select count(*)::integer as events from event where program_id = $1'
  const row = await database.db.one<{ events: number }>({ text, values: [program_id] })
  return receiver.waitFor(row?.events ?? Number.NaN)
}

const kindOf = ({ event, body }: Received) => `${event} ${String(body.order?.['type'])}`

/** Every event of the order table and of the shipping status, for each type of order. */
function expectedKinds(): Set<string> {
  const moves = Object.values(orderTable).flatMap((row): Move[] => Object.values(row))
  const kinds = moves.flatMap(({ by, events }) =>
    (by === 'both' ? ['earning', 'replacing'] : [by]).flatMap((type) => events.map((event) => `${event} ${type}`)),
  )
  return new Set([...kinds, 'shipping_status_updated earning', 'shipping_status_updated replacing', 'test earning'])
}

describe('what a webhook receives', () => {
  it('is every event as the API description says, with the headers that it names', async () => {
    const receiver = await testReceiver()
    const [webhook] = await register(database.db, shop.merchant, receiver.url)
    startWorker(database.db)
    await trade()
    await sendTest(database.db, await keptWebhook(database.db, webhook), app.clock.now())
    const received = await arrived(receiver)
    expect(new Set(received.map(kindOf))).toEqual(expectedKinds())
    for (const one of received) check(one)
    // An event is kept after an erasure, and can be sent again.
    for (const one of received)
      check({ ...one, body: { ...one.body, order: withoutPersonalData(one.body.order ?? {}) } })
  })

  it('would be refused with another field, without one, or with another header', async () => {
    const receiver = await testReceiver()
    await register(database.db, shop.merchant, receiver.url)
    startWorker(database.db)
    await earn({ order_number: 'A-3' })
    const [got] = await receiver.waitFor(1)
    if (got === undefined) throw new Error('nothing arrived')
    const { order: { order_number: _, ...fewer } = {}, ...envelope } = got.body
    const wrong = [
      { ...got, body: { ...got.body, order: { ...got.body.order, more: 1 } } },
      { ...got, body: { ...envelope, order: fewer } },
      { ...got, body: { ...got.body, event: 'completed' } },
      { ...got, headers: { ...got.headers, 'x-webhook-signature': 'sha256' } },
      { ...got, headers: { ...got.headers, 'x-webhook-attempt': undefined } },
      { ...got, event: 'unknown' },
    ]
    for (const one of wrong) expect(() => check(one)).toThrow(/against its description/)
  })
})
