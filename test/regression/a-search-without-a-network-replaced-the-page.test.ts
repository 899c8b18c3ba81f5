import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { resize, testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

/** Opens a page which has not loaded any of these files, and takes its network away. */
async function openWithout(files: RegExp, path: string): Promise<Page> {
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_FAILED/ })
  useOnce(page)
  await page.route(files, (route) => route.abort())
  await page.goto(`${origin}/dashboard${staff.pathOf(path)}`)
  await settled(page)
  await page.route('**', (route) => route.abort())
  return page
}

async function bringBack(page: Page, files: RegExp): Promise<void> {
  await page.unroute('**')
  await page.unroute(files)
}

const failure = (page: Page) => page.getByRole('dialog', { name: 'This did not work' })
const tryAgain = (page: Page) => failure(page).getByRole('button', { name: 'Try again' })

// The page behind was lost, with what was typed in it.
it('a search that cannot be loaded says so over the page, and opens with what was typed', async () => {
  const files = /\/assets\/palette-/
  const page = await openWithout(files, 'orders')
  const typed = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await typed.promise
    await route.abort()
  })
  const heading = page.getByRole('heading', { level: 1, name: 'Orders', includeHidden: true })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('aud')
  typed.resolve()
  await failure(page).getByText('The service cannot be reached').waitFor()
  expect(await heading.isVisible()).toBe(true)
  await tryAgain(page).and(page.locator(':focus')).waitFor()
  await bringBack(page, files)
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: /Find a page/ })
  await field.waitFor()
  expect(await field.inputValue()).toBe('aud')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})

it('the menu of a phone that cannot be loaded says so over the page', async () => {
  const files = /\/assets\/more-drawer-/
  const page = await openWithout(files, 'orders')
  await resize(page, { width: 360, height: 740 })
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.click()
  await failure(page).waitFor()
  expect(await page.getByRole('heading', { level: 1, name: 'Orders', includeHidden: true }).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await more.and(page.locator(':focus')).waitFor()
  await more.click()
  await failure(page).waitFor()
  await bringBack(page, files)
  await tryAgain(page).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})
