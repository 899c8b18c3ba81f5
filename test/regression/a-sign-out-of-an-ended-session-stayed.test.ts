import { it } from 'vitest'
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

// Where the session had ended, as by a new password elsewhere, "Sign out" said so in a corner, and left everything in sight.
it('whoever signs out of a session that has ended leaves the page too', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), { program_id, merchant_id, role: 'support' })
  const path = `/m/${merchant_id}/orders`
  const page = await openDashboard(browser, { origin, path, viewer, mayFail: /\/dashboard\/api\// })
  const text = 'delete from staff_session where staff_uuid = $1'
  await database.owner.run({ text, values: [viewer.staff_uuid] })
  await page
    .getByRole('button', { name: /^Your account and preferences/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${origin}/dashboard/sign-in`)
})
