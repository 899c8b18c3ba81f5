import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { pngOf } from '../support/logos.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// A browser does not tell of a file that is chosen again, so a logo whose upload had failed could not be tried again.
it('a file whose upload has failed can be chosen again', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const page = await openDashboard(browser, { origin, path: `/m/${merchant_id}/settings/brand`, viewer })
  const files = page.locator('input[type=file]').first()
  await files.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf(64, 64) })
  await page.getByRole('img', { name: 'Square logo' }).waitFor()
  expect(await files.inputValue()).toBe('')
})
