import { expect, it } from 'vitest'
import { makeMerchant, makeProgram, testApp } from '../support/api.ts'
import { expectToFit, testBrowser, useOnce, waitUntilQuiet } from '../support/browser.ts'
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

/** The names in the bar of a phone that are broken within a word. */
const brokenNames = `[...document.querySelectorAll('nav[aria-label="العمل اليومي"] span')].filter((name) => {
  const range = document.createRange()
  range.selectNodeContents(name)
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  return lines > name.textContent.split(' ').length
}).map((name) => name.textContent)`

/** The lines of the bar. */
const lines = `new Set([...document.querySelectorAll('nav[aria-label="العمل اليومي"] > *')].map((tab) => tab.offsetTop)).size`

/** How much of the end of the page the bar would cover. */
const covered = `document.querySelector('nav[aria-label="العمل اليومي"]').offsetHeight -
  Number.parseFloat(getComputedStyle(document.querySelector('main')).paddingBottom)`

// The tabs shared the width alike, which broke long names in two.
it('the bar of a phone breaks no name within a word, with text of twice the size', async () => {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  for (const path of [`/p/${program_id}/proposals`, `/m/${merchant_id}/team`, '/operator/health']) {
    const page = await openDashboard(browser, { origin, path, viewer, locale: 'ar', width: 360 })
    useOnce(page)
    expect(await page.evaluate(lines)).toBe(1)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await waitUntilQuiet(page)
    expect(await page.evaluate(covered)).toBeLessThan(0)
    expect(await page.evaluate(brokenNames)).toEqual([])
    await expectToFit(page)
  }
})
