import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { MAX_REFUNDED_POINTS, MAX_WALLET_POINTS } from '../../src/domain/points.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { previewRefund } from '../../src/features/orders/dashboard-detail.ts'
import { appAtNoon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, freshPhone, walletOf } from '../support/earnings.ts'
import { ledgerDifferences } from '../support/ledger.ts'
import { replacingOrder, rowOf } from '../support/orders.ts'

// A customer who redeems a full wallet again and again can get all of it back. From the 46th refund on `ledger verify` took the
// wallet for wrong, because it adds floating-point numbers up; the 91st would have passed 2^53 and answered 500.

const database = testDatabase()
const app = appAtNoon(database)
const full = MAX_WALLET_POINTS
const most = MAX_REFUNDED_POINTS / full
const beyond =
  "The refund would bring the customer's wallet beyond the most points it can hold. Settle it with the customer directly."

it('refunds beyond 4 × 10^15 points are refused either way, and the ledger is right up to there', async () => {
  const shop = await oneShop(database.db)
  const { merchant } = shop
  const earning = createEarn({ db: database.db, clock: app.clock, lock_window_s: 10 })
  const history = async (phone: Phone) => {
    const [earned, spent]: [Uuid[], Uuid[]] = [[], []]
    for (let round = 0; round <= most; round += 1) {
      const made = { ...earningOf(merchant, { phone }), points: full }
      await earning(made)
      earned.push(made.order_uuid)
      const { order_uuid } = await replacingOrder(database.db, merchant, { phone, points: full, total: 700 })
      await app.services.moveOrder(merchant, order_uuid, { action: 'complete' })
      spent.push(order_uuid)
    }
    return { earned, spent }
  }
  for (const [kind, reached] of [
    ['spent', MAX_REFUNDED_POINTS],
    ['earned', -MAX_REFUNDED_POINTS],
  ] as const) {
    const phone = freshPhone() as Phone
    const { [kind]: orders, ...rest } = await history(phone)
    const order_uuid = orders.pop() as Uuid
    for (const uuid of orders) expect((await app.actBy(shop, uuid, 'refund')).status).toBe(200)
    expect(await walletOf(database.db, merchant.program_id, phone)).toMatchObject({ posted: reached })
    for (const part of [undefined, { amount: 0.01 }])
      expect(await app.actBy(shop, order_uuid, 'refund', part)).toMatchObject({
        status: 400,
        body: { message: beyond },
      })
    const preview = previewRefund(database.db, app.clock, { merchant, order_uuid, amount: null })
    await expect(preview).rejects.toMatchObject({ failure: { kind: 'refund_exceeds_wallet' } })
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'approved', refunded_halalas: 0 })
    // What leads back is possible.
    const [back] = Object.values(rest).flat()
    expect((await app.actBy(shop, back as Uuid, 'refund')).status).toBe(200)
    expect((await app.actBy(shop, order_uuid, 'refund')).status).toBe(200)
  }
  expect(await ledgerDifferences(database.owner)).toEqual([])
})
