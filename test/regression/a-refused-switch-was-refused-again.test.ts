import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser, waitUntilQuiet } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

interface Reviewed {
  readonly standing: { readonly version: string; readonly verified: boolean; readonly flows: object }
}

async function open() {
  const { merchant_id, program_id } = await makeMerchant(app().db)
  const [viewer, colleague] = [await makePerson(app(), 'operator'), await makePerson(app(), 'operator')]
  const api = `/programs/${program_id}/merchants/${merchant_id}`
  const path = `/p/${program_id}/merchants/${merchant_id}`
  const reviewed = async () => (await colleague.call('GET', api)).body.data as Reviewed
  const visit = () => openDashboard(browser, { origin, path, viewer, mayFail: /\/merchants\/\d+$/ })
  return { colleague, api, reviewed, visit }
}

// The page went on to show what was so before, and each further press was refused for the same reason.
it('a switch that a colleague was ahead of can be pressed again', async () => {
  const { colleague, api, reviewed, visit } = await open()
  const page = await visit()
  const { version, verified } = (await reviewed()).standing
  expect((await colleague.call('PATCH', api, { version, verified: !verified })).status).toBe(200)
  const flow = page.getByRole('switch', { name: 'Store ratings' })
  await flow.click()
  await page.getByText('Somebody else has changed this').waitFor()
  await waitUntilQuiet(page)
  expect(await page.getByRole('switch', { name: 'Verified' }).isChecked()).toBe(!verified)
  await flow.click()
  await expect.poll(async () => (await reviewed()).standing.flows).toMatchObject({ store_rating: false })
})
