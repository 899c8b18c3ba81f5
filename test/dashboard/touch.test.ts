import { beforeAll, expect, it } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { moveTo, openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { smallTargets } from '../support/touch.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
let shop: Awaited<ReturnType<typeof makeMerchant>>
let viewer: Person
let order_uuid: string

beforeAll(async () => {
  shop = await makeMerchant(app().db)
  const { body } = await app().post('/v1/orders/earning', shop.private_key, purchase())
  order_uuid = (body.data as { uuid: string }).uuid
  viewer = await makePerson(app(), 'operator')
})

/** Opens pages one after the other as on a phone, and gives what is too small on each. */
async function smallOn(paths: readonly string[], more: { locale?: 'ar' } = {}): Promise<Record<string, string[]>> {
  const [first = '', ...others] = paths
  const page = await openDashboard(browser, { origin, path: first, viewer, device: 'phone', ...more })
  const found: Record<string, string[]> = { [first]: await smallTargets(page) }
  for (const path of others) {
    await moveTo(page, path)
    found[path] = await smallTargets(page)
  }
  return Object.fromEntries(Object.entries(found).filter(([, small]) => small.length > 0))
}

// Copy buttons, the buttons of lists and of charts, and boxes to tick were 25 to 36 pixels high.
it("what can be pressed on a merchant's pages on a phone is at least 44 pixels high and wide", async () => {
  const pages = [
    '',
    `orders/${order_uuid}`,
    'orders',
    'checklist',
    'team',
    'webhooks',
    'settings/keys',
    'settings/brand',
  ]
  const more = ['settings/payment', 'settings/earning', 'audit', 'requests']
  expect(await smallOn([...pages, ...more].map((path) => `/m/${shop.merchant_id}/${path}`))).toEqual({})
})

it('what can be pressed on the pages of a program and of operators on a phone is at least 44 pixels high and wide', async () => {
  const pages = ['', 'merchants', `merchants/${shop.merchant_id}`, 'settlements', 'ledger', 'liability', 'settings']
  const ofProgram = pages.map((path) => `/p/${shop.program_id}/${path}`)
  expect(
    await smallOn([...ofProgram, '/operator/people', '/operator/health', '/account', '/'], { locale: 'ar' }),
  ).toEqual({})
})

it('what opens over a page on a phone can be pressed with a finger', async () => {
  const page = await openDashboard(browser, { origin, path: `/m/${shop.merchant_id}/`, viewer, device: 'phone' })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await smallTargets(page, '[role=dialog]')).toEqual([])
})
