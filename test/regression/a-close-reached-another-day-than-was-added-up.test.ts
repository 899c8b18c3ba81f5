import { expect, it } from 'vitest'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// A day that was chosen while the service took up the request counted as the day that was added up: the period could be
// closed up to it, beside the figures of another.
it('a period is closed only up to the day that was added up', async () => {
  const { private_key, program_id } = await makeMerchant(app().db)
  await app().post('/v1/orders/earning', private_key, purchase())
  const viewer = await makePerson(app(), 'operator')
  const page = await openDashboard(browser, { origin, path: `/p/${program_id}/settlements`, viewer })
  const held = Promise.withResolvers<void>()
  await page.route('**/settlement-runs', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const close = page.getByRole('button', { name: 'Close and settle' })
  const day = page.getByLabel('Last day')
  await page.getByRole('button', { name: 'Add up' }).click()
  await day.fill('2026-01-31')
  held.resolve()
  await page.getByText('Adding up: waits for its turn').waitFor()
  await doSettlementRuns({ db: app().db, clock: app().clock, log: { warn: () => undefined } })
  await page.getByText('Added up until').waitFor()
  expect(await close.isDisabled()).toBe(true)
  await day.fill('')
  await expect.poll(() => close.isEnabled()).toBe(true)
})
