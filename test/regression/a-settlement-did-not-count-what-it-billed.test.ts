import { describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { day_s } from '../../src/domain/spans.ts'
import { findDetail } from '../../src/features/orders/dashboard-detail-queries.ts'
import { excludeOrder, includeOrder } from '../../src/features/settlement/exclusion.ts'
import { appAtNoon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { customerWith, earningOrder, replacingOrder } from '../support/orders.ts'
import { previewOf, settleMerchant } from '../support/settlement.ts'

// Whether an order counts was asked of its status at the close. A settlement up to a past day has the points of an order that was
// refunded in full after that day, and did not count it; the order's `settlement_status` stayed null for ever.

const database = testDatabase()
const app = appAtNoon(database)
const noon = '2026-01-31T12:00:00.000Z'
/** The end of 31 January in Riyadh. */
const january_ends = new Date('2026-01-31T21:00:00.000Z')

/** What a change of an order, and reading it, say. */
async function statusesOf(shop: Shop, order_uuid: Uuid) {
  const changed = await app.actBy(shop, order_uuid, 'status', { status: 'delivered' })
  const read = await app.call('GET', `/api/v1/orders/${order_uuid}`, { key: shop.private_key })
  return [changed, read].map(({ body }) => (body.data as { settlement_status: unknown }).settlement_status)
}

async function begin() {
  const shop = await oneShop(database.db)
  const clock = new TestClock(noon)
  const { refundOrder, moveOrder } = servicesOn(database.db, { clock })
  const refund = (order_uuid: Uuid, halalas?: number) =>
    refundOrder(shop.merchant, order_uuid, {
      amount_halalas: halalas === undefined ? null : asHalalas(halalas),
      reason: null,
    })
  const settle = (until?: Date) => settleMerchant(database.db, clock, shop.merchant, until && { until })
  return { shop, clock, refund, moveOrder, settle }
}

type Begun = Awaited<ReturnType<typeof begin>>

const earning = ({ shop: { merchant }, clock }: Begun) => earningOrder(database.db, merchant, { clock })
const without_points = ({ shop: { merchant }, clock }: Begun) =>
  earningOrder(database.db, merchant, { clock, total: 4 })

/** A checkout of 100 SAR, a part of it paid with points. */
async function checkout({ shop: { merchant }, moveOrder }: Begun) {
  const phone = await customerWith(database.db, merchant, { points: 400 })
  const order = await replacingOrder(database.db, merchant, { phone, points: 300 })
  await moveOrder(merchant, order.order_uuid, { action: 'complete' })
  return order
}

describe('an order of January that is refunded in full in February', () => {
  it.each([
    ['an earning', earning, 1],
    ['an earning without points', without_points, 1],
    ['a checkout, whose points are of another order', checkout, 2],
  ] as const)('%s: is settled with January', async (_, make, orders) => {
    const begun = await begin()
    const { shop, clock, refund, settle } = begun
    const { order_uuid } = await make(begun)
    clock.advance(3 * day_s)
    await refund(order_uuid)
    clock.advance(day_s)
    expect(await statusesOf(shop, order_uuid)).toEqual([null, null])
    const january = await settle(january_ends)
    expect(january).toMatchObject({ orders })
    expect(await statusesOf(shop, order_uuid)).toEqual(['settled', 'settled'])
    const february = await settle()
    const kept = (orders - 1) * 400
    expect([february.orders, Number(january.net_points) + Number(february.net_points)]).toEqual([0, kept])
    expect(await statusesOf(shop, order_uuid)).toEqual(['settled', 'settled'])
  })

  it('is on its page with the settlement that contains it', async () => {
    const begun = await begin()
    const { order_uuid } = await earning(begun)
    begun.clock.advance(3 * day_s)
    await begun.refund(order_uuid)
    const january = await begun.settle(january_ends)
    begun.clock.advance(30 * day_s)
    await begun.settle()
    const detail = await database.db.one(findDetail({ ...begun.shop.merchant, order_uuid }))
    expect(january.orders).toBe(1)
    expect(detail?.settled_at).toEqual(new Date('2026-02-03T12:00:00.000Z'))
  })

  it('counts in a preview of January and in none of both months', async () => {
    const begun = await begin()
    const { order_uuid } = await earning(begun)
    begun.clock.advance(3 * day_s)
    await begun.refund(order_uuid)
    expect(await previewOf(database.db, begun.clock, begun.shop.merchant)).toMatchObject({ orders: 0, net_points: 0 })
    expect(await begun.settle()).toMatchObject({ orders: 0, net_points: 0 })
    expect(await statusesOf(begun.shop, order_uuid)).toEqual([null, null])
  })

  it('in two parts, of which the first was in January, is settled with January', async () => {
    const begun = await begin()
    const { order_uuid } = await earning(begun)
    await begun.refund(order_uuid, 4_000)
    begun.clock.advance(3 * day_s)
    await begun.refund(order_uuid)
    expect(await begun.settle(january_ends)).toMatchObject({ orders: 1, net_points: 600 })
    expect(await statusesOf(begun.shop, order_uuid)).toEqual(['settled', 'settled'])
  })

  it('and that was left out until then, is in no settlement', async () => {
    const begun = await begin()
    const { shop, clock } = begun
    const { order_uuid } = await earning(begun)
    const asked = { ...shop.merchant, order_uuid }
    await excludeOrder(database.db, { ...asked, now: clock.now(), reason: 'In dispute' })
    clock.advance(3 * day_s)
    await begun.refund(order_uuid)
    expect(await begun.settle(january_ends)).toMatchObject({ orders: 0, net_points: 0 })
    clock.advance(day_s)
    await includeOrder(database.db, { ...asked, now: clock.now() })
    clock.advance(day_s)
    expect(await begun.settle()).toMatchObject({ orders: 0, net_points: 0 })
    expect(await statusesOf(shop, order_uuid)).toEqual([null, null])
  })
})

it('an order that was refunded in full on its last day is in no settlement, however late the close', async () => {
  const begun = await begin()
  const { order_uuid } = await earning(begun)
  await begun.refund(order_uuid)
  begun.clock.advance(4 * day_s)
  expect(await begun.settle(january_ends)).toMatchObject({ orders: 0, net_points: 0 })
  expect(await statusesOf(begun.shop, order_uuid)).toEqual([null, null])
})
