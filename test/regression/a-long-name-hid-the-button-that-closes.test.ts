import { expect, it } from 'vitest'
import { makeMerchant, makeProgram, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// A phone showed neither the end of the name nor the button.
it('the dialog about a shop with a long name can be closed on a phone', async () => {
  const { program_id } = await makeProgram(app().db)
  const { merchant_id } = await makeMerchant(app().db, { name: 'W'.repeat(60), program_id })
  const viewer = await makePerson(app(), 'operator')
  const path = `/p/${program_id}/merchants/${merchant_id}`
  const page = await openDashboard(browser, { origin, path, viewer, width: 360 })
  await page.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog')
  const [box, button] = [dialog, dialog.getByRole('button', { name: 'Close' })]
  await button.waitFor()
  const [outer, inner] = [await box.boundingBox(), await button.boundingBox()]
  const room = (outer?.x ?? 0) + (outer?.width ?? 0) - (inner?.x ?? 0) - (inner?.width ?? 0)
  expect(room).toBeGreaterThanOrEqual(0)
})

// The ring around the field crossed the descenders of its Arabic label.
it('the ring of a field in a dialog keeps off the label above it', async () => {
  const shop = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { ...shop, role: 'owner' })
  const path = `/m/${shop.merchant_id}/team`
  const page = await openDashboard(browser, { origin, path, viewer, locale: 'ar', width: 360 })
  await page.getByRole('button', { name: 'دعوة شخص' }).click()
  await page.getByRole('dialog').locator('input:focus').waitFor()
  const room = await page.evaluate<number>(`(() => {
    const field = document.querySelector('input:focus')
    const label = document.querySelector('label[for="' + field.id + '"]')
    return field.getBoundingClientRect().top - label.getBoundingClientRect().bottom
  })()`)
  expect(room).toBeGreaterThan(4)
})
