import { expect, it } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testBrowser, useOnce } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// With text of twice the size, "More", which leads to most pages, stood beyond the edge, and the banner lost two of its lines.
it('the bar and the banner of a phone hold text of twice the size', async () => {
  const { program_id } = await makeProgram(app().db)
  const viewer = await makePerson(app(), 'operator')
  const path = `/p/${program_id}/proposals`
  const page = await openDashboard(browser, { origin, path, viewer, locale: 'ar', width: 360 })
  useOnce(page)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const [edge, cut] = await page.evaluate<[number, number]>(`(() => {
    const tabs = [...document.querySelector('nav[aria-label="العمل اليومي"]').children]
    const banner = document.querySelector('section')
    const text = banner.querySelector('span').getBoundingClientRect()
    const room = banner.getBoundingClientRect()
    const edge = Math.min(...tabs.map((tab) => tab.getBoundingClientRect().left))
    return [edge, Math.max(room.top - text.top, text.bottom - room.bottom)]
  })()`)
  expect(edge).toBeGreaterThanOrEqual(0)
  expect(cut).toBeLessThanOrEqual(0)
})
