import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard, visitPage } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

/** A settlement as the versions before migration 0029 closed it, and as that migration left it. */
async function oldSettlement(): Promise<Uuid> {
  const settlement_id = newUuid()
  const { program_id, merchant_id } = staff.shop.merchant
  await database.owner.run({
    text: `insert into settlement (program_id, settlement_id, merchant_id, orders, net_points, net_halalas,
        micro_sar_per_point, created_at) values ($1, $2, $3, 10, 44410, 22205, 5000, $4)`,
    values: [program_id, settlement_id, merchant_id, clock.now()],
  })
  return settlement_id
}

// Its statement had a table without rows, as if the merchant had to pay for nothing.
it('the statement of a settlement of an older version says why it has no entries', async () => {
  const settlement_id = await oldSettlement()
  const one = staff.pathOf(`settlements/${settlement_id}`)
  const page = await openDashboard(browser, { origin: staff.origin, path: one })
  expect(await page.locator('#content').innerText()).toContain('An older version of Nuqta closed this settlement')
  await visitPage(browser, 'old-statement', { origin: staff.origin, path: `${one}/statement` })
})
