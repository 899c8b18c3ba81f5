import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// Two decimals fewer than on the merchant's own page: 0.0001 points per SAR stood there as 0.
it('the points per SAR of a merchant are shown with all their decimals', async () => {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  const settings = `/merchants/${merchant_id}/settings`
  const { example_points: _, ...saved } = (await viewer.call('GET', settings)).body.data as Record<string, unknown>
  expect((await viewer.call('PATCH', settings, { ...saved, points_per_sar: 0.0001 })).status).toBe(200)
  const path = `/p/${program_id}/merchants/${merchant_id}`
  const page = await openDashboard(browser, { origin, path, viewer })
  await page.getByText('0.0001', { exact: true }).waitFor()
})
