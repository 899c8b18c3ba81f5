import { describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { MicroSarPerPoint } from '../../../src/domain/points.ts'
import { NO_FEES, positionOf } from '../../../src/domain/settlement.ts'
import { oneShop, type Shop, testApp } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder, replacingOrder } from '../../support/orders.ts'
import { previewOf, settleMerchant } from '../../support/settlement.ts'

const database = testDatabase()
const app = testApp(database)

async function statusOf(shop: Shop, order_uuid: string): Promise<unknown> {
  const reply = await app.call('GET', `/api/v1/orders/${order_uuid}`, { key: shop.private_key })
  return (reply.body.data as Record<string, unknown>)['settlement_status']
}

describe('the net of a settlement', () => {
  it.each([
    [1_000, 0, 5_000, 1_000, 500],
    [0, 1_000, 5_000, -1_000, -500],
    [1_000, 999, 5_000, 1, 1],
    [999, 1_000, 5_000, -1, -1],
    [7, 7, 5_000, 0, 0],
    [3, 0, 100, 3, 0],
  ])('%i issued and %i redeemed at %i micro-SAR: %i points, %i halalas', (issued_points, redeemed_points, ...rest) => {
    const [value = 0, net_points, net_halalas] = rest
    const of = { micro_sar_per_point: value as MicroSarPerPoint, entries: 1 }
    const sums = [
      { kind: 'earn', points: BigInt(issued_points), ...of },
      { kind: 'post', points: BigInt(redeemed_points), ...of },
    ] as const
    const net = { net_points: BigInt(net_points ?? 0), net_halalas: BigInt(net_halalas ?? 0) }
    expect(positionOf(sums, [], NO_FEES)).toMatchObject({ ...net, due_halalas: net.net_halalas })
  })
})

describe('closing a settlement', () => {
  it('sums issued points less redeemed points, without refunds', async () => {
    const shop = await oneShop(database.db)
    const act = (uuid: Uuid, action: string, json = {}) => app.act(uuid, action, { key: shop.private_key, json })
    // The customer's points come from a purchase here of 400 SAR: 4,000 points.
    const paid = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
    await act(paid.order_uuid, 'complete') // 80 SAR earn 800
    const part = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await act(part.order_uuid, 'refund', { amount: 25 }) // 750 left
    const gone = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await act(gone.order_uuid, 'refund')
    const open = await replacingOrder(database.db, shop.merchant, { phone: null })
    const cancelled = await replacingOrder(database.db, shop.merchant, { phone: null })
    await act(cancelled.order_uuid, 'cancel')

    const net_points = 4_000 + 800 + 750 - 4_000
    const expected = { merchant_id: shop.merchant.merchant_id, orders: 3, net_points, net_amount: net_points * 0.005 }
    expect(await previewOf(database.db, app.clock, shop.merchant)).toMatchObject({ settlement_id: null, ...expected })
    expect(await statusOf(shop, paid.order_uuid)).toBe('pending')
    const closed = await settleMerchant(database.db, app.clock, shop.merchant)
    expect(closed).toMatchObject({ settlement_id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...expected })

    expect(await statusOf(shop, paid.order_uuid)).toBe('settled')
    expect(await statusOf(shop, part.order_uuid)).toBe('settled')
    expect(await statusOf(shop, gone.order_uuid)).toBeNull()
    expect(await statusOf(shop, open.order_uuid)).toBeNull()
    expect((await act(paid.order_uuid, 'refund')).status).toBe(400)
  })

  it('leaves nothing for the next one, and does not touch other merchants', async () => {
    const [shop, other] = [await oneShop(database.db), await oneShop(database.db)]
    await earningOrder(database.db, shop.merchant)
    const { order_uuid } = await earningOrder(database.db, other.merchant)
    await settleMerchant(database.db, app.clock, shop.merchant)
    const empty = {
      settlement_id: null,
      merchant_id: shop.merchant.merchant_id,
      orders: 0,
      net_points: 0,
      net_amount: 0,
    }
    expect(await settleMerchant(database.db, app.clock, shop.merchant)).toMatchObject(empty)
    expect(await statusOf(other, order_uuid)).toBe('pending')
  })

  it('of all merchants of a program nets to the outstanding points, wherever they are issued and redeemed', async () => {
    const shop = await oneShop(database.db)
    const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 1_000, total: 500 })
    await app.act(order_uuid, 'complete', { key: shop.private_key })
    const { net_points } = await settleMerchant(database.db, app.clock, shop.merchant)
    expect(net_points).toBe(0)
  })

  it('is never changed by the service', async () => {
    await expect(database.db.script('update settlement set orders = 0')).rejects.toMatchObject({ code: '42501' })
    await expect(database.db.script('update order_rating set rating = 1')).rejects.toMatchObject({ code: '42501' })
  })
})
