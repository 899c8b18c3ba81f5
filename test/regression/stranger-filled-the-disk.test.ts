import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { prepared } from '../../src/db/statement.ts'
import { createPurgeAbandoned } from '../../src/features/checkout/abandoned.ts'
import { purgeExpired } from '../../src/features/deployment/maintenance.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { pages, routes } from '../../src/routes.ts'
import { type App, makeMerchant, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { Shopper } from '../support/shopper.ts'
import { staffBrowser } from '../support/staff.ts'

// What went wrong: seven product names of 140 kB each, sent with the key that stands in every shop's page, were stored for
// good: 46 MB in 8 s. Abandoned checkouts were never deleted, refused requests were stored under any number of
// Idempotency-Keys, and short-lived rows were purged only once a day.
//
// These tests call every anonymous route with the largest accepted input. The rows of one request are bounded, and in time
// every table is back to its old size.

const database = testDatabase()
const days = 86_400
const public_url = 'https://localhost:8443'
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const settings = { checkouts_per_hour: 40, public_url }
let app: App<TestClock>
let shop: Awaited<ReturnType<typeof makeMerchant>>

beforeAll(async () => {
  app = await startApp(database, settings, clock)
  shop = await makeMerchant(database.db)
})

afterAll(() => app.stop())

type Tables = Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>

/** The number of rows in every table. */
async function tables(): Promise<Tables> {
  const names = await database.owner.run<{ name: string }>({
    text: `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`,
    values: [],
  })
  const sizeOf = (name: string) =>
    `select '${name}' as name, count(*)::int as rows, coalesce(sum(octet_length(t::text)), 0)::int as bytes from ${name} t`
  const all = prepared<{ name: string; rows: number; bytes: number }>(
    'tables',
    names.map(({ name }) => sizeOf(name)).join(' union all '),
  )
  const found = await database.owner.run(all())
  return Object.fromEntries(found.map(({ name, ...size }) => [name, size]))
}

/** The tables that have grown, and by how many rows. */
function grown(before: Tables, after: Tables): Record<string, number> {
  const more = Object.entries(after).map(([name, { rows }]) => [name, rows - (before[name]?.rows ?? 0)] as const)
  return Object.fromEntries(more.filter(([, rows]) => rows !== 0))
}

const bytesIn = (all: Tables) => Object.values(all).reduce((sum, { bytes }) => sum + bytes, 0)

/** Moves time on and runs the retention, as a worker does by itself. */
async function passes(time_s: number): Promise<void> {
  clock.advance(time_s)
  const parts = { db: database.db, clock, checkout_retention_days: 30, checkout_store_bytes: 2 ** 30 }
  await createPurgeAbandoned(parts)()
  const now = () => new Date(Date.now() + time_s * 1000)
  await purgeExpired({ open: { service: database.db }, clock, retention_days: 400, request_log_days: 30, now })
}

const checkoutPath = () => `/api/v1/orders/checkout/${shop.public_key}`
let numbered = 0

/** The largest checkout that its route accepts. */
function large(): Record<string, unknown> {
  numbered += 1
  const products = Array.from({ length: 100 }, () => ({ product_name: 'ق'.repeat(200), product_price: 1, quantity: 1 }))
  return {
    ...{ total_price: 100, order_number: `${numbered}`, phone_number: '0512345678', name: 'n'.repeat(255), products },
    metadata: { note: 'x'.repeat(10_000) },
    shipping_address: { city: 'c'.repeat(100), line1: 'l'.repeat(255) },
    callback_url: `https://shop.example/${'p'.repeat(1_500)}`,
  }
}

async function open(json: object = large(), headers: Readonly<Record<string, string>> = {}) {
  const reply = await app.send('POST', checkoutPath(), { json, headers })
  const url = (reply.body.data as { checkout_url?: string } | undefined)?.checkout_url
  return { reply, path: url === undefined ? '' : new URL(url).pathname }
}

const staff = (path: string, json: object) => staffBrowser(app).call('POST', path, json)
const stranger = () => new Shopper(app.send, public_url)
function phone(): string {
  numbered += 1
  return `05${10_000_000 + numbered}`
}

/** A code for a made-up number in a checkout's page, and a wrong try of it. */
async function codeOnPage(): Promise<void> {
  const { path } = await open()
  const me = stranger()
  const page = await me.open(`${path}?at=number`)
  const sent = await me.submit(page, 'phone', { phone: phone() })
  await me.submit(sent, 'code', { code: '000000' })
}

async function signIn(path: string): Promise<void> {
  const me = stranger()
  const sent = await me.submit(await me.open(path), 'phone', { phone: phone() })
  await me.submit(sent, 'code', { code: '000000' })
}

const anything = new URLSearchParams({ do: 'phone', phone: '0512345678', filler: 'x'.repeat(60_000) })
const posted = (path: string) => stranger().post(path, anything)

/** An address that nobody has, as long as one may be. */
function address(): string {
  numbered += 1
  return `${'n'.repeat(200)}${numbered}@shop.example`
}

const credential = {
  ...{ id: 'x'.repeat(2_000), rawId: 'x'.repeat(2_000), type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'x'.repeat(2_000), authenticatorData: 'x'.repeat(2_000), signature: 'x'.repeat(2_000) },
}

/** Requests that store something, with the rows that one may leave. */
const storing: Readonly<
  Record<string, { readonly most: Readonly<Record<string, number>>; readonly go: () => Promise<unknown> }>
> = {
  'POST /v1/orders/checkout/:publicKey': {
    most: { orders: 1, checkout_session: 1, limit_counter: 1 },
    go: async () => expect((await open()).reply.status).toBe(200),
  },
  'the same with an Idempotency-Key': {
    most: { orders: 1, checkout_session: 1, limit_counter: 1, idempotency: 1 },
    go: async () => expect((await open(large(), { 'idempotency-key': newUuid() })).reply.status).toBe(200),
  },
  '/checkout/:token': {
    most: { orders: 1, checkout_session: 1, limit_counter: 9, otp: 1, rate_limit: 8, message_count: 2 },
    go: codeOnPage,
  },
  '/wallet': {
    most: { wallet_session: 1, limit_counter: 8, otp: 1, rate_limit: 8, message_count: 2 },
    go: () => signIn('/wallet'),
  },
  '/widget/:publicKey/window': {
    most: { card_session: 1, limit_counter: 8, otp: 1, rate_limit: 8, message_count: 2 },
    go: () => signIn(`/widget/${shop.public_key}/window?origin=https://shop.example&ask=${'A'.repeat(43)}`),
  },
  '/dashboard/api/sign-in': {
    most: { limit_counter: 6 },
    go: () => staff('/sign-in', { email: address(), password: 'p'.repeat(1_000) }),
  },
  '/dashboard/api/password/forgot': {
    most: { limit_counter: 6 },
    go: () => staff('/password/forgot', { email: address() }),
  },
  '/dashboard/api/links/open': {
    most: { limit_counter: 6 },
    go: () => staff('/links/open', { token: newUuid().replaceAll('-', '').slice(0, 26) }),
  },
  '/dashboard/api/links/accept': {
    most: { limit_counter: 6 },
    go: () => staff('/links/accept', { token: newUuid(), name: 'n'.repeat(100), password: 'p'.repeat(1_000) }),
  },
  '/wallet?program=N': {
    most: { wallet_session: 1, limit_counter: 8, otp: 1, rate_limit: 8, message_count: 2 },
    go: () => signIn(`/wallet?program=${shop.program_id}`),
  },
}

/** Requests that store nothing. */
const traceless: Readonly<Record<string, () => Promise<unknown>>> = {
  'a refused checkout under a key': async () => {
    const { reply } = await open({ ...large(), products: [] }, { 'idempotency-key': newUuid() })
    expect(reply.status).toBe(422)
  },
  'a checkout under a key that is used for another': async () => {
    await open({ total_price: 1 }, { 'idempotency-key': 'one' })
    await open({ total_price: 2 }, { 'idempotency-key': 'one' })
  },
  'a checkout with a public key that is unknown': () =>
    app.send('POST', '/api/v1/orders/checkout/pk_test_unknown', {
      json: large(),
      headers: { 'idempotency-key': newUuid() },
    }),
  'a checkout that is not JSON': () =>
    app.send('POST', checkoutPath(), {
      bytes: '{"',
      headers: { 'idempotency-key': newUuid(), 'content-type': 'application/json' },
    }),
  'every route of a private key, without one': async () => {
    for (const { method, path } of routes.filter(({ key }) => key === 'private'))
      await app.send(method, `/api${path.replace(/:\w+/, newUuid())}`, {
        headers: { 'idempotency-key': newUuid() },
        ...(method === 'GET' ? {} : { json: {} }),
      })
  },
  '/checkout/:token': async () => {
    await stranger().open('/checkout/1-00000000000000000000000000')
    await posted('/checkout/1-00000000000000000000000000')
  },
  '/checkout/:token/return': async () => {
    await stranger().open('/checkout/1-00000000000000000000000000/return?tap=1')
    await posted('/checkout/1-00000000000000000000000000/return')
  },
  '/payments/:provider/:program/:payment_uuid/callback': async () => {
    for (const provider of ['paytabs', 'moyasar']) await posted(`/payments/${provider}/1/${newUuid()}/callback`)
  },
  '/payments/moyasar/:program/webhook': () => posted('/payments/moyasar/1/webhook'),
  '/sandbox/pay/:program/:payment_uuid': async () => {
    await stranger().open(`/sandbox/pay/1/${newUuid()}`)
    await posted(`/sandbox/pay/1/${newUuid()}`)
  },
  '/wallet': async () => {
    await stranger().open('/wallet')
    for (const program of ['9999999', '0', 'x']) await posted(`/wallet?program=${program}`)
    const me = stranger()
    await me.submit(await me.open('/wallet'), 'phone', { phone: 'no number' })
  },
  '/wallet/statement': () => stranger().open('/wallet/statement?period=all'),
  '/wallet/data': () => stranger().open('/wallet/data'),
  // The demo shop of a sandbox is left out: its sales are limited (test/journeys/demo-shop.test.ts).
  '/demo/:product': async () => {
    for (const path of ['/demo', '/demo/beans', '/demo/done?order_uuid=x']) await stranger().open(path)
    await posted('/demo/beans')
  },
  '/demo/receiver': () => posted('/demo/receiver'),
  '/dashboard/api/sign-in/second-factor': () => staff('/sign-in/second-factor', { code: 'x'.repeat(50) }),
  '/dashboard/api/sign-in/passkey/options': () => staff('/sign-in/passkey/options', {}),
  '/dashboard/api/sign-in/passkey': () => staff('/sign-in/passkey', credential),
  '/widget.js': () => stranger().open('/widget.js'),
  '/widget/:publicKey': async () => {
    await stranger().open(`/widget/${shop.public_key}`)
    await stranger().open('/widget/pk_test_unknown')
  },
  '/widget/:publicKey/card': async () => {
    const path = `/widget/${shop.public_key}/card?origin=https://shop.example`
    await stranger().open(path)
    for (const fields of ['do=take&offered=x&verifier=y', 'do=hide', 'x'.repeat(60_000)]) {
      const headers = { 'sec-fetch-site': 'same-origin', cookie: '__Host-nuqta-card=x' }
      expect((await app.send('POST', path, { bytes: fields, headers })).status).toBeLessThan(500)
    }
  },
}

const before = async <T>(work: () => Promise<T>): Promise<{ from: Tables; to: Tables }> => {
  const from = await tables()
  await work()
  return { from, to: await tables() }
}

it('every route that anonymous clients may call is called here', () => {
  const tried = [...Object.keys(storing), ...Object.keys(traceless)].join('\n')
  const of_staff = dashboardRoutes.filter(({ may }) => may === 'anyone').map(({ path }) => `/dashboard/api${path}`)
  const open_to_all = [...routes.filter(({ key }) => key !== 'private').map(({ path }) => path), ...of_staff]
  // These show what is the same for everybody.
  const files = ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/robots.txt', '/assets/:file']
  const docs = ['/docs', '/docs/search.json', '/docs/:page']
  const read = ['/', '/terms', ...docs, '/widget/playground', '/brand/:program/:merchant/:digest']
  const app_of_staff = ['', '/', '/:page', '/m/*', '/p/*', '/operator/*', '/assets/:file'].map(
    (path) => `/dashboard${path}`,
  )
  const shown = [...files, ...read, ...app_of_staff, '/demo', '/demo/done']
  const forms = pages.rows.map(({ path }) => path).filter((path) => !shown.includes(path))
  expect([...open_to_all, ...forms].filter((path) => !tried.includes(path))).toEqual([])
})

describe('rows that one request leaves are bounded', () => {
  it.each(Object.keys(storing))('%s', async (name) => {
    const way = storing[name]
    if (way === undefined) throw new Error('there is such a way')
    const { from, to } = await before(way.go)
    for (const [table, rows] of Object.entries(grown(from, to))) {
      expect(Object.keys(way.most), `${name} writes ${table}`).toContain(table)
      expect(rows, `${name}, ${table}`).toBeLessThanOrEqual(way.most[table] ?? 0)
    }
    // No more than was sent, with the rows themselves.
    expect(bytesIn(to) - bytesIn(from)).toBeLessThan(128 * 1024 + 8 * 1024)
  })
})

describe('these leave nothing behind', () => {
  it.each(Object.keys(traceless))('%s', async (name) => {
    const { from, to } = await before(async () => traceless[name]?.())
    expect(grown(from, to)).toEqual({})
  })

  it('checkouts above the limit, with as many keys as anybody likes', async () => {
    for (let tries = 0; tries < 100; tries += 1) if ((await open()).reply.status === 429) break
    const { from, to } = await before(async () => {
      for (let tries = 0; tries < 10; tries += 1)
        expect((await open(large(), { 'idempotency-key': newUuid() })).reply.status).toBe(429)
    })
    expect(grown(from, to)).toEqual({})
  })
})

it('in time every table is back to its old size', async () => {
  await passes(400 * days)
  await database.owner.run({ text: 'delete from limit_counter', values: [] })
  const from = await tables()
  for (const { go } of Object.values(storing)) for (const _ of [1, 2, 3]) await go()
  const full = await tables()
  for (const name of [
    'orders',
    'checkout_session',
    'otp',
    'wallet_session',
    'card_session',
    'idempotency',
    'limit_counter',
  ])
    expect(full[name]?.rows, name).toBeGreaterThan(from[name]?.rows ?? 0)
  await passes(32 * days)
  // One row a day for the codes of each of the two programs, however many there were: they stay as long as events.
  expect(grown(from, await tables())).toEqual({ message_count: 2 })
  await passes(402 * days)
  expect(grown(from, await tables())).toEqual({})
})

it('the retention by size also keeps up with an attacker: the oldest rows go first', async () => {
  for (const _ of Array(10)) await open()
  clock.advance(3_600)
  const [sum] = await database.owner.run<{ bytes: number }>({
    text: 'select sum(stored_bytes)::int as bytes from checkout_session where merchant_id = $1',
    values: [shop.merchant_id],
  })
  const bytes = sum?.bytes ?? 0
  // A row's measure is about what it takes.
  expect(bytes).toBeGreaterThan(10 * 50_000)
  const parts = { db: database.db, clock, checkout_retention_days: 30 }
  expect(await createPurgeAbandoned({ ...parts, checkout_store_bytes: bytes / 2 })()).toMatchObject({ deleted: 5 })
  await passes(400 * days)
})
