import { describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, MAX_POINTS_PER_SAR, MAX_WALLET_POINTS, type Points } from '../../src/domain/points.ts'
import { activateCustomer } from '../../src/features/earning/activation.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { appAtNoon, oneShop, type Shop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import {
  earningMerchants,
  earningOf,
  freshPhone,
  inProgram,
  oneMerchant,
  refusalOf,
  walletOf,
} from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { replacingOrder, rowOf } from '../support/orders.ts'
import { previewOf, settleMerchant } from '../support/settlement.ts'

// At 100,000 points a SAR, ten of the largest orders came close to 2^53: the tenth and every later one answered 500.
// A wallet holds 10^14 points at most; each sum near it is exact.

const database = testDatabase({ leaves: ['due messages'] })
const app = appAtNoon(database)
const products = [{ product_name: 'A', product_price: 1, quantity: 1 }]

async function richShop(): Promise<Shop> {
  const shop = await oneShop(database.db)
  await database.owner.run({
    text: `update merchant set points_per_sar_e4 = $3, product_rating_points = 5
      where program_id = $1 and merchant_id = $2`,
    values: [shop.merchant.program_id, shop.merchant.merchant_id, MAX_POINTS_PER_SAR],
  })
  return shop
}

let sent = 0
function earn(shop: Shop, phone: string, total_price: number, headers: Readonly<Record<string, string>> = {}) {
  sent += 1
  const json = { phone_number: phone, total_price, order_number: `R-${sent}`, products }
  return app.call('POST', '/api/v1/orders/earning', { key: shop.private_key, json, headers })
}

const walletAt = (shop: Shop, phone: string) => walletOf(database.db, shop.merchant.program_id, phone)
const points = (count: number): Points => asPoints(count)

describe('an earning that would pass 10^14 points', () => {
  it.each([
    [
      'en',
      "The total price cannot be accepted: the customer's wallet would hold more than 100,000,000,000,000 points.",
    ],
    ['ar', 'لا يمكن قبول المبلغ الإجمالي: سيتجاوز رصيد محفظة العميل 100,000,000,000,000 نقطة.'],
  ])('is a 422 on total_price, and smaller ones still come: %s', async (locale, said) => {
    const shop = await richShop()
    const phone = freshPhone()
    const largest = await earn(shop, phone, 9_999_999_999.99, { 'accept-language': locale })
    expect(largest.status).toBe(422)
    expect(largest.body).toMatchObject({ errors: { total_price: [said] } })
    expect(await walletAt(shop, phone)).toBeUndefined()
    expect((await earn(shop, phone, 999_999_999.99)).status).toBe(200)
    expect((await earn(shop, phone, 0.02)).status).toBe(422)
    expect((await earn(shop, phone, 0.01)).status).toBe(200)
    expect(await walletAt(shop, phone)).toMatchObject({ posted: MAX_WALLET_POINTS, version: 2 })
    expect((await earn(shop, phone, 0.01)).status).toBe(422)
    expect((await earn(shop, phone, 0)).status).toBe(200)
  })

  it('is a 422 on phone_number for a rating', async () => {
    const shop = await richShop()
    const phone = freshPhone()
    expect((await earn(shop, phone, 1_000_000_000)).status).toBe(200)
    const json = { phone_number: phone, review_reference: 'V-1', product_id: 'P' }
    const rated = await app.call('POST', '/api/v1/orders/earning/product-rating', { key: shop.private_key, json })
    expect([rated.status, Object.keys(rated.body['errors'] as object)]).toEqual([422, ['phone_number']])
  })

  it('counts pending earnings, and the activation of a full wallet never fails', async () => {
    const merchant = inProgram(await oneMerchant(database.db), { activation: 'required' })
    const { program_id } = merchant
    const phone = freshPhone()
    const earning = createEarn({ db: database.db, clock: app.clock, lock_window_s: 10 })
    const half = MAX_WALLET_POINTS / 2
    await earning({ ...earningOf(merchant, { phone }), points: points(half) })
    await earning({ ...earningOf(merchant, { phone }), points: points(half) })
    const over = await refusalOf(earning({ ...earningOf(merchant, { phone }), points: points(1) }))
    expect(over).toMatchObject({ kind: 'validation', errors: [{ field: 'total_price', rule: 'wallet_full' }] })
    await activateCustomer(database.db, app.clock, { program_id, phone })
    expect(await walletOf(database.db, program_id, phone)).toMatchObject({ posted: MAX_WALLET_POINTS })
    const after = await refusalOf(earning({ ...earningOf(merchant, { phone }), points: points(1) }))
    expect(after).toMatchObject({ kind: 'validation' })
  })
})

describe('earnings of one customer from many merchants at once', () => {
  it.each([
    ['automatic', 1],
    ['automatic', 2],
    ['required', 1],
    ['required', 2],
  ] as const)('never pass it together: %s, %d processes', async (activation, processes) => {
    const merchants = (await earningMerchants(database.db, 10)).map((one) => inProgram(one, { activation }))
    const pools = Array.from({ length: processes }, () => database.connect({ size: 4 }))
    const earns = pools.map((db) => createEarn({ db, clock: app.clock, lock_window_s: 10 }))
    const share = points(MAX_WALLET_POINTS / 4)
    for (let round = 0; round < 3; round += 1) {
      const phone = freshPhone()
      const outcomes = await Promise.allSettled(
        merchants.map((merchant, index) =>
          earns[index % processes]?.({ ...earningOf(merchant, { phone }), points: share }),
        ),
      )
      const accepted = outcomes.filter(({ status }) => status === 'fulfilled')
      expect(accepted).toHaveLength(4)
      const [{ points: waiting } = { points: '0' }] = await database.db.run<{ points: string }>({
        text: `select coalesce(sum(total_points), 0)::text as points from pending_earning
          where program_id = $1 and customer_id = (select customer_id from customer where program_id = $1 and phone = $2)`,
        values: [merchants[0]?.program_id, phone],
      })
      const wallet = await walletOf(database.db, merchants[0]?.program_id ?? 0, phone)
      expect((wallet?.posted ?? 0) + Number(waiting)).toBe(MAX_WALLET_POINTS)
    }
  })
})

describe('beyond 10^14 points', () => {
  it('returns are never refused, and reversals bring the wallet as far below; all stays exact', async () => {
    const shop = await richShop()
    const phone = freshPhone() as Phone
    const { refundOrder, moveOrder } = app.services
    const bought = await earn(shop, phone, 1_000_000_000)
    // Redeem and earn all points again; then refund both orders.
    const spent = await replacingOrder(database.db, shop.merchant, { phone, points: MAX_WALLET_POINTS, total: 700 })
    await moveOrder(shop.merchant, spent.order_uuid, { action: 'complete' })
    expect(await walletAt(shop, phone)).toMatchObject({ posted: 0 })
    const again = await earn(shop, phone, 999_999_999.99)
    for (const halalas of [333, 366, null, 1]) {
      const part = { amount_halalas: halalas === null ? null : asHalalas(halalas), reason: null }
      await refundOrder(shop.merchant, spent.order_uuid, part).catch(() => undefined)
    }
    expect(await rowOf(database.db, spent.order_uuid)).toMatchObject({ returned_points: MAX_WALLET_POINTS })
    expect(await walletAt(shop, phone)).toMatchObject({ posted: 2 * MAX_WALLET_POINTS - 1_000 })
    expect((await earn(shop, phone, 0.01)).status).toBe(422)
    for (const reply of [bought, again]) {
      const { uuid } = reply.body.data as { uuid: string }
      expect((await app.act(uuid, 'refund', { key: shop.private_key })).status).toBe(200)
    }
    expect(await walletAt(shop, phone)).toMatchObject({ posted: 0 })
  })

  it('the money part of an order earns what there is room for: a paid order is not refused', async () => {
    const shop = await richShop()
    const phone = freshPhone() as Phone
    await earn(shop, phone, 999_999_999)
    const { order_uuid } = await replacingOrder(database.db, shop.merchant, { phone, total: 10_000 })
    expect((await app.act(order_uuid, 'complete', { key: shop.private_key })).status).toBe(200)
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ earned_points: 100_000 })
    expect(await walletAt(shop, phone)).toMatchObject({ posted: MAX_WALLET_POINTS })
    expect((await app.act(order_uuid, 'refund', { key: shop.private_key })).status).toBe(200)
    expect(await walletAt(shop, phone)).toMatchObject({ posted: MAX_WALLET_POINTS - 100_000 })
  })
})

it('a settlement of a hundred full wallets is exact, and so is the ledger', async () => {
  const { merchant } = await richShop()
  const earning = createEarn({ db: database.db, clock: app.clock, lock_window_s: 10 })
  for (let customer = 0; customer < 100; customer += 1)
    await earning({ ...earningOf(merchant), points: points(MAX_WALLET_POINTS - (customer === 0 ? 7 : 0)) })
  const { program_id } = merchant
  const exact = { net_points: '9999999999999993', net_amount: '49999999999999.97' }
  expect(numbersOf(await previewOf(database.db, app.clock, merchant))).toEqual(exact)
  expect(numbersOf(await settleMerchant(database.db, app.clock, merchant))).toEqual(exact)
  const stored = await database.db.run({
    text: 'select net_points, net_halalas from settlement where program_id = $1',
    values: [program_id],
  })
  expect(stored).toEqual([{ net_points: '9999999999999993', net_halalas: '4999999999999997' }])
  expect(await ledgerDifferences(database.owner)).toEqual([])
})

/** The digits as JSON has them. */
function numbersOf(view: object): Record<string, string | undefined> {
  const digits = (name: string) => new RegExp(`"${name}":(-?[0-9.]+)`).exec(JSON.stringify(view))?.[1]
  return { net_points: digits('net_points'), net_amount: digits('net_amount') }
}

it('a sum that a number cannot hold exactly fails, and is never rounded', async () => {
  const beyond = { text: `select (9007199254740992)::bigint as sum`, values: [] }
  await expect(database.db.run(beyond)).rejects.toThrow(RangeError)
})
