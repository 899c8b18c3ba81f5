import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const browser = testBrowser()
const staff = staffedShop(testDatabase(), new TestClock('2026-02-01T09:00:00.000Z'))

async function openWith(languages: readonly string[]) {
  const page = await browser.open({ origin: staff.origin, device: 'desktop' })
  useOnce(page)
  await page.addInitScript(
    `Object.defineProperty(navigator, 'languages', { configurable: true, value: ${JSON.stringify(languages)} })`,
  )
  await page.goto(`${staff.origin}/dashboard${staff.pathOf('customers')}`)
  await settled(page)
  return page
}

// Whoever had Arabic anywhere in the list got it.
it.each([
  [['en-GB', 'ar'], 'en'],
  [['fr-FR', 'ar-SA', 'en'], 'ar'],
  [['fr-FR'], 'en'],
])('a browser that lists %j begins in "%s"', async (languages, begins) => {
  const page = await openWith(languages)
  expect(await page.locator(':root').getAttribute('lang')).toBe(begins)
})

// Chromium sends English with these downloads: the list above changes only what scripts read.
it('a file has the language of the page from which it is downloaded', async () => {
  const page = await openWith(['ar'])
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'تنزيل CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file.split('\n')[0]).toMatch(/[\u0600-\u06ff]/)
})
