import { expect, it } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { expectToFit, testBrowser, useOnce } from '../support/browser.ts'
import { moveTo, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// With text of twice the size, buttons, choices, times and rows of lists stood up to 224 pixels beyond the edge of a phone.
it('pages of the dashboard hold text of twice the size without sideways scrolling', async () => {
  const { merchant_id, program_id, private_key } = await makeMerchant(app().db)
  await app().post('/v1/orders/earning', private_key, purchase())
  const viewer = await makePerson(app(), 'operator')
  const ofMerchant = `/m/${merchant_id}`
  const page = await openDashboard(browser, { origin, path: `${ofMerchant}/`, viewer, width: 360 })
  useOnce(page)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectToFit(page)
  const paths = [
    ...['orders', 'customers', 'settings/keys', 'settings/brand', 'requests'].map((path) => `${ofMerchant}/${path}`),
    ...['settlements', 'audit'].map((path) => `/p/${program_id}/${path}`),
  ]
  for (const path of paths) {
    await moveTo(page, path)
    await expectToFit(page)
  }
})

/** The buttons of lists that are broken within a word, with their lines. */
const brokenButtons = `[...document.querySelectorAll('td button')].map((button) => {
  const range = document.createRange()
  range.selectNodeContents(document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode())
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  return [button.textContent, lines]
}).filter(([text, lines]) => lines > text.split(' ').length)`

// Beside their long Arabic labels, the buttons of a team had one letter a line, and states and addresses left their cards.
it('lists of people in Arabic hold text of twice the size, with whole words on their buttons', async () => {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  const owner = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  await owner.call('POST', `/merchants/${merchant_id}/team/invitations`, {
    email: 'noura@shop.example',
    role: 'support',
  })
  const path = `/m/${merchant_id}/team`
  const page = await openDashboard(browser, { origin, path, viewer, width: 360, locale: 'ar' })
  useOnce(page)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await page.getByText('noura@shop.example').first().waitFor()
  await expectToFit(page)
  expect(await page.getByRole('button', { name: 'تغيير الدور' }).count()).toBe(1)
  expect(await page.evaluate(brokenButtons)).toEqual([])
  await moveTo(page, '/operator/people')
  await expectToFit(page)
  expect(await page.evaluate(brokenButtons)).toEqual([])
})
