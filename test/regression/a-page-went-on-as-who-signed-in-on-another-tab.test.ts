import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// Two people share a computer. The tab of the first took over the session of the second when somebody came back to it: what
// the first had typed went out in the name of the second.
it('a page begins anew once somebody else is signed in in its browser', async () => {
  const merchant = await makeMerchant(app().db)
  const first = await makePerson(app(), { ...merchant, role: 'support' })
  const second = await makePerson(app(), { ...merchant, role: 'support' })
  const page = await openDashboard(browser, { origin, path: '/account', viewer: first })
  await page.getByLabel('Name', { exact: true }).fill('Typed by the first')
  const cookies = [...second.cookies].map(([name, value]) => ({ name, value, url: `${origin}/`, secure: true }))
  await page.context().addCookies(cookies)
  // A minute later, so that the page asks who is signed in.
  await page.evaluate('Date.now = ((now) => () => now() + 61_000)(Date.now)')
  const begun = page.waitForEvent('load')
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  await begun
  await settled(page)
  expect(await page.getByText(second.email).count()).toBeGreaterThan(0)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).not.toBe('Typed by the first')
})
