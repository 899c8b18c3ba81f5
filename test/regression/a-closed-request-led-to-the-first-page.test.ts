import { expect, it } from 'vitest'
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

// A request is shown beside its list. Whoever closed one of the second page was led to the first, and opening it had
// already cut off the way back.
it('a request that is closed leaves the list on its page', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'owner' })
  const nothing = { order_uuid: null, failure: null, fields: [], body_bytes: null, body: null, more: 0 }
  const asked = { method: 'GET', route: '/api/v1/webhooks', status: 200, duration_ms: 3 } as const
  const row = () => ({ request_id: newUuid(), program_id, merchant_id, ...asked, ...nothing })
  await database.db.run(insertRequests(program_id, Array.from({ length: 60 }, row)))
  const page = await openDashboard(browser, { origin, path: `/m/${merchant_id}/requests`, viewer })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/after=/)
  await expect.poll(() => page.getByRole('row').count()).toBe(11)
  const second = page.url()
  await page.getByRole('link', { name: 'GET /webhooks' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.waitForURL(/open=/)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL(second)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(51)
})
