import { beforeEach, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { NO_POINTS } from '../../src/domain/points.ts'
import { createPurgeAbandoned } from '../../src/features/checkout/abandoned.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { newSecretText } from '../../src/lib/ids.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import type { Services } from '../../src/routes.ts'
import { defaults } from '../support/api.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { confirm, provenCheckout, sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { providersOf, releaseExpired } from '../support/payments.ts'

const database = testDatabase()
let clock: TestClock
let services: Services
let shop: Shop

beforeEach(async () => {
  clock = new TestClock(app_noon)
  services = servicesOn(database.db, { clock })
  shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'merchant')
})

/** Gives the order after two months in which nobody took it up. */
async function afterTwoMonths(order_uuid: Uuid) {
  clock.advance(60 * 86_400)
  const settings = { checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 }
  await createPurgeAbandoned({ db: database.db, clock, ...settings })()
  return services.readOrder(shop.merchant, order_uuid)
}

// A code was entered on one device, and the checkout confirmed without one on another, which is remembered.
it('a checkout stays for which a code was proven, also when a remembered browser confirms it', async () => {
  const { program_id } = shop.merchant
  const phone = await customerWith(database.db, shop.merchant, { points: 200 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const tokens = { program_id, phone, customer_id, device: null, cookie: undefined }
  const cookie = await services.rememberedBrowsers.remember(tokens)

  const { token, order_uuid } = await provenCheckout(database.db, services, shop, { phone })
  const browser = newSecretText()
  const view = await services.readCheckout(token, browser, cookie)
  if (view === null) throw new Error('the checkout is there')
  const form = { view, token, browser, locale: 'en', client_address: '203.0.113.7' } as const
  const choice = { points: NO_POINTS, due_halalas: asHalalas(10_000) }
  expect((await services.confirmCheckout(form, choice)).kind).toBe('reserved')
  expect(await afterTwoMonths(order_uuid)).toMatchObject({ order_status: 'new' })
})

// The erasure took the proof away with the phone. The orders of erased customers stay.
it('so does one whose customer was erased', async () => {
  const checkout = await provenCheckout(database.db, services, shop)
  expect((await confirm(services, checkout)).kind).toBe('reserved')
  clock.advance(7 * 86_400)
  await releaseExpired({ db: database.db, clock, payments: providersOf({}) })
  const parts = { owner: database.owner, secrets: createSecretBox(defaults.secret_key) }
  const by = { source: 'command', name: 'Sara' } as const
  const { phone, order_uuid } = checkout
  await eraseCustomer({ ...parts, by }, { program_id: shop.merchant.program_id, phone, typed: phone })
  expect(await afterTwoMonths(order_uuid)).toMatchObject({ order_status: 'new' })
})
