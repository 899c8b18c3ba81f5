import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../src/domain/day.ts'
import type { Uuid } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { asPoints, type MicroSarPerPoint } from '../../../src/domain/points.ts'
import { NO_FEES, positionOf } from '../../../src/domain/settlement.ts'
import { changeProgram } from '../../../src/features/merchants/program-settings.ts'
import { closeSettlements, justAfter } from '../../../src/features/settlement/service.ts'
import { allLines, beginning } from '../../../src/features/settlement/statement.ts'
import { app_noon, appAtNoon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import { formOf, paymentOf, provenCheckout } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { inProgram, TestClock } from '../../support/earnings.ts'
import { customerWith, earningOrder, replacingOrder } from '../../support/orders.ts'
import { providersOf } from '../../support/payments.ts'
import { previewOf, settleMerchant } from '../../support/settlement.ts'
import { root } from '../../support/tree.ts'

const database = testDatabase()
const app = appAtNoon(database)

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

describe('the example of docs/settlement.md', () => {
  const day_s = 86_400
  const cheap = 5_000 as MicroSarPerPoint
  const dear = 10_000 as MicroSarPerPoint
  const fees = { fee_earn_bp: 200, fee_redeem_bp: 100, fee_vat_bp: 1_500 }

  /** The settled amounts, and the same on the page. */
  const lines = {
    'earn 0.005 3001 15.005': '| Issued at 0.005 | 3,001 | 15.005 |',
    'earn 0.01 760 7.6': '| Issued at 0.010 | 760 | 7.600 |',
    'reverse 0.005 -2000 -10': '| Taken back at 0.005 | −2,000 | −10.000 |',
    'post 0.01 -400 -4': '| Redeemed at 0.010 | −400 | −4.000 |',
    'collected null 0 -46': '| Money collected | | −46.00 |',
    'fee_earn null 0 0.25': '| Fee on issued points: 2 % of 15.005 + 7.600 − 10.000 = 12.605 | | 0.25 |',
    'fee_redeem null 0 0.04': '| Fee on redeemed points: 1 % of 4.000 | | 0.04 |',
    'vat null 0 0.04': '| VAT: 15 % of 0.29 | | 0.04 |',
    'rounding null 0 0.005': '| Rounding of 8.605 to 8.61 | | 0.005 |',
  }

  it('is what the service settles for its orders', async () => {
    const clock = new TestClock(app_noon)
    const provider = new BookedProvider()
    const services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
    const shop = await oneShop(database.db)
    const { merchant } = shop
    const { program_id, merchant_id } = merchant
    const refundHalf = (uuid: Uuid) =>
      services.refundOrder(merchant, uuid, { amount_halalas: asHalalas(10_000), reason: null })

    const phone = await customerWith(database.db, merchant, { points: 1_001 }) // A
    const half = await earningOrder(database.db, merchant, { total: 20_000, clock }) // B
    await refundHalf(half.order_uuid)
    clock.advance(day_s)
    const rate = { begins_on: dayOf(clock.now()), micro_sar_per_point: dear }
    await changeProgram(database.db, program_id, { rate, now: clock.now() })
    await earningOrder(database.db, inProgram(merchant, { rates: [rate] }), { total: 3_000, clock }) // C
    const paid = await provenCheckout(database.db, services, shop, { phone, total: 5_000 }) // D
    const choice = { points: asPoints(400), due_halalas: asHalalas(4_600) }
    await services.confirmCheckout(await formOf(services, paid), choice)
    const { payment_uuid } = await paymentOf(database.db, paid.order_uuid)
    provider.arrive(payment_uuid, 'paid')
    await services.settlePayment(program_id, payment_uuid)
    await refundHalf(half.order_uuid)

    const [now, program] = [clock.now(), { program_id, first_value: cheap, ...fees }]
    const { settlements } = await closeSettlements(database.db, { program, merchant_id, until: justAfter(now), now })
    expect(settlements).toMatchObject([
      {
        ...{ orders: 3, net_points: 1_361, net_amount: 8.61, money_amount: -46 },
        ...{ fee_amount: 0.29, vat_amount: 0.04, due_amount: -37.06 },
      },
    ])
    const settled = await services.settlementPages.read(merchant, settlements[0]?.settlement_id as Uuid)
    const rows = settled.lines.map(({ kind, sar_per_point, points, amount }) =>
      [kind, sar_per_point, points, amount].map(String).join(' '),
    )
    expect(rows).toEqual(Object.keys(lines))
    const page = readFileSync(`${root}docs/settlement.md`, 'utf8')
    for (const line of [...Object.values(lines), '| **Due** | | **−37.06** |']) expect(page).toContain(line)
  })
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
