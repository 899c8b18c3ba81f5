import { afterEach, expect, it } from 'vitest'
import { type CountedRequest, createLimitCheckouts } from '../../../src/features/checkout/open.ts'
import { createLimits } from '../../../src/features/limits/service.ts'
import { createAuthenticate } from '../../../src/features/merchants/authenticate.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { type App, defaults, makeMerchant, startApp } from '../../support/api.ts'
import { oneShop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { refusalOf } from '../../support/earnings.ts'
import { outcomeOf } from '../../support/tables.ts'

// Anyone can open checkouts with the public key on a shop's page, so they are counted by address and merchant
// (docs/spec/checkout.md#public-limits). Those that a merchant's server opens are not.

const database = testDatabase()
const started: App[] = []

async function newProcess(): Promise<App> {
  const app = await startApp(database, { checkouts_per_hour: 3 })
  started.push(app)
  return app
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.stop()))
})

const body = (order_number = '1') => ({ total_price: 100, order_number })

it('an address opens so many checkouts of a merchant within an hour, in all processes together', async () => {
  const [one, two] = [await newProcess(), await newProcess()]
  const [shop, other] = [await makeMerchant(database.db), await makeMerchant(database.db)]
  const open = (app: App, merchant: { readonly public_key: string }, headers = {}) =>
    app.call('POST', `/v1/orders/checkout/${merchant.public_key}`, { json: body(), headers })
  for (const app of [one, two, one]) expect(outcomeOf(await open(app, shop))).toBe('200')
  for (const app of [one, two]) {
    const refused = await open(app, shop)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_660)
    expect(refused.headers['access-control-allow-origin']).toBe('*')
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    expect(refused.body).toMatchObject({ status: false, appended_data: {} })
  }
  // The shop's own server goes on, and so does every other shop.
  expect(outcomeOf(await open(one, shop, { 'x-api-key': shop.private_key }))).toBe('200')
  expect(outcomeOf(await open(one, other))).toBe('200')
  for (const key of [other.private_key, shop.public_key, 'sk_test_unknown', ''])
    expect((await open(one, shop, { 'x-api-key': key })).status).toBe(429)
  // Refused requests wrote nothing.
  const [row] = await database.owner.run<{ orders: number }>({
    text: 'select count(*)::int as orders from orders where merchant_id = $1',
    values: [shop.merchant_id],
  })
  expect(row?.orders).toBe(4)
})

it('refused requests and repeated answers are not counted', async () => {
  const app = await newProcess()
  const shop = await makeMerchant(database.db)
  const path = `/v1/orders/checkout/${shop.public_key}`
  for (let tries = 0; tries < 5; tries += 1)
    expect(outcomeOf(await app.call('POST', path, { json: {} }))).toContain('422')
  const headers = { 'idempotency-key': 'k' }
  for (let tries = 0; tries < 5; tries += 1)
    expect(outcomeOf(await app.call('POST', path, { json: body(), headers }))).toBe('200')
  for (const number of ['2', '3']) expect(outcomeOf(await app.call('POST', path, { json: body(number) }))).toBe('200')
  expect((await app.call('POST', path, { json: body('4'), headers: { 'idempotency-key': 'l' } })).status).toBe(429)
  // The first is still answered, and the Idempotency-Key of the refused one can be used again.
  expect(outcomeOf(await app.call('POST', path, { json: body(), headers }))).toBe('200')
  const rows = await database.owner.run({
    text: 'select from idempotency where merchant_id = $1',
    values: [shop.merchant_id],
  })
  expect(rows).toHaveLength(1)
})

it('a home network counts as one address, and may open more an hour later', async () => {
  const { merchant } = await oneShop(database.db)
  let now_ms = Date.now()
  const secrets = createSecretBox(defaults.secret_key)
  const limits = createLimits({ db: database.db, secrets, now: () => new Date(now_ms) })
  const admit = createLimitCheckouts({ limits, authenticate: createAuthenticate(database.db), checkouts_per_hour: 2 })
  const from = (client_address: string, more: Partial<CountedRequest> = {}) =>
    admit({ merchant, client_address, private_key: undefined, ...more })
  const refused = { kind: 'too_many_checkouts' }
  await from('2001:db8:1:200::1')
  const takeBack = await from('2001:db8:1:2ff:ffff::2')
  expect(await refusalOf(from('2001:db8:1:201::3'))).toMatchObject(refused)
  await from('2001:db8:1:300::1')
  await from('203.0.113.1')
  // Signed checkouts are counted separately.
  await from('2001:db8:1:200::1', { signature: 'a'.repeat(64) })
  await takeBack()
  await from('2001:db8:1:200::9')
  expect(await refusalOf(from('2001:db8:1:201::3'))).toMatchObject(refused)
  now_ms += 3_600_001
  await from('2001:db8:1:200::1')
})

it('a checkout that could not be opened is not counted', async () => {
  const app = await newProcess()
  const shop = await makeMerchant(database.db)
  const path = `/v1/orders/checkout/${shop.public_key}`
  await database.owner.script('alter table checkout_session rename to checkout_session_away')
  for (let tries = 0; tries < 4; tries += 1)
    expect((await app.call('POST', path, { json: body(), headers: { 'idempotency-key': 'k' } })).status).toBe(500)
  await database.owner.script('alter table checkout_session_away rename to checkout_session')
  const left = 'select from idempotency where merchant_id = $1'
  expect(await database.owner.run({ text: left, values: [shop.merchant_id] })).toEqual([])
  expect(outcomeOf(await app.call('POST', path, { json: body(), headers: { 'idempotency-key': 'k' } }))).toBe('200')
})
