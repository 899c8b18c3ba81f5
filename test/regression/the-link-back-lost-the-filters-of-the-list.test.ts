import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// Whoever looked through a filtered list opened a row, went back by the link above it, and had to filter anew.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let merchant: MadeMerchant
let viewer: Person
let order = ''
const phone = '0512345678'

beforeAll(async () => {
  merchant = await makeMerchant(app().db)
  viewer = await makePerson(app(), { ...merchant, role: 'support' })
  const { body } = await app().post('/v1/orders/earning', merchant.private_key, purchase())
  order = (body.data as { readonly uuid: string }).uuid
})

const pathOf = (path: string) => `/m/${merchant.merchant_id}/${path}`
const search = (page: Page, name: string) => page.getByRole('main').getByRole('searchbox', { name })

it.each([
  { locale: 'en', field: 'Search', back: 'Orders' },
  { locale: 'ar', field: 'بحث', back: 'الطلبات' },
] as const)('the link above an order leads back to the list as it was ($locale)', async ({ locale, field, back }) => {
  const path = pathOf('orders?status=approved')
  const page = await openDashboard(browser, { origin, path, viewer, locale })
  // A phone number stays out of the URL, where it would be listed by the browser.
  await search(page, field).fill(phone)
  // The search waits for more letters.
  await expect.poll(() => page.evaluate<string>('JSON.stringify(history.state)')).toContain(phone)
  await settled(page)
  await page.getByRole('row').getByRole('link').first().click()
  await page.waitForURL(new RegExp(order))
  await settled(page)
  await page.getByRole('main').getByRole('link', { name: back, exact: true }).click()
  await page.waitForURL(/orders\?status=approved$/)
  await settled(page)
  expect(await search(page, field).inputValue()).toBe(phone)
})

it('the link above an order that was opened by its URL leads to the whole list', async () => {
  const page = await openDashboard(browser, { origin, path: pathOf(`orders/${order}`), viewer })
  await page.getByRole('main').getByRole('link', { name: 'Orders', exact: true }).click()
  await page.waitForURL(`${origin}/dashboard${pathOf('orders')}`)
})
