import type { Page } from 'playwright-core'
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

/** Whether the first letter of a name is inside of the first visible element that shows the name. */
const showsBeginning = (page: Page, name: string) =>
  page.evaluate<boolean>(`(() => {
    const all = [...document.querySelectorAll('span')]
    const shown = all.find((one) => one.textContent === '${name}' && one.getClientRects().length > 0)
    const first = document.createRange()
    first.setStart(shown.firstChild, 0)
    first.setEnd(shown.firstChild, 1)
    const [letter, box] = [first.getBoundingClientRect(), shown.getBoundingClientRect()]
    return letter.left >= box.left - 1 && letter.right <= box.right + 1
  })()`)

// Beside an English page a shop whose Arabic name did not fit was called by the end of its name.
it.each([
  ['an Arabic name on an English page', 'م'.repeat(60), 'en', 1280],
  ['a Latin name on an Arabic page', 'W'.repeat(60), 'ar', 1280],
  ['a Latin name on an Arabic page of a phone', 'W'.repeat(60), 'ar', 360],
] as const)('%s shows its beginning', async (_, name, locale, width) => {
  const shop = await makeMerchant(app().db, { name })
  const viewer = await makePerson(app(), { ...shop, role: 'owner' })
  const path = `/m/${shop.merchant_id}/settings/keys`
  const page = await openDashboard(browser, { origin, path, viewer, locale, width })
  expect(await showsBeginning(page, name)).toBe(true)
})
