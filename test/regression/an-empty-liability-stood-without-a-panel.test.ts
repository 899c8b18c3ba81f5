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

/** The edge of what lies around a title. */
const edge = `[...document.querySelectorAll('main h2')].map((title) => {
  for (let one = title; one.matches('main *'); one = one.parentElement)
    if (getComputedStyle(one).borderTopStyle === 'solid') return true
  return false
})`

// Its title and button lay on the page itself, unlike those of every empty list.
it('the liability of a program without reports, and an unmade day of it, stand in a panel', async () => {
  const { program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  for (const query of ['', '?on=2020-01-31']) {
    const path = `/p/${program_id}/liability${query}`
    const page = await openDashboard(browser, { origin, path, viewer, mayFail: /\/liability\// })
    await page.locator('main h2').waitFor()
    expect(await page.evaluate(edge)).toEqual([true])
    await browser.leave(page)
  }
})
