import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

async function open(path: string): Promise<Page> {
  const { origin } = staff
  const page = await browser.open({ origin, device: 'desktop', maySay: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
  useOnce(page)
  await page.goto(`${origin}/dashboard${staff.pathOf(path)}`)
  await settled(page)
  return page
}

async function openOrder(): Promise<Page> {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  return open(`orders/${order_uuid}`)
}

const auditLog = (page: Page) => page.getByRole('link', { name: 'Audit log' })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })

// Without a network, a page whose script was not loaded yet reloaded all, and the browser showed a page of its own.
it('a page that cannot be loaded without a network says so, and opens when the network is back', async () => {
  const page = await open('orders')
  await page.context().setOffline(true)
  await auditLog(page).click()
  await tryAgain(page).waitFor()
  expect(await page.getByRole('link', { name: 'Customers' }).isVisible()).toBe(true)
  await page.context().setOffline(false)
  await tryAgain(page).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})

// The browser says that it has a network whenever it has a cable or a Wi-Fi.
it('a page that cannot be loaded because the service is away says so, and opens when the service is back', async () => {
  const page = await open('orders')
  await page.route('**', (route) => route.abort())
  await auditLog(page).click()
  await tryAgain(page).waitFor()
  await page.unroute('**')
  await tryAgain(page).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})

// The request waited for the network without a word.
it('a page whose script is there already says that its rows cannot be loaded without a network', async () => {
  const page = await open('audit')
  await page.context().setOffline(true)
  await page.getByLabel('Who').fill('owner@shop.example')
  await tryAgain(page).waitFor()
  await page.context().setOffline(false)
  await tryAgain(page).click()
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
})

// The page was replaced by a failure that only a reload could end, which without a network ends in the browser's own page.
it('a dialog that cannot be loaded without a network opens when the network is back', async () => {
  const page = await openOrder()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await tryAgain(page).waitFor()
  await page.context().setOffline(false)
  await tryAgain(page).click()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByRole('dialog').waitFor()
})

// It waited for the network, and was carried out whenever that came back.
it('what is sent without a network fails at once, and is not sent later', async () => {
  const page = await openOrder()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await dialog.getByText('The service cannot be reached').first().waitFor()
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.context().setOffline(false)
  await expect.poll(() => sent).not.toEqual([])
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
})
