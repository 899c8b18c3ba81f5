import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { operatedShop } from '../support/operated-shop.ts'

const { origin, shop, viewer } = await operatedShop()
const browser = testBrowser()

// The refusal of a date in a link stood in place of the whole page, without a field to correct it in.
it.each([
  { path: () => `/m/${shop().merchant_id}/orders` },
  { path: () => `/m/${shop().merchant_id}/audit` },
  { path: () => `/p/${shop().program_id}/audit` },
  { path: () => '/operator/audit' },
])('a link with a date that does not exist says so in its page, which can clear it', async ({ path }) => {
  const visit = { origin, path: `${path()}?from=2026-13-45`, viewer: viewer(), mayFail: /\/(orders|audit)\?/ }
  const page = await openDashboard(browser, visit)
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
  expect(await page.getByLabel('From').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor({ state: 'detached' })
})

it('a link to the liability at the end of a day that does not exist shows the page without it', async () => {
  const page = await openDashboard(browser, {
    origin,
    path: `/p/${shop().program_id}/liability?on=2026-13-45`,
    viewer: viewer(),
  })
  await page.getByRole('heading', { name: 'No day has been added up yet' }).waitFor()
})
