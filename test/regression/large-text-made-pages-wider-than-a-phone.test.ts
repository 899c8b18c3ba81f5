import { it } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectToFit, testBrowser, useOnce } from '../support/browser.ts'
import { moveTo, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// With text of twice the size, buttons, choices, times and rows of lists stood up to 224 pixels beyond the edge of a phone.
it('pages of the dashboard hold text of twice the size without sideways scrolling', async () => {
  const { merchant_id, program_id, private_key } = await makeMerchant(app().db)
  await app().post('/v1/orders/earning', private_key, purchase())
  const viewer = await makePerson(app(), 'operator')
  const ofMerchant = `/m/${merchant_id}`
  const page = await openDashboard(browser, { origin, path: `${ofMerchant}/`, viewer, width: 360 })
  useOnce(page)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectToFit(page)
  const paths = [
    ...['orders', 'customers', 'settings/keys', 'settings/brand', 'requests'].map((path) => `${ofMerchant}/${path}`),
    ...['settlements', 'audit'].map((path) => `/p/${program_id}/${path}`),
  ]
  for (const path of paths) {
    await moveTo(page, path)
    await expectToFit(page)
  }
})
