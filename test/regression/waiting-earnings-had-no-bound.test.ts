import { expect, it } from 'vitest'
import { MAX_PENDING_EARNINGS } from '../../src/domain/earning.ts'
import { activateCustomer } from '../../src/features/earning/activation.ts'
import { createMerchants } from '../../src/features/merchants/service.ts'
import { appAtNoon, oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'

// 60,000 earnings waited for one phone number: the activation did not end before the time limit of its connection, so the
// customer could never be activated. Each earning before it read all that waited.

const database = testDatabase({ leaves: ['due messages'] })
const app = appAtNoon(database)

const products = [{ product_name: 'A', product_price: 10, quantity: 1 }]

const countPending = (program_id: number) =>
  database.db.one<{ count: number }>({
    text: 'select count(*)::int as count from pending_earning where program_id = $1',
    values: [program_id],
  })

it('1,000 earnings wait for a customer, those of all merchants counted, and one activation ends them', async () => {
  const shop = await oneShop(database.db)
  const { program_id } = shop.merchant
  await database.owner.run({
    text: `update program set activation = 'required' where program_id = $1`,
    values: [program_id],
  })
  const phone = freshPhone()
  const earn = (order_number: string, locale = 'en') => {
    const json = { phone_number: phone, total_price: 10, order_number, products }
    const options = { key: shop.private_key, json, headers: { 'accept-language': locale } }
    return app.call('POST', '/api/v1/orders/earning', options)
  }
  expect((await earn('first')).status).toBe(200)
  const place = { environment: 'sandbox', now: app.clock.now(), verified: true, published: true } as const
  const [other] = await createMerchants(database.db, { ...place, program_id, name: 'Other', count: 1 })
  await database.owner.run({
    text: `insert into pending_earning (program_id, pending_uuid, merchant_id, customer_id, source, order_number, total_halalas,
        total_points, points_per_sar_e4, created_at)
      select program_id, gen_random_uuid(), $2, customer_id, source, 'before-' || g, total_halalas, total_points,
        points_per_sar_e4, created_at
      from pending_earning, generate_series(1, $3) g where program_id = $1`,
    values: [program_id, other?.merchant_id, MAX_PENDING_EARNINGS - 2],
  })
  expect((await earn('last')).status).toBe(200)
  const said =
    'The phone number cannot be accepted: 1,000 earnings already wait for this customer to activate the account.'
  expect(await earn('one more')).toMatchObject({ status: 422, body: { errors: { phone_number: [said] } } })
  const arabic = await earn('one more', 'ar')
  expect(arabic).toMatchObject({
    status: 422,
    body: { errors: { phone_number: [expect.stringContaining('1,000 عملية كسب')] } },
  })
  expect(await countPending(program_id)).toEqual({ count: MAX_PENDING_EARNINGS })
  expect(await activateCustomer(database.db, app.clock, { program_id, phone })).toMatchObject({
    orders_created: MAX_PENDING_EARNINGS,
  })
  expect((await earn('one more')).status).toBe(200)
  expect(await walletOf(database.db, program_id, phone)).toMatchObject({ version: MAX_PENDING_EARNINGS + 1 })
})
