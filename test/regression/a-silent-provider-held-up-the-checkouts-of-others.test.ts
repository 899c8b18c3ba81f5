import { expect, test } from 'vitest'
import { app_noon, oneShop, type Shop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { confirm, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { pointsOf } from '../support/orders.ts'
import { providersOf, providerThat, releaseExpired } from '../support/payments.ts'

// A round of expiry asked the provider for every checkout with a payment, ten seconds each where there was no answer. While the
// provider of one busy merchant was away, points that customers held at other merchants were released late.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
const booked = new BookedProvider()
const services = () => servicesOn(database.db, { clock, payments: providersOf({ sandbox: booked, merchant: booked }) })
/** The queries that are under way when the fifth has no answer. */
const at_once = 8
const most_asked = 4 + at_once

async function confirmedAt(shop: Shop) {
  const checkout = await provenCheckout(database.db, services(), shop, { points: 1_000 })
  await confirm(services(), checkout, { points: 500 })
  return checkout
}

test('a provider that does not answer is asked a few times in a round, until its checkouts cannot wait', async () => {
  const [silent, other] = [await oneShop(database.db), await oneShop(database.db)]
  for (let n = 0; n < 20; n += 1) await confirmedAt(silent)
  const last = await confirmedAt(other)
  let asked = 0
  const silence = providerThat({
    async query() {
      asked += 1
      return { kind: 'unknown', detail: 'timeout' }
    },
  })
  const payments = {
    of: async ({ merchant_id }: { readonly merchant_id: number }) =>
      merchant_id === silent.merchant.merchant_id ? silence : booked,
  }
  clock.advance(30 * 60)
  expect(await releaseExpired({ db: database.db, clock, payments })).toEqual({ released: 1, paid: 0, left: 20 })
  expect(asked).toBeGreaterThanOrEqual(5)
  expect(asked).toBeLessThanOrEqual(most_asked)
  expect(await pointsOf(database.db, other.merchant, last.phone)).toEqual([1_000, 0])
  asked = 0
  clock.advance(10 * 60)
  expect(await releaseExpired({ db: database.db, clock, payments })).toEqual({ released: 20, paid: 0, left: 0 })
  expect(asked).toBe(20)
})
