import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser, useOnce } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// Notices come in a file of their own, after the page: one that is given while it is missing must not be lost.
it('a notice is shown although the file that shows it did not come with the page', async () => {
  const merchant = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { ...merchant, role: 'owner' })
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_FAILED/ })
  useOnce(page)
  let failed = 0
  await page.route('**/assets/notices-*.js', async (route) => {
    failed += 1
    await (failed === 1 ? route.abort() : route.continue())
  })
  await page
    .context()
    .addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url: `${origin}/`, secure: true })))
  await page.goto(`${origin}/dashboard/account`)
  await page.getByLabel('Name', { exact: true }).fill('Noura')
  await expect.poll(() => failed).toBe(1)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(failed).toBe(2)
})
