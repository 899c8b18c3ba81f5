import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { operatedShop } from '../support/operated-shop.ts'

const { origin, shop, viewer } = await operatedShop()
const browser = testBrowser()

// Browsers tell of the year 0002 once the first digit of 2026 is typed. The list was filtered by it, and the field emptied.
it('a day can be typed, and is one step of the history', async () => {
  const path = `/m/${shop().merchant_id}/orders`
  const page = await openDashboard(browser, { origin, path, viewer: viewer() })
  const field = page.getByLabel('From')
  await field.focus()
  for (const digit of '05052026') await page.keyboard.press(digit)
  await page.waitForURL(/\?from=2026-05-05$/)
  expect(await field.inputValue()).toBe('2026-05-05')
  await page.goBack()
  await page.waitForURL(`${origin}/dashboard${path}`)
  await expect.poll(() => field.inputValue()).toBe('')
})
