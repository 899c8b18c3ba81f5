import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes as routesOfFilter } from '../../dashboard/src/pages/requests/routes.ts'
import { audit } from '../../src/db/audit.ts'
import type { Locale } from '../../src/domain/locale.ts'
import { RequestLog } from '../../src/features/requests/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { routes } from '../../src/routes.ts'
import { type App, makeMerchant, purchase, startApp } from '../support/api.ts'
import { answerFor, expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { moveTo } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { cookieOf, csrf, signedInAs } from '../support/signed-in.ts'

const database = testDatabase()
const browser = testBrowser()
let app: App
let shop: Awaited<ReturnType<typeof makeMerchant>>
let origin = ''
let refused = ''

beforeAll(async () => {
  const log = new RequestLog({ db: database.db, count: () => undefined, onFailure: () => undefined, now_ms: () => 0 })
  shop = await makeMerchant(database.db, { name: 'Tea House' })
  const port = await portOfPages()
  app = await startApp(database, { port, keepRequest: log.keep, dashboard: signedInAs([{ ...shop, role: 'owner' }]) })
  origin = `https://localhost:${port}`
  for (let n = 0; n < 13; n += 1) await app.get('/v1/webhooks', shop.private_key)
  const json = { ...purchase({ phone_number: '12', total_price: -1 }), phone_nubmer: '1' }
  refused = String((await app.post('/v1/orders/earning', shop.private_key, json)).headers['x-request-id'])
  await app.post(`/v1/orders/${newUuid()}/cancel`, shop.private_key, {})
  await log.finish()
  const { program_id, merchant_id } = shop
  const by = { source: 'dashboard', name: 'sara@teahouse.example' } as const
  const set = { program_id, action: 'merchant.set', object: `merchant:${merchant_id}` } as const
  const customer = `customer:${newUuid()}` as const
  const adjusted = { available: 250, reason: 'A cup that was spilled' }
  await database.db.transaction(async (tx) => {
    const operator = { source: 'command', name: 'root@points' } as const
    audit(tx, operator, [{ ...set, before: { published: false }, after: { published: true } }])
    const before = { points_per_sar: 1, refund_window_days: 30 }
    audit(tx, by, [{ ...set, before, after: { points_per_sar: 1.5, refund_window_days: 14 } }])
    audit(tx, { ...by, merchant_id }, [
      { program_id, action: 'wallet.adjust', object: customer, before: { available: 200 }, after: adjusted },
    ])
  })
})
afterAll(() => app.stop())

interface Visit {
  readonly locale: Locale
  readonly width: number
  readonly dark: boolean
}

async function visit(path: string, { locale, width, dark }: Visit): Promise<Page> {
  const page = await browser.open({ origin, locale, width, dark, device: width < 700 ? 'phone' : 'desktop' })
  const [name = '', value = ''] = cookieOf('owner').split('=')
  await page.context().addCookies([{ name, value, url: origin, secure: true, httpOnly: true, sameSite: 'Strict' }])
  const { program_id, merchant_id } = shop
  const membership = {
    program_id,
    merchant_id,
    merchant_name: 'Tea House',
    merchant_name_ar: 'بيت الشاي',
    role: 'owner',
  }
  const data = {
    ...{ session_uuid: newUuid(), staff_uuid: newUuid(), name: 'Sara', email: 'sara@teahouse.example', locale, csrf },
    ...{ is_operator: false, memberships: [membership], started_at: new Date().toISOString() },
  }
  // The session of a reader in this language. The test server recognises it by the cookie.
  const body = JSON.stringify({ status: true, message: '', data })
  await answerFor(page, [`${origin}/dashboard/api/session`], { type: 'application/json', body })
  await page.goto(`${origin}/dashboard/m/${merchant_id}/${path}`)
  return page
}

const visits = [
  { locale: 'en', width: 1440, dark: false },
  { locale: 'ar', width: 768, dark: true },
  { locale: 'ar', width: 360, dark: false },
  { locale: 'en', width: 360, dark: true },
] as const
const nameOf = ({ locale, width, dark }: Visit) => `${locale}-${width}-${dark ? 'dark' : 'light'}`

describe.each(visits.map((one) => [nameOf(one), one] as const))('in %s', (name, seen) => {
  it('the audit log shows who made which difference; the request log is listed, and explains a request beside it', async () => {
    const page = await visit('audit', seen)
    await page.getByText('refund_window_days').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await screenshot(page, `audit-${name}`)

    await moveTo(page, `/m/${shop.merchant_id}/requests`)
    await page.getByText('phone_number').first().waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await screenshot(page, `requests-${name}`)
    await page.getByRole('link', { name: 'POST /orders/earning' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(refused).waitFor()
    expect(page.url()).toContain(`open=${refused}`)
    await expectAccessible(page, '[role=dialog]')
    await screenshot(page, `request-${name}`)
  })
})

describe('the request log', () => {
  const [wide] = visits

  it('finds one request by its id, and says so when there is none', async () => {
    const page = await visit('requests', wide)
    await page.getByRole('searchbox').fill(refused)
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/request_id=/)
    await page.getByRole('link', { name: 'POST /orders/earning' }).waitFor()
    const other = await visit(`requests?request_id=${newUuid()}`, wide)
    await other.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await other.goto(`${origin}/dashboard/m/${shop.merchant_id}/requests?open=${newUuid()}`)
    await other.getByRole('dialog').getByText('This request is not in the log').waitFor()
  })

  it('can be filtered by every endpoint of the API', () => {
    expect([...routesOfFilter].sort()).toEqual([...new Set(routes.map(({ path }) => `/api${path}`))].sort())
  })
})
