import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf, appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import {
  customerWith,
  earningOrder,
  eventsOf,
  everythingOf,
  expireHold,
  hold,
  pointsOf,
  replacingOrder,
  rowOf,
} from '../../support/orders.ts'

// The effect of each move on the customer's points, and its events (docs/spec/orders.md#transitions). The ledger is verified
// at the end.

const database = testDatabase()
const app = appAtNoon(database)
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

const act = async (order_uuid: string, action: string, json?: object) =>
  answerOf(await app.actBy(shop, order_uuid, action, json))

const order = (asked: Parameters<typeof replacingOrder>[2] = {}) => replacingOrder(database.db, shop.merchant, asked)
const points = (phone: Parameters<typeof pointsOf>[2]) => pointsOf(database.db, shop.merchant, phone)

describe('held points', () => {
  it('stay held on authorize, are posted on capture, and the money part earns then', async () => {
    const { order_uuid, phone } = await order({ points: 4_000 })
    expect(await points(phone)).toEqual([4_000, 4_000])
    expect((await act(order_uuid, 'authorize')).data).toMatchObject({
      order_status: 'authorized',
      settlement_status: null,
      total_points: 4_000,
    })
    expect(await points(phone)).toEqual([4_000, 4_000])
    expect((await act(order_uuid, 'capture')).data).toMatchObject({
      order_status: 'captured',
      settlement_status: 'pending',
      total_points: 4_000,
    })
    // 20 of 100 SAR were redeemed: 80 SAR earn 800.
    expect(await points(phone)).toEqual([800, 0])
    expect(await rowOf(database.db, order_uuid)).toMatchObject({
      earned_points: 800,
      redeemed_halalas: 2_000,
      paid_at: app.clock.now(),
      authorized_at: app.clock.now(),
    })
  })

  it('are posted on complete, and the money part earns at once', async () => {
    const { order_uuid, phone } = await order({ points: 1_000 })
    expect((await act(order_uuid, 'complete')).status).toBe(200)
    expect(await points(phone)).toEqual([950, 0])
  })

  it.each([['new', []] as const, ['authorized', ['authorize']] as const])(
    'are released on cancel from %s, and total_points stays as a record',
    async (_, way) => {
      const { order_uuid, phone } = await order({ points: 1_000 })
      for (const action of way) await act(order_uuid, action)
      expect((await act(order_uuid, 'cancel')).data).toMatchObject({ order_status: 'cancelled', total_points: 1_000 })
      expect(await points(phone)).toEqual([1_000, 0])
    },
  )

  it('earn nothing when they pay the whole order', async () => {
    const { order_uuid, phone } = await order({ total: 1_000, points: 2_000 })
    await act(order_uuid, 'complete')
    expect(await points(phone)).toEqual([0, 0])
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ earned_points: 0, order_status: 'approved' })
  })
})

describe('a hold that has expired', () => {
  it.each(['complete', 'authorize'])('is held again by %s', async (action) => {
    const { order_uuid, phone } = await order({ points: 1_000 })
    await expireHold(database.db, shop.merchant, order_uuid)
    expect(await points(phone)).toEqual([1_000, 0])
    expect((await act(order_uuid, action)).status).toBe(200)
    expect(await points(phone)).toEqual(action === 'complete' ? [950, 0] : [1_000, 1_000])
    if (action === 'authorize') expect((await act(order_uuid, 'cancel')).status).toBe(200)
  })

  it.each(['complete', 'authorize'])('is a 400 on %s when the points are gone, and nothing changes', async (action) => {
    const { order_uuid, phone } = await order({ points: 1_000 })
    await expireHold(database.db, shop.merchant, order_uuid)
    const other = await order({ phone, points: 0 })
    await hold(database.db, shop.merchant, other.order_uuid, 1)
    const before = await everythingOf(database.db, order_uuid)
    expect(await act(order_uuid, action)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/does not have enough points/),
    })
    expect(await everythingOf(database.db, order_uuid)).toEqual(before)
    expect((await act(order_uuid, 'cancel')).status).toBe(200)
    expect((await act(other.order_uuid, 'cancel')).status).toBe(200)
  })
})

describe('an order without points', () => {
  it('earns for all of its money', async () => {
    const { order_uuid, phone } = await order({ total: 12_345 })
    await act(order_uuid, 'complete')
    expect(await points(phone)).toEqual([1 + 1_234, 0])
  })

  it('without a customer moves through its states and earns nothing', async () => {
    const { order_uuid } = await order({ phone: null })
    await act(order_uuid, 'authorize')
    expect((await act(order_uuid, 'capture')).data).toMatchObject({ order_status: 'captured', total_points: 0 })
    expect((await act(order_uuid, 'refund')).data).toMatchObject({ order_status: 'fully_refunded' })
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ earned_points: 0, reversed_points: 0 })
  })

  it('earns by the rate of the moment in which it is paid', async () => {
    const other = await oneShop(database.db)
    const { order_uuid, phone } = await replacingOrder(database.db, other.merchant)
    await database.owner.run({
      text: 'update merchant set points_per_sar_e4 = 25000 where program_id = $1',
      values: [other.merchant.program_id],
    })
    await app.act(order_uuid, 'complete', { key: other.private_key })
    expect(await pointsOf(database.db, other.merchant, phone)).toEqual([1 + 250, 0])
  })
})

describe('the order records', () => {
  it.each(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', null])('payment method %s', async (payment_method) => {
    const { order_uuid } = await order({ phone: null })
    expect((await act(order_uuid, 'complete', { payment_method })).status).toBe(200)
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ payment_method, authorized_at: null })
  })

  it.each([
    ['Out of stock', 'Out of stock'],
    ['  Late  ', 'Late'],
    ['', 'Order cancelled via API'],
    [null, 'Order cancelled via API'],
    [undefined, 'Order cancelled via API'],
  ])('the reason of a cancellation: %j is %s', async (reason, recorded) => {
    const { order_uuid } = await order({ phone: null })
    await act(order_uuid, 'cancel', reason === undefined ? undefined : { reason })
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ reason: recorded, paid_at: null })
    const [event] = await eventsOf(database.db, order_uuid)
    expect(event).toMatchObject({ name: 'cancelled', payload: { reason: recorded } })
  })
})

describe('events', () => {
  const common = (uuid: string, status: string) => ({
    id: uuid,
    reference_number: expect.stringMatching(/^[0-9A-Z]{10}$/),
    order_number: expect.stringMatching(/^web-/),
    type: 'replacing',
    total_price: 100,
    total_points: 1_000,
    payment_status: 'fully_paid',
    order_status: status,
    metadata: { branch: 'Olaya' },
    created_at: '2026-01-31T12:00:00.000Z',
    updated_at: '2026-02-01T09:00:00.000Z',
  })

  it('approved, then completed, on complete: both with the order after it', async () => {
    const { order_uuid } = await order({ points: 1_000, metadata: { branch: 'Olaya' } })
    await act(order_uuid, 'complete')
    expect(await eventsOf(database.db, order_uuid)).toEqual([
      { name: 'approved', payload: common(order_uuid, 'approved') },
      { name: 'completed', payload: common(order_uuid, 'approved') },
    ])
  })

  it('authorized, captured, refunded, and never approved, in two steps', async () => {
    const { order_uuid } = await order({ points: 1_000, metadata: { branch: 'Olaya' } })
    await act(order_uuid, 'authorize')
    await act(order_uuid, 'capture')
    await act(order_uuid, 'refund', { amount: 33.33, reason: 'Broken' })
    expect(await eventsOf(database.db, order_uuid)).toEqual([
      { name: 'authorized', payload: common(order_uuid, 'authorized') },
      { name: 'captured', payload: common(order_uuid, 'captured') },
      {
        name: 'refunded',
        payload: {
          ...common(order_uuid, 'partially_refunded'),
          reason: 'Broken',
          refund_amount: 33.33,
          refund_points: 333,
          reversed_points: 317,
          left_points: 667,
          left_amount: 66.67,
        },
      },
    ])
  })

  it('refunded of an earning order has the points taken back and those left, without reversed_points', async () => {
    const { order_uuid } = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await act(order_uuid, 'refund', { amount: 12.34 })
    const [, refunded] = await eventsOf(database.db, order_uuid)
    expect(refunded?.payload).toMatchObject({
      type: 'earning',
      reason: null,
      refund_amount: 12.34,
      refund_points: 123,
      left_points: 877,
      left_amount: 87.66,
    })
    expect(refunded?.payload).not.toHaveProperty('reversed_points')
  })

  it('cancelled from new with money to pay is partially_paid; after authorisation it is not', async () => {
    const [first, second] = [await order({ points: 1_000 }), await order({ points: 1_000 })]
    await act(first.order_uuid, 'cancel')
    await act(second.order_uuid, 'authorize')
    await act(second.order_uuid, 'cancel')
    const last = async (uuid: string) => (await eventsOf(database.db, uuid)).at(-1)?.payload
    expect(await last(first.order_uuid)).toMatchObject({ payment_status: 'partially_paid', order_status: 'cancelled' })
    expect(await last(second.order_uuid)).toMatchObject({ payment_status: 'fully_paid', order_status: 'cancelled' })
  })

  it('none for another merchant of the program, who gets a 404', async () => {
    const other = await oneShop(database.db)
    const phone = await customerWith(database.db, shop.merchant, { points: 1 })
    const { order_uuid } = await order({ phone })
    for (const action of ['authorize', 'capture', 'complete', 'cancel', 'refund']) {
      const reply = await app.act(order_uuid, action, { key: other.private_key })
      expect(reply.status).toBe(404)
    }
    expect(await eventsOf(database.db, order_uuid)).toEqual([])
  })
})
