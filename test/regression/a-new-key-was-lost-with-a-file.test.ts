import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

const file = /\/assets\/secret-list-/

async function open(page: Page): Promise<void> {
  await page.goto(`${staff.origin}/dashboard${staff.pathOf('settings/keys')}`)
  await settled(page)
}

async function openBrowser(): Promise<Page> {
  const page = await browser.open({ origin: staff.origin, device: 'desktop', maySay: /ERR_FAILED/ })
  useOnce(page)
  return page
}

async function replaceKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Replace the private key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the private key' }).click()
}

const key = (page: Page) => page.getByRole('dialog', { name: 'Your new keys' }).getByText(/^sk_(live|test)_/)

// The key was made, and the dialog that shows it once could not be loaded: a failure replaced the page, and the key was lost.
it('a new key waits for the file that shows it', async () => {
  const page = await openBrowser()
  await page.route(file, (route) => route.abort())
  await open(page)
  await page.route('**', (route) => (route.request().method() === 'POST' ? route.fallback() : route.abort()))
  await replaceKey(page)
  const failure = page.getByRole('dialog', { name: 'This did not work' })
  await failure.getByText('The service cannot be reached').waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await key(page).waitFor()
})

it('a new key is shown although the network went while it was made', async () => {
  const page = await openBrowser()
  const loaded = page.waitForResponse(file)
  await open(page)
  await (await loaded).finished()
  await page.route('**', (route) => (route.request().method() === 'POST' ? route.fallback() : route.abort()))
  await replaceKey(page)
  await key(page).waitFor()
  expect(await page.getByRole('dialog', { name: 'This did not work' }).count()).toBe(0)
})

// The dialog with the new key waited until the page had read the keys again, without a bound.
it('a new key is shown although nothing else is answered any more', async () => {
  const page = await openBrowser()
  const loaded = page.waitForResponse(file)
  await open(page)
  await (await loaded).finished()
  await page.route('**', (route) => (route.request().method() === 'POST' ? route.fallback() : undefined))
  await replaceKey(page)
  await key(page).waitFor()
})
