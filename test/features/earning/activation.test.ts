import { describe, expect, it } from 'vitest'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import { CliError } from '../../../src/lib/errors.ts'
import { oneShop, servicesOn } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOf, freshPhone, inProgram, TestClock, walletOf } from '../../support/earnings.ts'
import { eventsOf, rowOf } from '../../support/orders.ts'

// docs/spec/earning.md#activation

const database = testDatabase({ leaves: ['due messages'] })

async function waiting() {
  const shop = await oneShop(database.db)
  const merchant = inProgram(shop.merchant, { activation: 'required' })
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  const { earn, refundOrder } = servicesOn(database.db, { clock })
  const phone = freshPhone()
  const [first, second] = [
    earningOf(merchant, { phone, metadata: '{"a":1}' }),
    earningOf(merchant, { phone, total: 0 }),
  ]
  await earn(first)
  await earn(second)
  return {
    shop,
    merchant,
    clock,
    phone,
    first,
    second,
    refundOrder,
    customer: { program_id: merchant.program_id, phone },
  }
}

describe('activating a customer', () => {
  it('awards each pending earning at the rate of its request, with an event', async () => {
    const { clock, phone, merchant, first, second, customer } = await waiting()
    await database.owner.run({
      text: 'update merchant set points_per_sar_e4 = 0 where program_id = $1',
      values: [merchant.program_id],
    })
    clock.advance(3_600)
    expect(await activateCustomer(database.db, clock, customer)).toEqual({
      phone,
      customer_status: 'active',
      orders_created: 2,
    })
    expect(await walletOf(database.db, merchant.program_id, phone)).toMatchObject({ status: 'active', posted: 1_000 })
    expect(await rowOf(database.db, first.order_uuid)).toMatchObject({
      order_status: 'approved',
      order_number: first.order_number,
      total_points: 1_000,
      earned_points: 1_000,
      items: [{ product_name: 'Tea', product_price: 10, quantity: 1 }],
      paid_at: clock.now(),
      created_at: clock.now(),
    })
    expect(await eventsOf(database.db, first.order_uuid)).toEqual([
      {
        name: 'approved',
        payload: expect.objectContaining({
          id: first.order_uuid,
          order_status: 'approved',
          total_points: 1_000,
          total_price: 100,
          metadata: { a: 1 },
          payment_status: 'fully_paid',
          created_at: clock.now().toISOString(),
        }),
      },
    ])
    expect(await eventsOf(database.db, second.order_uuid)).toHaveLength(1)
  })

  it('creates nothing the second time', async () => {
    const { clock, customer, merchant, phone } = await waiting()
    await activateCustomer(database.db, clock, customer)
    expect(await activateCustomer(database.db, clock, customer)).toMatchObject({ orders_created: 0 })
    expect(await walletOf(database.db, merchant.program_id, phone)).toMatchObject({ posted: 1_000, version: 1 })
  })

  it('makes orders whose refund window begins at the activation', async () => {
    const { shop, clock, customer, first, refundOrder } = await waiting()
    clock.advance(40 * 86_400)
    await activateCustomer(database.db, clock, customer)
    clock.advance(30 * 86_400)
    const all = { amount_halalas: null, reason: null }
    expect(await refundOrder(shop.merchant, first.order_uuid, all)).toMatchObject({ order_status: 'fully_refunded' })
  })

  it('fails for an unknown phone', async () => {
    const { clock, merchant } = await waiting()
    const nobody = { program_id: merchant.program_id, phone: freshPhone() }
    await expect(activateCustomer(database.db, clock, nobody)).rejects.toBeInstanceOf(CliError)
  })

  it('answers a retry of an earning with the order that it became', async () => {
    const { clock, customer, first } = await waiting()
    await activateCustomer(database.db, clock, customer)
    const { earn } = servicesOn(database.db, { clock })
    expect(await earn(first)).toMatchObject({ kind: 'order', order: { order_uuid: first.order_uuid } })
  })
})
