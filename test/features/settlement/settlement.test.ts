import { describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { MicroSarPerPoint } from '../../../src/domain/points.ts'
import { NO_FEES, positionOf } from '../../../src/domain/settlement.ts'
import { allLines, beginning } from '../../../src/features/settlement/statement.ts'
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

it('comes to what the example of docs/settlement.md does by hand', () => {
  const of = (kind: 'earn' | 'reverse' | 'post', points: number, micro: number, entries: number) => ({
    ...{ kind, entries, points: BigInt(points), micro_sar_per_point: micro as MicroSarPerPoint },
  })
  const points = [of('earn', 3_001, 5_000, 2), of('earn', 300, 10_000, 1), of('reverse', 2_000, 5_000, 2)]
  const sums = [...points, of('post', 400, 10_000, 1)]
  const collected = { kind: 'collected', entries: 1, halalas: 4_600n } as const
  const position = positionOf(sums, [collected], { fee_earn_bp: 200, fee_redeem_bp: 100, fee_vat_bp: 1_500 })
  expect(position).toMatchObject({
    ...{ net_points: 901n, net_halalas: 401n, money_halalas: -4_600n },
    ...{ fee_halalas: 20n, vat_halalas: 3n, due_halalas: -4_176n },
  })
  expect(position.lines.map(({ kind, micro_sar }) => [kind, Number(micro_sar) / 1_000_000])).toEqual([
    ['earn', 15.005],
    ['earn', 3],
    ['reverse', -10],
    ['post', -4],
    ['collected', -46],
    ['fee_earn', 0.16],
    ['fee_redeem', 0.04],
    ['vat', 0.03],
    ['rounding', 0.005],
  ])
})

describe('closing a settlement', () => {
  it('sums issued points less redeemed points, without refunds', async () => {
    const shop = await oneShop(database.db)
    // The customer's points come from a purchase here of 400 SAR: 4,000 points.
    const paid = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
    await app.actBy(shop, paid.order_uuid, 'complete') // 80 SAR earn 800
    const part = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await app.actBy(shop, part.order_uuid, 'refund', { amount: 25 }) // 750 left
    const gone = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await app.actBy(shop, gone.order_uuid, 'refund')
    const open = await replacingOrder(database.db, shop.merchant, { phone: null })
    const cancelled = await replacingOrder(database.db, shop.merchant, { phone: null })
    await app.actBy(shop, cancelled.order_uuid, 'cancel')

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
    expect((await app.actBy(shop, paid.order_uuid, 'refund')).status).toBe(400)
    const { settlementPages } = app.services
    const pages = allLines(settlementPages, shop.merchant, closed.settlement_id as Uuid, 3)
    const lines: unknown[] = []
    for await (const page of pages) lines.push(...page.map(({ line }) => line))
    expect(lines).toHaveLength(3)
    const rest = await settlementPages.lines(shop.merchant, closed.settlement_id as Uuid, beginning, 50)
    expect(rest.slice(0, 3).map(({ line }) => line)).toEqual(lines)
    expect(rest.reduce((sum, { line }) => sum + line.points, 0)).toBe(net_points)
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
    await app.actBy(shop, order_uuid, 'complete')
    const { net_points } = await settleMerchant(database.db, app.clock, shop.merchant)
    expect(net_points).toBe(0)
  })

  it('is never changed by the service', async () => {
    await expect(database.db.script('update settlement set orders = 0')).rejects.toMatchObject({ code: '42501' })
    await expect(database.db.script('update order_rating set rating = 1')).rejects.toMatchObject({ code: '42501' })
  })
})
