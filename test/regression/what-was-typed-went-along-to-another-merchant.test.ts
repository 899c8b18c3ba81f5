import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser, useOnce } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// The search leads from one merchant's page straight to another's. The page stayed, with what was typed about the first.
it('a note that was typed about one merchant is not on the page of the next', async () => {
  const first = await makeMerchant(app().db)
  const { program_id } = first
  const next = await makeMerchant(app().db, { program_id, name: 'Almond Tree' })
  const viewer = await makePerson(app(), 'operator')
  const path = `/p/${program_id}/merchants`
  const page = await openDashboard(browser, { origin, path: `${path}/${first.merchant_id}`, viewer })
  useOnce(page)
  const field = page.getByRole('textbox', { name: 'Notes', exact: true })
  await field.fill('Call them on Sunday.')
  await page.getByRole('button', { name: /^Search/ }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Almond')
  await page.getByRole('dialog').getByText('Almond Tree').click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(new RegExp(`${path}/${next.merchant_id}$`))
  await page.getByRole('heading', { level: 1, name: 'Almond Tree' }).waitFor()
  expect(await field.inputValue()).toBe('')
})
