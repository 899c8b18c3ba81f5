import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { pngOf } from '../support/logos.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

async function open(path: string) {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const api = async (name: string) => (await viewer.call('GET', `/merchants/${merchant_id}/${name}`)).body.data
  const visit = { origin, path: `/m/${merchant_id}/${path}`, viewer }
  return { page: await openDashboard(browser, visit), api }
}

// A logo is saved as soon as it is chosen, and signed checkouts are switched at once. What was typed beside them was refused
// then: "Somebody else changed this".
it('a logo that one chooses says nothing against the name that one types', async () => {
  const { page, api } = await open('settings/brand')
  await page.getByLabel('Name', { exact: true }).fill('Sidra')
  const files = page.locator('input[type=file]').first()
  await files.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf(64, 64) })
  await page.getByRole('img', { name: 'Square logo' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
  expect(await api('brand')).toMatchObject({ name: 'Sidra', logo: expect.anything() })
})

it('checkouts that one lets sign say nothing against the methods that one chooses', async () => {
  const { page, api } = await open('settings/payment')
  await page.getByRole('switch', { name: 'mada' }).click()
  await page.getByRole('switch', { name: 'Require a signature' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require signatures' }).click()
  await page.getByRole('checkbox', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('You have unsaved changes').waitFor({ state: 'detached' })
  expect(await api('payment')).toMatchObject({ methods: ['mada'], signed_checkouts: true })
})
