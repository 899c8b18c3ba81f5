import { expect, it } from 'vitest'
import { readChecklist } from '../../src/features/activity/checklist.ts'
import type { Services } from '../../src/routes.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { openedCheckout, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'

// Whoever tried an integration up to the code was told that no checkout had been opened yet: the checklist looked only for
// those that nobody had proven.

const database = testDatabase()

it.each([
  ['not proven', (services: Services, shop: Shop) => openedCheckout(services, shop)],
  ['proven', (services: Services, shop: Shop) => provenCheckout(database.db, services, shop)],
])('a checkout that is opened and %s is ticked', async (_, open) => {
  const { db } = database
  const shop = await oneShop(db)
  const opened = async () => (await readChecklist(db, shop.merchant)).find(({ item }) => item === 'checkout_opened')
  expect(await opened()).toMatchObject({ done: false, at: null })
  await open(servicesOn(db, { clock: new TestClock('2026-02-01T09:00:00.000Z') }), shop)
  expect(await opened()).toMatchObject({ done: true, at: expect.any(String) })
})
