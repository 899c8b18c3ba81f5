import { beforeAll, describe, expect, it } from 'vitest'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone, walletOf } from '../../support/earnings.ts'
import { eventsOf, pointsOf, rowOf } from '../../support/orders.ts'

// docs/spec/earning.md#product-rating and docs/spec/earning.md#store-rating. The ledger is verified at the end.

const database = testDatabase({ leaves: ['due messages'] })
const app = appAtNoon(database)
let shop: Shop
let sequence = 0

beforeAll(async () => {
  shop = await oneShop(database.db)
})

type Kind = 'product' | 'store'

async function rate(kind: Kind, changes: object = {}, of: Shop = shop) {
  sequence += 1
  const product = kind === 'product' ? { product_id: 'SKU-77', product_name: 'Coffee' } : {}
  const json = { phone_number: freshPhone(), review_reference: `r-${sequence}`, ...product, ...changes }
  const reply = await app.call('POST', `/api/v1/orders/earning/${kind}-rating`, { key: of.private_key, json })
  return { status: reply.status, body: reply.body, json, data: reply.body.data as Record<string, unknown> }
}

async function auditOf(order_uuid: unknown) {
  return database.db.one<Record<string, unknown>>({
    text: 'select product_id, product_name, rating, comment from order_rating where order_uuid = $1',
    values: [order_uuid],
  })
}

describe.each([
  ['product', 50],
  ['store', 100],
] as const)('a %s rating', (kind, points) => {
  it(`awards the merchant's flat points, whatever the rating is`, async () => {
    for (const rating of [1, 5, null, undefined]) {
      const { json, data } = await rate(kind, { rating, comment: 'Fresh', metadata: { app: 'ios' } })
      expect(data).toMatchObject({
        type: 1,
        order_status: 'approved',
        order_number: json.review_reference,
        total_price: 0,
        total_points: points,
        metadata: { app: 'ios' },
      })
      expect(data).not.toHaveProperty('items')
      expect(await pointsOf(database.db, shop.merchant, json.phone_number)).toEqual([points, 0])
      const product = kind === 'product' ? ['SKU-77', 'Coffee'] : [null, null]
      expect(await auditOf(data['uuid'])).toEqual({
        product_id: product[0],
        product_name: product[1],
        rating: rating ?? null,
        comment: 'Fresh',
      })
    }
  })

  it('fires approved', async () => {
    const { data } = await rate(kind)
    const [event, ...others] = await eventsOf(database.db, String(data['uuid']))
    expect(event).toMatchObject({
      name: 'approved',
      payload: { type: 'earning', total_price: 0, total_points: points },
    })
    expect(others).toEqual([])
  })

  it('sent again, at once or later, is a 422 that names the first order', async () => {
    const { json, data } = await rate(kind)
    for (const advance_s of [0, 11]) {
      app.clock.advance(advance_s)
      const again = await rate(kind, { ...json, phone_number: freshPhone() })
      expect(again).toMatchObject({
        status: 422,
        body: {
          message: 'The given data was invalid.',
          appended_data: { order_uuid: data['uuid'] },
          errors: { review_reference: ['The review reference has already been taken.'] },
        },
      })
    }
  })

  it('can share its reference with another kind, another merchant or a purchase', async () => {
    const { json } = await rate(kind)
    const other = await oneShop(database.db)
    expect(
      (await rate(kind === 'product' ? 'store' : 'product', { review_reference: json.review_reference })).status,
    ).toBe(200)
    expect((await rate(kind, { review_reference: json.review_reference }, other)).status).toBe(200)
    const products = [{ product_name: 'Tea', product_price: 10, quantity: 1 }]
    const purchase = { ...json, order_number: json.review_reference, total_price: 10, products }
    const reply = await app.call('POST', '/api/v1/orders/earning', { key: shop.private_key, json: purchase })
    expect(reply.status).toBe(200)
  })

  it('while an earning of the merchant is under way is a 429, at once', async () => {
    await database.owner.transaction(async (tx) => {
      await tx.run({
        text: 'select from earning_lock where program_id = $1 and merchant_id = $2 for no key update',
        values: [shop.merchant.program_id, shop.merchant.merchant_id],
      })
      expect((await rate(kind)).status).toBe(429)
    })
    expect((await rate(kind)).status).toBe(200)
  })

  it('of an invited customer is pending with its audit, and becomes an order on activation', async () => {
    const own = await oneShop(database.db)
    const { program_id } = own.merchant
    await database.owner.run({
      text: `update program set activation = 'required' where program_id = $1`,
      values: [program_id],
    })
    const { json, data } = await rate(kind, { rating: 4, comment: 'Good' }, own)
    expect(data).toEqual({
      pending_client_activation: true,
      pending_earning_order: {
        id: expect.any(Number),
        merchant_order_number: json.review_reference,
        total_price: 0,
        total_points: points,
      },
    })
    const again = await rate(kind, json, own)
    expect([again.status, again.body.appended_data]).toEqual([422, {}])

    const customer = { program_id, phone: json.phone_number }
    expect(await activateCustomer(database.db, app.clock, customer)).toMatchObject({ orders_created: 1 })
    const order = await database.db.one<{ order_uuid: string }>({
      text: 'select order_uuid from orders where program_id = $1',
      values: [program_id],
    })
    const order_uuid = String(order?.order_uuid)
    expect(await auditOf(order_uuid)).toMatchObject({ rating: 4, comment: 'Good' })
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ source: `${kind}_rating`, total_points: points })
    expect(await walletOf(database.db, program_id, json.phone_number)).toMatchObject({ posted: points })
    const later = await rate(kind, json, own)
    expect([later.status, later.body.appended_data]).toEqual([422, { order_uuid }])
  })

  it('can only be refunded whole: its total is 0', async () => {
    const { json, data } = await rate(kind)
    const reply = await app.act(String(data['uuid']), 'refund', { key: shop.private_key })
    expect(reply.body.data).toMatchObject({ order_status: 'fully_refunded' })
    expect(await pointsOf(database.db, shop.merchant, json.phone_number)).toEqual([0, 0])
  })

  it('is an order even if the merchant gives no points for it', async () => {
    const own = await oneShop(database.db)
    await database.owner.run({
      text: 'update merchant set product_rating_points = 0, store_rating_points = 0 where program_id = $1',
      values: [own.merchant.program_id],
    })
    expect((await rate(kind, {}, own)).data).toMatchObject({ order_status: 'approved', total_points: 0 })
  })
})
