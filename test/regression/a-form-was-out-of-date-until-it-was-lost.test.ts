import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

const [before, after] = ['kettle grants tuesday', 'another kettle on monday']

async function open() {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'owner' }, before)
  const path = `/m/${merchant_id}/settings/earning`
  const page = await openDashboard(browser, { origin, path, viewer, mayFail: /\/settings$/ })
  await page.getByLabel('Points per SAR', { exact: true }).fill('9')
  /** Another tab gives the browser the session of somebody. */
  const take = async (person: Person) => {
    const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: `${origin}/`, secure: true }))
    await page.context().addCookies(cookies)
  }
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const saved = async () => (await viewer.call('GET', `/merchants/${merchant_id}/settings`)).body.data
  return { at: { program_id, merchant_id }, viewer, page, take, save, saved }
}

// A new password renews the session, with the token that every change has to carry. Another tab was refused with its old one
// at each press, and was told to load the page again, without what was typed in it.
it('a form of another tab can be sent after the session was renewed', async () => {
  const { viewer, page, take, save, saved } = await open()
  const change = { current_password: before, password: after }
  expect((await viewer.call('POST', '/account/password', change)).status).toBe(200)
  await take(viewer)
  const renewed = page.waitForResponse(`${origin}/dashboard/api/session`)
  await save.click()
  await page.getByText('This page is out of date.').waitFor()
  await renewed
  await save.click()
  await page.getByText('Saved.').waitFor()
  expect(await saved()).toMatchObject({ points_per_sar: 9 })
})

it('a form is not sent in the name of somebody else who has signed in in another tab', async () => {
  const { at, page, take, save, saved } = await open()
  await take(await makePerson(app(), { ...at, role: 'manager' }))
  await save.click()
  await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
  expect(await saved()).toMatchObject({ points_per_sar: 10 })
})
