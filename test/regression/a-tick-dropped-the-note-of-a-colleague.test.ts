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

interface Reviewed {
  readonly documents: readonly { readonly document: string; readonly note: string; readonly seen_at: string | null }[]
}

async function open() {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const [viewer, colleague] = [await makePerson(app(), 'operator'), await makePerson(app(), 'operator')]
  const api = `/programs/${program_id}/merchants/${merchant_id}`
  const path = `/p/${program_id}/merchants/${merchant_id}`
  const reviewed = async () => (await colleague.call('GET', api)).body.data as Reviewed
  const contract = async () => (await reviewed()).documents.find(({ document }) => document === 'contract')
  const visit = () => openDashboard(browser, { origin, path, viewer, mayFail: /\/merchants\/\d+$/ })
  return { colleague, api, contract, visit }
}

// A tick sent the note that the page had read: what a colleague had written about the paper meanwhile was gone.
it('a paper that is ticked keeps the note that a colleague wrote meanwhile', async () => {
  const { colleague, api, contract, visit } = await open()
  const page = await visit()
  const paper = `${api}/documents/contract`
  expect((await colleague.call('PUT', paper, { seen: false, note: 'Ends in May' })).status).toBe(200)
  await page.getByRole('checkbox', { name: 'Signed contract', exact: true }).click()
  await expect.poll(async () => (await contract())?.seen_at).not.toBeNull()
  expect(await contract()).toMatchObject({ note: 'Ends in May' })
  const field = page.getByRole('textbox', { name: /^Signed contract: / })
  await expect.poll(() => field.inputValue()).toBe('Ends in May')
  await field.fill('Ends in June')
  const save = page.getByRole('listitem').filter({ has: field }).getByRole('button', { name: 'Save' })
  await save.click()
  await save.waitFor({ state: 'detached' })
  expect(await contract()).toMatchObject({ note: 'Ends in June' })
  await field.fill('')
  await save.click()
  await save.waitFor({ state: 'detached' })
  expect(await contract()).toMatchObject({ note: '' })
})
