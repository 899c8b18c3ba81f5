import { expect, it } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testBrowser, waitUntilQuiet } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// The page of the liability went to the day that was to be added up when the service had taken it up, whatever day the reader
// had chosen by then.
it('a day that is chosen while another is asked for stays', async () => {
  const { program_id } = await makeProgram(app().db)
  const viewer = await makePerson(app(), 'operator')
  const path = `/p/${program_id}/liability`
  const page = await openDashboard(browser, { origin, path, viewer, mayFail: /\/liability\/|\/session$/ })
  const held = Promise.withResolvers<void>()
  await page.route('**/liability/*', async (route) => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Add up yesterday' }).click()
  await page.getByLabel('End of day').fill('2020-05-05')
  await page.getByRole('heading', { name: '5 May 2020 has not been added up' }).waitFor()
  held.resolve()
  await answered
  await waitUntilQuiet(page)
  expect(page.url()).toBe(`${origin}/dashboard${path}?on=2020-05-05`)
  await page.getByRole('heading', { name: '5 May 2020 has not been added up' }).waitFor()
})
