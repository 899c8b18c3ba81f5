import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { NO_POINTS } from '../../src/domain/points.ts'
import { createPurgeAbandoned } from '../../src/features/checkout/abandoned.ts'
import { newSecretText } from '../../src/lib/ids.ts'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { provenCheckout, sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

const database = testDatabase()

// A code was entered on one device, and the checkout confirmed without one on another, which is remembered.
it('a checkout stays for which a code was proven, also when a remembered browser confirms it', async () => {
  const clock = new TestClock(app_noon)
  const services = servicesOn(database.db, { clock })
  const shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'merchant')
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

  clock.advance(60 * 86_400)
  const settings = { checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 }
  await createPurgeAbandoned({ db: database.db, clock, ...settings })()
  expect(await services.readOrder(shop.merchant, order_uuid)).toMatchObject({ order_status: 'new' })
})
