import { it } from 'vitest'
import { insertRequests } from '../../src/features/requests/queries.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const database = testDatabase()
const app = testApp(database, { port, public_url: origin })
const browser = testBrowser()

// A filter that finds nothing in the part of the log that was looked at offers to look further back. A page that had shown
// rows before failed instead: it drew fewer hooks than before.
it('a filter that finds nothing so far offers to look further', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const nothing = { order_uuid: null, failure: null, fields: [], body_bytes: null, body: null, more: 0 }
  const asked = { method: 'GET', route: '/api/v1/webhooks', status: 500, duration_ms: 3 } as const
  const row = { request_id: newUuid(), program_id, merchant_id, ...asked, ...nothing }
  await database.db.run(insertRequests(program_id, [row]))
  const page = await openDashboard(browser, { origin, path: `/m/${merchant_id}/requests`, viewer })
  const json = { status: true, message: '', appended_data: {}, data: [], next: newUuid() }
  await page.route(/\/requests\?status=5xx$/, (route) => route.fulfill({ json }))
  await page.getByRole('combobox', { name: 'Answer' }).click()
  await page.getByRole('option', { name: 'Failed on our side (5xx)' }).click()
  await page.getByRole('button', { name: 'Look further back' }).click()
  await page.waitForURL(/after=/)
  await page.getByRole('link', { name: 'GET /webhooks' }).waitFor()
})
