import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { day_s } from '../../src/domain/spans.ts'
import { createPurgeAbandoned } from '../../src/features/checkout/abandoned.ts'
import { newSecretText } from '../../src/lib/ids.ts'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { openedCheckout, sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

const database = testDatabase({ leaves: ['open holds'] })

// A remembered browser confirms without a code. Its checkouts counted as proven by one, and were never deleted: whoever had
// proven a number once could open and confirm any number of them.
it('a checkout that a remembered browser confirmed goes when it comes to nothing, unless points were held for it', async () => {
  const clock = new TestClock(app_noon)
  const services = servicesOn(database.db, { clock })
  const shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'merchant')
  const { program_id } = shop.merchant
  const phone = await customerWith(database.db, shop.merchant, { points: 200 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const cookie = await services.rememberedBrowsers.remember({
    ...{ program_id, phone, customer_id },
    ...{ device: null, cookie: undefined },
  })

  const confirmed = async (points: number, due: number) => {
    const checkout = await openedCheckout(services, shop)
    const browser = newSecretText()
    const view = await services.readCheckout(checkout.token, browser, cookie)
    if (view === null) throw new Error('the checkout is there')
    const form = { view, token: checkout.token, browser, locale: 'en', client_address: '203.0.113.7' } as const
    const choice = { points: asPoints(points), due_halalas: asHalalas(due) }
    expect((await services.confirmCheckout(form, choice)).kind).toBe('reserved')
    return checkout.order_uuid
  }
  const [without, held] = [await confirmed(0, 10_000), await confirmed(100, 9_950)]
  const left = async () =>
    (
      await database.owner.run<{ order_uuid: Uuid }>({
        text: 'select order_uuid from orders where order_uuid = any($1)',
        values: [[without, held]],
      })
    ).map(({ order_uuid }) => order_uuid)

  const purge = createPurgeAbandoned({
    ...{ db: database.db, clock },
    ...{ checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 },
  })
  clock.advance(29 * day_s)
  await purge()
  expect((await left()).toSorted()).toEqual([without, held].toSorted())
  clock.advance(2 * day_s)
  await purge()
  expect(await left()).toEqual([held])
})
