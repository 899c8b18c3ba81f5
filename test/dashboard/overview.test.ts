import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import type { Session } from '../../src/domain/staff.ts'
import { grace_ms } from '../../src/features/activity/count.ts'
import { loadMerchantOf } from '../../src/features/merchants/merchant.ts'
import { dashboardRoute } from '../../src/http/dashboard/route.ts'
import { pages, type Services } from '../../src/routes.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { countAll, countOn } from '../support/activity.ts'
import { oneShop, type Shop, servicesOn } from '../support/app.ts'
import { expectToFit, resize, screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { settled, visitPages } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, earnOn, freshPhone, TestClock } from '../support/earnings.ts'
import { replacingOrder } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-01-04T09:00:00.000Z')
const id = '0193e7a1-0000-7000-8000-000000000001' as Uuid
let server: TestServer
let shop: Shop
let fresh: Shop

beforeAll(async () => {
  const services = servicesOn(database.db, { clock })
  shop = await oneShop(database.db)
  fresh = await oneShop(database.db)
  await sellFor(28, services)
  await countAll(countOn(database.db, { machine_ms: () => Date.now() + grace_ms + 1_000 }))
  const membershipOf = ({ merchant }: Shop) => ({
    ...{ program_id: merchant.program_id, merchant_id: merchant.merchant_id, role: 'owner' as const },
    merchant_name: merchant.name,
    merchant_name_ar: null,
  })
  const session: Session = {
    ...{ session_uuid: id, staff_uuid: id, email: 'sara@shop.example', name: 'Sara', locale: null, csrf: 'c' },
    ...{ is_operator: false, memberships: [membershipOf(shop), membershipOf(fresh)], started_at: new Date() },
  }
  const isThere = dashboardRoutes.some(({ path }) => path === '/session')
  const readSession = dashboardRoute({
    ...{ get: '/session', may: 'signed_in', tag: 'Session', summary: 'Session', data: Type.Object({}) },
    handle: async (request) => request.session,
  })
  const auth = {
    origin: 'https://nuqta.example',
    readSession: async () => session,
    loadMerchant: (merchant_id: number, program_id?: number) => loadMerchantOf(database.db, merchant_id, program_id),
    loadProgram: async () => null,
    requireRecent: async () => undefined,
    readStanding: async (_: unknown, session: Session) => session,
  }
  const rows = isThere ? dashboardRoutes : [...dashboardRoutes, readSession]
  server = await startServer<Services>([], services, { port: await portOfPages(), pages, dashboard: { rows, auth } })
})
afterAll(() => server?.stop())

/** A month of purchases, some of them by customers who come back, and of checkouts paid with points. */
async function sellFor(days: number, services: Services): Promise<void> {
  const phones: Phone[] = []
  const earn = earnOn(database.db, clock)
  for (let day = 0; day < days; day += 1) {
    clock.advance(86_400)
    for (let n = 0; n < 2 + ((day * 7) % 5); n += 1) {
      const phone = n % 3 === 1 ? (phones[(day + n) % phones.length] ?? freshPhone()) : freshPhone()
      phones.push(phone)
      await earn(earningOf(shop.merchant, { phone, total: 3_000 + ((day * 977 + n * 431) % 9_000) }))
    }
    if (day % 3 !== 0) continue
    const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 100 + ((day * 37) % 300) })
    await services.moveOrder(shop.merchant, order_uuid, { action: 'complete' })
  }
}

const visit = async (path: string, of = shop) => {
  const origin = `https://localhost:${server.port}`
  const page = await browser.open({ origin, device: 'desktop' })
  await page.goto(`${origin}/dashboard/m/${of.merchant.merchant_id}/${path}`)
  return page
}

describe('the overview', () => {
  it('shows the figures of the period in the URL, with a table behind each chart', async () => {
    const page = await visit('')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('img', { name: 'Points issued and redeemed' }).locator('canvas').waitFor()
    // The list of orders has ratings too.
    await page.getByText('Ratings are not counted.').waitFor()
    await page.getByText('7 days', { exact: true }).click()
    await page.waitForURL(/[?&]days=7/)
    // The charts are drawn anew with the numbers of the period.
    await settled(page)
    await page.getByRole('button', { name: 'Show the numbers as a table' }).first().click()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(8)
    const href = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
    expect(href).toBe(`/dashboard/api/merchants/${shop.merchant.merchant_id}/overview.csv?days=7&lang=en`)
  })

  it('shows a calendar month, for the books', async () => {
    const page = await visit('?days=7')
    const choice = page.getByRole('combobox', { name: 'A month' })
    // This month is that of the service, whose clock may have been moved.
    await expect.poll(() => choice.locator('option').nth(1).getAttribute('value')).toBe('2026-02')
    // The month before this one.
    await choice.selectOption({ index: 2 })
    const month = await choice.inputValue()
    await page.waitForURL(new RegExp(`[?&]month=${month}$`))
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    await settled(page)
    const [year = 0, number = 0] = month.split('-').map(Number)
    const days = new Date(Date.UTC(year, number, 0)).getUTCDate()
    await page.getByRole('button', { name: 'Show the numbers as a table' }).first().click()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(days + 1)
    const href = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
    expect(href).toContain(`overview.csv?from=${month}-01&to=${month}-${days}&`)
    // This month ends today.
    await choice.selectOption('2026-02')
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)
    await page.getByText('30 days', { exact: true }).click()
    await page.waitForURL(({ search }) => search === '')
    expect(await choice.inputValue()).toBe('')
  })

  // On a wide page seven days had labels at half days, each day's twice; two months had eight, all with the name of the first.
  it('writes below a chart of any number of days no label twice', async () => {
    const origin = `https://localhost:${server.port}`
    const page = await browser.open({ origin, device: 'desktop', width: 1920 })
    useOnce(page)
    await page.addInitScript(`globalThis.written = []
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        globalThis.written.push(text)
        return fillText.call(this, text, ...place)
      }`)
    for (const days of [7, 30, 90, 365]) {
      await page.goto(`${origin}/dashboard/m/${shop.merchant.merchant_id}/?days=${days}`)
      await settled(page)
      await page.locator('canvas').last().waitFor()
      const written = await page.evaluate<string[]>('globalThis.written')
      // The labels of days come first, then those of values.
      const isDay = (text: string) => /[a-z]{3}/i.test(text)
      const end = written.findIndex((text) => !isDay(text))
      const labels = written.slice(0, end)
      expect(labels.length, `${days} days`).toBeGreaterThan(3)
      expect(labels, `${days} days`).toEqual([...new Set(labels)])
      if (days === 7) expect(labels).toHaveLength(7)
    }
  })

  // Each morning the lines fell to nothing, as if the shop had closed.
  it.each([
    { until: '20:59', dotted: true },
    { until: '21:00', dotted: false },
  ])(
    'dots the way to the last day only until it has ended in Riyadh (figures until $until)',
    async ({ until, dotted }) => {
      const origin = `https://localhost:${server.port}`
      const page = await browser.open({ origin, device: 'desktop' })
      useOnce(page)
      await page.addInitScript(`globalThis.dashes = []
      const { setLineDash } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.setLineDash = function (dash) {
        globalThis.dashes.push(dash.join())
        return setLineDash.call(this, dash)
      }`)
      await page.route('**/overview?*', async (route) => {
        const answer = await route.fetch()
        const { data, ...rest } = (await answer.json()) as { data: { days: { day: string }[] } }
        const as_of = `${data.days.at(-1)?.day}T${until}:00.000Z`
        await route.fulfill({ json: { ...rest, data: { ...data, as_of } } })
      })
      await page.goto(`${origin}/dashboard/m/${shop.merchant.merchant_id}/`)
      await settled(page)
      await page.locator('canvas').last().waitFor()
      await screenshot(page, `overview-until-${until}`)
      const dashes = new Set(await page.evaluate<string[]>('globalThis.dashes'))
      expect([dashes.has('6,4'), dashes.has('2,4')]).toEqual([true, dotted])
    },
  )

  it('is no wider than a phone with the longest numbers', async () => {
    const page = await visit('')
    await settled(page)
    await resize(page, { width: 390, height: 844 })
    const longest = '9,999,999,999.99'
    await page.evaluate(
      `for (const figure of document.querySelectorAll('dd > .figure')) figure.textContent = '${longest}'`,
    )
    expect(await page.getByText(longest).count()).toBeGreaterThan(2)
    await expectToFit(page)
  })

  // Beside a shop's sales of seven figures a phone showed a hole.
  it('leaves no hole beside a number that takes more room on a phone', async () => {
    const page = await visit('')
    await settled(page)
    await resize(page, { width: 360, height: 740 })
    await page.evaluate(`document.querySelector('dd > .figure, dd .figure').textContent = '1,151,299.30'`)
    const rooms = await page.evaluate<number[]>(`(() => {
      const tiles = [...document.querySelectorAll('dl > div')]
      const list = tiles[0].parentElement.getBoundingClientRect()
      const ends = new Map(tiles.map((tile) => tile.getBoundingClientRect()).map(({ top, right }) => [top, right]))
      return [...ends.values()].map((right) => Math.round(list.right - right))
    })()`)
    expect(rooms.length).toBeGreaterThan(3)
    expect(rooms.filter((room) => room > 1)).toEqual([])
  })

  it('explains itself where nothing has happened yet', async () => {
    const page = await visit('', fresh)
    await page.getByRole('link', { name: 'Open the checklist' }).click()
    await page.getByRole('heading', { level: 1, name: 'Integration checklist' }).waitFor()
  })
})

describe('the checklist', () => {
  it('ticks completed steps, and explains the others', async () => {
    const page = await visit('checklist')
    await page.getByRole('heading', { name: /^Send the first purchase\s*: done$/ }).waitFor()
    await page.getByRole('heading', { name: /^Refund an order\s*: not done yet$/ }).waitFor()
    await page.getByText('/refund \\').waitFor()
    // The authority of a sandbox's certificate is its own.
    await page.getByText('curl --cacert "$NUQTA_CA"').first().waitFor()
    // The variables of a sandbox's shell name the keys of its first shop.
    await page.getByText('YOUR_PRIVATE_KEY with the private key of').first().waitFor()
    expect(await page.getByText('$NUQTA_P').count()).toBe(0)
  })
})

it('both pages fit and are accessible', () => {
  const path = `/m/${shop.merchant.merchant_id}`
  return visitPages(browser, {
    origin: `https://localhost:${server.port}`,
    paths: { overview: `${path}/`, checklist: `${path}/checklist` },
    check: (page) =>
      (page.url().endsWith('/checklist') ? page.getByRole('heading', { level: 2 }) : page.locator('canvas'))
        .last()
        .waitFor(),
  })
})
