import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes as routesOfFilter } from '../../dashboard/src/pages/requests/routes.ts'
import { audit } from '../../src/db/audit.ts'
import { RequestLog } from '../../src/features/requests/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { routes } from '../../src/routes.ts'
import { type App, makeMerchant, purchase, startApp } from '../support/api.ts'
import { expectToFit, testBrowser } from '../support/browser.ts'
import { openDashboard, visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const database = testDatabase()
const browser = testBrowser()
let app: App
let owner: Person
let shop: Awaited<ReturnType<typeof makeMerchant>>
let origin = ''
let refused = ''

beforeAll(async () => {
  const log = new RequestLog({ db: database.db, count: () => undefined, onFailure: () => undefined, now_ms: () => 0 })
  shop = await makeMerchant(database.db, { name: 'Tea House' })
  const port = await portOfPages()
  app = await startApp(database, { port, keepRequest: log.keep })
  owner = await makePerson(app, { ...shop, role: 'owner' })
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

const at = (path: string) => `/m/${shop.merchant_id}/${path}`

it('the audit log shows who made which difference; the request log is listed, and explains a request beside it', () =>
  visitPages(browser, {
    origin,
    paths: { request: at(`requests?open=${refused}`), audit: at('audit'), requests: at('requests') },
    viewer: owner,
    async check(page) {
      const { pathname, search } = new URL(page.url())
      await page
        .getByText(pathname.endsWith('/audit') ? 'refund_window_days' : 'phone_number')
        .first()
        .waitFor()
      if (search !== '') await page.getByRole('dialog').getByText(refused).waitFor()
    },
  }))

// An address is written from the left: it stood at the far end of its column, away from what belongs to it.
it('the Arabic audit log aligns who changed something, and keeps what was changed on one line', async () => {
  const page = await openDashboard(browser, { origin, path: at('audit'), viewer: owner, locale: 'ar' })
  await page.getByText('sara@teahouse.example').first().waitFor()
  // The end of the text itself: its box may be wider.
  const ends = await page.evaluate<number[]>(`[...document.querySelectorAll('td bdi, td bdi + span')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return Math.round(range.getBoundingClientRect().right)
  })`)
  expect(ends).toHaveLength(6)
  expect(ends).toEqual(ends.map(() => ends[0]))
  const tops = await page.evaluate<number[]>(
    `[...document.querySelector('td code[title^=customer]').getClientRects()].map(({ top }) => Math.round(top))`,
  )
  expect(tops).toEqual(tops.map(() => tops[0]))
})

// Whoever changed something stood apart from the edge of the card, and so did all but the longest of the values.
it.each(['en', 'ar'] as const)('the audit log sets its values at the end of a card on a phone: %s', async (locale) => {
  const visit = { origin, path: at('audit'), viewer: owner, locale, device: 'phone' } as const
  const page = await openDashboard(browser, visit)
  await page.getByText('sara@teahouse.example').first().waitFor()
  const gaps = await page.evaluate<
    number[]
  >(`[...document.querySelectorAll('td bdi, td bdi + span, td li')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const [text, cell] = [range.getBoundingClientRect(), one.closest('td').getBoundingClientRect()]
    return Math.round('${locale}' === 'ar' ? text.left - cell.left : cell.right - text.right)
  })`)
  expect(gaps.length).toBeGreaterThan(6)
  expect(gaps).toEqual(gaps.map(() => 0))
})

describe('the request log', () => {
  it('finds one request by its id, and says so when there is none', async () => {
    // On a phone that is touched, whose pages also depend on what the document says of its width.
    const page = await openDashboard(browser, { origin, path: at('requests'), viewer: owner, device: 'phone' })
    await expectToFit(page)
    await page.getByRole('searchbox').fill(refused)
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/request_id=/)
    await page.getByRole('link', { name: 'POST /orders/earning' }).click()
    await page.getByRole('dialog').getByText(refused).waitFor()
    expect(page.url()).toContain(`open=${refused}`)
    await page.goto(`${origin}/dashboard${at(`requests?request_id=${newUuid()}`)}`)
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.goto(`${origin}/dashboard${at(`requests?open=${newUuid()}`)}`)
    await page.getByRole('dialog').getByText('This request is not in the log').waitFor()
  })

  it('can be filtered by every endpoint of the API', () => {
    expect([...routesOfFilter].sort()).toEqual([...new Set(routes.map(({ path }) => `/api${path}`))].sort())
  })
})
