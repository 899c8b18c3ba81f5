import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { operatedShop } from '../support/operated-shop.ts'

const { origin, shop, viewer } = await operatedShop()
const browser = testBrowser()

// The refusal of half an id stood in place of the whole page, without the field in which it was being typed.
it.each([
  { path: () => `/m/${shop().merchant_id}/requests`, label: 'Request id', half: '0198', url: /request_id=0198$/ },
  { path: () => `/p/${shop().program_id}/audit`, label: 'Of', half: 'merchant:', url: /object=merchant/ },
  { path: () => '/operator/audit', label: 'Of', half: 'merchant:', url: /object=merchant/ },
])('half of what a list is searched for leaves the field with its focus', async ({ path, label, half, url }) => {
  const page = await openDashboard(browser, { origin, path: path(), viewer: viewer(), mayFail: /\/(requests|audit)\?/ })
  const field = page.getByRole('searchbox', { name: label, exact: true })
  await field.pressSequentially(half)
  await page.waitForURL(url)
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
  await page.getByText('The given data was invalid.').waitFor()
  expect(await field.inputValue()).toBe(half)
  await field.and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect.poll(() => field.inputValue()).toBe('')
})
