import { expect, test } from 'vitest'
import { createPurgeAbandoned } from '../../src/features/checkout/abandoned.ts'
import { createReleaseExpired } from '../../src/features/checkout/expiry.ts'
import { purgeExpired } from '../../src/features/deployment/maintenance.ts'
import { createReconcile } from '../../src/features/payments/reconciliation.ts'
import { app_noon, oneShop, servicesOn } from '../support/app.ts'
import { BookedProvider } from '../support/booked-provider.ts'
import { paidCheckout } from '../support/booked-shop.ts'
import { confirm, openedCheckout, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { providersOf } from '../support/payments.ts'

// What went wrong: expiry and reconciliation asked providers about all that was due before a stop went on. Later abandoned
// checkouts did so: up to 40 transactions for each merchant.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })

test('a round of expiry ends between two checkouts', async () => {
  const clock = new TestClock(app_noon)
  const payments = providersOf({ sandbox: new BookedProvider() })
  const services = servicesOn(database.db, { clock, payments })
  const shop = await oneShop(database.db)
  for (let n = 0; n < 10; n += 1) {
    const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
    await confirm(services, checkout, { points: 500 })
  }
  clock.advance(30 * 60)
  const stopping = new AbortController()
  let asked = 0
  const release = createReleaseExpired({
    ...{ db: database.db, clock },
    async askProvider() {
      asked += 1
      stopping.abort()
      throw new Error('no answer')
    },
  })
  await release(stopping.signal)
  // Eight are asked at once.
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThanOrEqual(8)
})

test('a round of reconciliation ends between a few payments', async () => {
  const clock = new TestClock(app_noon)
  const provider = new BookedProvider()
  const services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
  const shop = await oneShop(database.db)
  for (let n = 0; n < 5; n += 1) {
    const { payment_uuid } = await paidCheckout(
      database.db,
      { provider, services, shop },
      { points: 500, state: 'paid' },
    )
    provider.books.delete(payment_uuid as never)
  }
  clock.advance(3_600)
  const { program_id } = shop.merchant
  const payments = {
    of: async (owner: { program_id: number }) => (owner.program_id === program_id ? provider : undefined),
  }
  const reconcile = createReconcile({ ...{ db: database.db, clock, payments }, grace_s: 3_600 })
  const stopping = new AbortController()
  const found: string[] = []
  const onFinding = ({ action }: { readonly action: string }): void => {
    found.push(action)
    stopping.abort()
  }
  await reconcile(onFinding, stopping.signal)
  expect(found).toEqual(Array.from({ length: 4 }, () => 'reversed'))
  await reconcile(onFinding)
  expect(found).toHaveLength(5)
})

test('a round of abandoned checkouts ends between two transactions', async () => {
  const clock = new TestClock(app_noon)
  const services = servicesOn(database.db, { clock })
  const shop = await oneShop(database.db)
  for (let n = 0; n < 3; n += 1) await openedCheckout(services, shop)
  clock.advance(31 * 86_400)
  const stopping = new AbortController()
  const db = new Proxy(database.db, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      if (name === 'transaction') stopping.abort()
      return found.bind(target)
    },
  })
  const settings = { checkout_retention_days: 30, checkout_store_bytes: 1, batch: 1 }
  const purge = createPurgeAbandoned({ db, clock, ...settings })
  expect(await purge(stopping.signal)).toMatchObject({ deleted: 1 })
  expect(await purge(AbortSignal.abort())).toMatchObject({ deleted: 0 })
  expect(await purge()).toMatchObject({ deleted: 2 })
})

test('maintenance ends between two tables', async () => {
  const parts = { clock: new TestClock(app_noon), retention_days: 30, request_log_days: 7 }
  // Whatever it asked of this database would fail.
  const open = { service: undefined as never }
  await purgeExpired({ ...parts, open, stopping: AbortSignal.abort() })
  await expect(purgeExpired({ ...parts, open })).rejects.toThrow(TypeError)
})
