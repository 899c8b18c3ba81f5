import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// Three sides of the ring lay beyond the palette, which ends at the edges of its field: one line below the field was left.
it('the focus of the palette is drawn within its field', async () => {
  const { merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  const page = await openDashboard(browser, { origin, path: `/m/${merchant_id}/orders`, viewer })
  await page.keyboard.press('Control+k')
  const field = page.getByRole('textbox', { name: /Find/ })
  await field.and(page.locator(':focus-visible')).waitFor()
  const [style, width, offset] = await page.evaluate<[string, string, string]>(`(() => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(document.activeElement)
    return [outlineStyle, outlineWidth, outlineOffset]
  })()`)
  expect(style).toBe('solid')
  expect(Number.parseFloat(offset)).toBeLessThanOrEqual(-Number.parseFloat(width))
})
