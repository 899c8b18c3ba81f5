import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { operatedShop } from '../support/operated-shop.ts'

// A link to a webhook that was deleted meanwhile, or to a merchant by a text that is no number, showed "Something went wrong!"
// of a library in place of the whole dashboard, to everybody in English.

const { origin, shop, viewer } = await operatedShop()
const browser = testBrowser()

const ofShop = () => `/m/${shop().merchant_id}`
const ofProgram = () => `/p/${shop().program_id}`

it.each([
  {
    locale: 'en',
    area: ofShop,
    list: 'webhooks',
    one: '01900000-0000-7000-8000-000000000000',
    text: 'There is nothing here',
    link: 'Webhooks',
  },
  { locale: 'ar', area: ofShop, list: 'webhooks', one: 'x', text: 'لا يوجد شيء هنا', link: 'إشعارات Webhook' },
  { locale: 'en', area: ofProgram, list: 'merchants', one: 'x', text: 'There is nothing here', link: 'Merchants' },
] as const)('what $list/$one names leaves the dashboard around it ($locale)', async (look) => {
  const { locale, area, list, one, text, link } = look
  const page = await openDashboard(browser, { origin, path: `${area()}/${list}/${one}`, viewer: viewer(), locale })
  await page.getByRole('heading', { level: 1, name: text }).waitFor()
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: link }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/dashboard${area()}/${list}`)
})
