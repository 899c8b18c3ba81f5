import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser, useOnce, waitUntilQuiet } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// The page sent a note on top of the newest version, which its writer had not seen: the note of a colleague was gone.
it('the note of operators on a merchant undoes nothing unseen that a colleague writes', async () => {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const [viewer, colleague] = [await makePerson(app(), 'operator'), await makePerson(app(), 'operator')]
  const api = `/programs/${program_id}/merchants/${merchant_id}`
  const saved = async () => (await colleague.call('GET', api)).body.data as { note: { note: string; version: string } }
  const writeElsewhere = async (note: string) => {
    const { version } = (await saved()).note
    expect((await colleague.call('PUT', `${api}/note`, { version, note })).status).toBe(200)
  }
  const page = await openDashboard(browser, {
    ...{ origin, path: `/p/${program_id}/merchants/${merchant_id}`, viewer, mayFail: /\/note$/ },
  })
  useOnce(page)
  const field = page.getByRole('textbox', { name: 'Notes', exact: true })
  const save = page.locator('form').filter({ has: field }).getByRole('button', { name: 'Save' })
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' })
  await field.fill('Call them on Sunday.')
  await writeElsewhere('Their bank has changed.')
  // A paper that is ticked lets the page ask for all of the merchant again.
  await page.getByRole('checkbox').first().click()
  await waitUntilQuiet(page)
  await save.click()
  await dialog.getByText('Their bank has changed.').waitFor()
  await dialog.getByRole('button', { name: 'Save mine anyway' }).click()
  await expect.poll(async () => (await saved()).note.note).toBe('Call them on Sunday.')
  await waitUntilQuiet(page)
  await field.fill('Called them. ')
  await writeElsewhere('They called back.')
  await save.click()
  await dialog.getByRole('button', { name: 'Take the saved values' }).click()
  expect(await field.inputValue()).toBe('They called back.')
  await field.fill('They called back twice. ')
  await save.click()
  await expect.poll(() => field.inputValue()).toBe('They called back twice.')
  expect((await saved()).note.note).toBe('They called back twice.')
})
