import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser, useOnce } from '../support/browser.ts'
import { browserAsks, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// A link to another page dropped what was typed about a merchant, without a question.
it('the notes of operators on a merchant and its papers ask before what was typed is left', async () => {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  const page = await openDashboard(browser, { origin, path: `/p/${program_id}/merchants/${merchant_id}`, viewer })
  useOnce(page)
  const note = page.getByRole('textbox', { name: 'Notes', exact: true })
  const contract = page.getByRole('textbox', { name: 'Signed contract: Note' })
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  const link = page.getByRole('link', { name: 'Settlements', exact: true }).first()
  expect(await browserAsks(page)).toBe(false)
  await note.fill('Call them on Sunday.')
  await contract.fill('Signed by the uncle.')
  await expect.poll(() => browserAsks(page)).toBe(true)
  await link.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.locator('form').filter({ has: note }).locator(save).click()
  await page.getByText('Saved.').waitFor()
  await link.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect([await note.inputValue(), await contract.inputValue()]).toEqual([
    'Call them on Sunday.',
    'Signed by the uncle.',
  ])
  await page.getByRole('listitem').filter({ has: contract }).locator(save).click()
  await expect.poll(() => browserAsks(page)).toBe(false)
  await note.fill('Call them on Monday.')
  await contract.fill('Signed by the aunt.')
  await link.click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settlements' }).waitFor()
})
