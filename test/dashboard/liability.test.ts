import { beforeAll, expect, it } from 'vitest'
import { addDays, dayOf } from '../../src/domain/day.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { loadMerchantOf } from '../../src/features/merchants/merchant.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { servicesOn } from '../support/app.ts'
import { testBrowser } from '../support/browser.ts'
import { examine, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, orderOf, TestClock } from '../support/earnings.ts'
import { makeReports } from '../support/liability.ts'
import { replacingOrder } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

// How an operator finds out what a program owes its customers at the end of a day.

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let program_id: number
let operator: Person

beforeAll(async () => {
  const { db } = app()
  const made = await makeMerchant(db, { name: 'Sidra Coffee' })
  program_id = made.program_id
  operator = await makePerson(app(), 'operator')
  const merchant = await loadMerchantOf(db, made.merchant_id, program_id)
  if (merchant === null) throw new Error('the merchant is missing')
  const start = new Date(Date.now() - 560 * 86_400_000)
  const clock = new TestClock(start)
  const services = servicesOn(db, { clock })
  for (let n = 0; n < 26; n += 1) {
    const phone = freshPhone()
    const { order_uuid } = orderOf(
      await earnOn(db, clock)(earningOf(merchant, { phone, total: 20_000 + ((n * 977) % 9_000) })),
    )
    if (n % 3 === 0) {
      const { order_uuid: paid } = await replacingOrder(db, merchant, { points: 700, phone, total: 350 })
      await services.moveOrder(merchant, paid, { action: 'complete' })
    }
    if (n % 25 === 0)
      await services
        .refundOrder(merchant, order_uuid, { amount_halalas: asHalalas(20_000), reason: null })
        .catch(() => undefined)
    clock.advance(21 * 86_400)
  }
})

it('adds up the day that is asked for, keeps it, and shows what is owed and how old it is', async () => {
  const path = `/p/${program_id}/liability`
  const yesterday = addDays(dayOf(new Date()), -1)
  const page = await openDashboard(browser, { origin, path, viewer: operator, mayFail: /liability|session/ })
  await page.getByRole('heading', { name: 'No day has been added up yet' }).waitFor()
  await page.getByRole('button', { name: 'Add up yesterday' }).click()
  await page.waitForURL(`${origin}/dashboard${path}?on=${yesterday}`)
  await page.getByRole('status').getByText('0% done').waitFor()
  await makeReports(app().db)
  await page.getByText('These numbers are final.').waitFor()
  const owed = page.locator('dt', { hasText: 'Owed to customers' }).locator('xpath=following-sibling::dd[1]')
  const { body } = await operator.call('GET', `/programs/${program_id}/liability/${yesterday}`)
  const { owed_points } = body.data as { owed_points: number }
  expect(owed_points).toBeGreaterThan(10_000)
  expect(await owed.textContent()).toBe(owed_points.toLocaleString('en'))
  await page.getByRole('img', { name: 'Issued and redeemed by month' }).locator('canvas').waitFor()

  await page.getByLabel('End of day').fill('2020-05-05')
  await page.getByRole('heading', { name: '5 May 2020 has not been added up' }).waitFor()
  await page.getByRole('button', { name: 'Add it up' }).click()
  await page.getByRole('status').getByText('0% done').waitFor()
  await makeReports(app().db)
  await page.getByText('At the end of 5 May 2020').waitFor()
  await page.getByLabel('Reports made before').selectOption({ index: 1 })
  await page.waitForURL(`${origin}/dashboard${path}?on=${yesterday}`)
  await examine(page, 'liability')
})
