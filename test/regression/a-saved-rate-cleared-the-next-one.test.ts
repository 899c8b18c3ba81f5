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

// The form emptied its field once the service had answered, whatever was typed meanwhile.
it('a rate that is typed while another is being saved stays in its field', async () => {
  const { program_id } = await makeProgram(app().db)
  const viewer = await makePerson(app(), 'operator')
  const page = await openDashboard(browser, { origin, path: `/p/${program_id}/settings`, viewer })
  const held = Promise.withResolvers<void>()
  await page.route('**/rates', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const field = page.getByLabel('SAR a point')
  await field.fill('0.02')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/rates'))
  await page.getByRole('button', { name: 'Set the rate' }).click()
  await sent
  await field.fill('0.03')
  held.resolve()
  await page.getByText('0.02 SAR a point').waitFor()
  await waitUntilQuiet(page)
  expect(await field.inputValue()).toBe('0.03')
})
