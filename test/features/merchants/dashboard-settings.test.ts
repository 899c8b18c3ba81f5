import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticate } from '../../../src/features/merchants/authenticate.ts'
import { createMoyasar } from '../../../src/providers/payment/moyasar.ts'
import { startMoyasar } from '../../providers/moyasar-stand-in.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { auditOf } from '../../support/audit.ts'
import { signedInApp } from '../../support/dashboard-api.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { logoFile, pngOf } from '../../support/logos.ts'

const database = testDatabase()
const replaced: unknown[] = []
const moyasar_key = 'sk_test_of-this-shop'
let moyasar_url = ''
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const none = { paytabs: { url: undefined, account: undefined }, moyasar: { url: undefined, account: undefined } }
const app = signedInApp(database, {
  clock,
  payment: none,
  onKeysReplaced: async (...given) => void replaced.push(given),
  payments: {
    of: async (_, name) =>
      name === 'moyasar'
        ? createMoyasar({ secret_key: moyasar_key, webhook_secret: 'w', url: moyasar_url, timeout_ms: 2_000 })
        : undefined,
  },
})

let shop: Shop
let id: number
beforeAll(async () => {
  shop = await oneShop(database.db)
  id = shop.merchant.merchant_id
})

type Data = Record<string, unknown> & { readonly version: string }

async function read(path: string): Promise<Data> {
  return (await app.call('GET', shop.merchant, path)).body.data as Data
}

describe('the settings of a merchant', () => {
  it('are read with what a purchase of 100 SAR earns', async () => {
    expect(await read('/settings')).toMatchObject({
      points_per_sar: 10,
      example_points: 1_000,
      flows: { earning: true, checkout: true },
      return_hosts: [],
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it('are changed by an owner or a manager, recorded with before and after, and count at once', async () => {
    const { version } = await read('/settings')
    const json = {
      ...{ version, points_per_sar: 2.5, product_rating_points: 7, flows: { store_rating: false } },
      ...{ refund_window_days: 3, return_hosts: ['Shop.Example', 'shop.example', 'متجر.example:8443'] },
    }
    const changed = await app.call('PATCH', shop.merchant, '/settings', { json, role: 'manager' })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: {
          ...{ points_per_sar: 2.5, example_points: 250, product_rating_points: 7, refund_window_days: 3 },
          flows: { earning: true, store_rating: false },
          return_hosts: ['shop.example', 'xn--pgbep1f.example:8443'],
        },
      },
    })
    expect(await read('/settings')).toEqual(changed.body.data)
    expect(await auditOf(database, `merchant:${id}`)).toMatchObject([
      {
        ...{ source: 'dashboard', actor: 'manager@shop.example', action: 'merchant.set' },
        before: { points_per_sar_e4: 100_000, store_rating_on: true },
        after: { points_per_sar_e4: 25_000, store_rating_on: false },
      },
    ])
  })

  it('that somebody else has changed are not overwritten: the answer shows the current ones', async () => {
    const { version } = await read('/settings')
    const both = await Promise.all(
      [4, 5].map((refund_window_days) =>
        app.call('PATCH', shop.merchant, '/settings', { json: { version, refund_window_days } }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const stale = both.find(({ status }) => status === 409)
    expect(stale?.body).toMatchObject({ appended_data: { current: await read('/settings') } })
  })

  it.each([
    ['points_per_sar', { points_per_sar: 1.00001 }],
    ['points_per_sar', { points_per_sar: 100_001 }],
    ['points_per_sar', { points_per_sar: -1 }],
    ['product_rating_points', { product_rating_points: 1_000_000_001 }],
    ['store_rating_points', { store_rating_points: 0.5 }],
    ['refund_window_days', { refund_window_days: 3_651 }],
    ['flows.checkout', { flows: { checkout: 'yes' } }],
    ['return_hosts.0', { return_hosts: ['https://shop.example/'] }],
    ['return_hosts', { return_hosts: Array.from({ length: 51 }, (_, n) => `s${n}.example`) }],
    ['version', { version: '' }],
  ])('have the bounds of the command: %s of %j is refused', async (field, wrong) => {
    const { version } = await read('/settings')
    const { status, body } = await app.call('PATCH', shop.merchant, '/settings', { json: { version, ...wrong } })
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
  })

  it('are read by everybody on the team, and changed by no supporter', async () => {
    expect((await app.call('GET', shop.merchant, '/settings', { role: 'read_only' })).status).toBe(200)
    expect((await app.call('PATCH', shop.merchant, '/settings', { json: {}, role: 'support' })).status).toBe(403)
  })
})

describe('the payment of checkouts', () => {
  it('never shows credentials, only when they were set', async () => {
    const { version, providers } = await read('/payment')
    expect(providers).toContainEqual(expect.objectContaining({ provider: 'moyasar', own_credentials_since: null }))
    const credentials = { secret_key: moyasar_key, webhook_secret: 'hook-secret' }
    const json = { version, provider: 'moyasar', flow: 'sale', credentials }
    const changed = await app.call('PUT', shop.merchant, '/payment', { json })
    expect(changed.body.data).toMatchObject({ provider: 'moyasar', flow: 'sale' })
    expect((changed.body.data as Data)['providers']).toContainEqual(
      expect.objectContaining({ provider: 'moyasar', own_credentials_since: expect.stringMatching(/Z$/) }),
    )
    expect(changed.text).not.toContain(moyasar_key)
    expect(JSON.stringify(await auditOf(database, `merchant:${id}`))).not.toContain('hook-secret')
  })

  it.each([
    ['credentials.server_key', { provider: 'paytabs', flow: 'sale', credentials: { profile_id: '1' } }],
    [
      'credentials.server_key',
      { provider: 'paytabs', flow: 'sale', credentials: { profile_id: '1', server_key: 'a b' } },
    ],
    ['provider', { provider: 'paytabs', flow: 'sale' }],
    ['flow', { provider: 'moyasar', flow: 'two_step' }],
  ])('is refused at the field that is wrong: %s of %j', async (field, wrong) => {
    const { version } = await read('/payment')
    const { status, body } = await app.call('PUT', shop.merchant, '/payment', { json: { version, ...wrong } })
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
  })

  it('is outdated once somebody else has set its credentials', async () => {
    const { version } = await read('/payment')
    const credentials = { secret_key: moyasar_key, webhook_secret: 'other' }
    const json = { version, provider: 'moyasar', flow: 'sale', credentials }
    expect((await app.call('PUT', shop.merchant, '/payment', { json })).status).toBe(200)
    expect((await app.call('PUT', shop.merchant, '/payment', { json })).status).toBe(409)
  })

  it('is tested by a query to the provider, with a clear result', async () => {
    const test = async (provider: string) =>
      (await app.call('POST', shop.merchant, '/payment/test', { json: { provider } })).body.data
    const standIn = await startMoyasar(moyasar_key)
    moyasar_url = standIn.url
    expect(await test('moyasar')).toMatchObject({ works: true, outcome: 'works' })
    const normal = standIn.answer
    standIn.answer = { status: 401, body: { type: 'authentication_error', message: `no: ${moyasar_key}` } }
    expect(await test('moyasar')).toMatchObject({
      works: false,
      outcome: 'credentials',
      detail: expect.not.stringContaining(moyasar_key),
    })
    standIn.answer = normal
    await standIn.close()
    expect(await test('moyasar')).toMatchObject({ works: false, outcome: 'unreachable' })
    expect(await test('paytabs')).toMatchObject({ works: false, outcome: 'no_credentials' })
  })

  it('loses its own credentials on request', async () => {
    const { version } = await read('/payment')
    const json = { version, flow: 'sale', remove_credentials: 'moyasar' }
    const kept = await app.call('PUT', shop.merchant, '/payment', { json: { ...json, provider: 'moyasar' } })
    expect(kept).toMatchObject({ status: 422, body: { errors: { provider: [expect.stringContaining('moyasar')] } } })
    const { body } = await app.call('PUT', shop.merchant, '/payment', { json: { ...json, provider: 'merchant' } })
    expect((body.data as Data)['providers']).toContainEqual(
      expect.objectContaining({ provider: 'moyasar', own_credentials_since: null }),
    )
  })

  it('shows the secret of signed checkouts once, and a new one when it is replaced', async () => {
    const ask = (path: string, json?: object) =>
      app.call('POST', shop.merchant, path, json === undefined ? {} : { json })
    const first = await ask('/signed-checkouts', { signed_checkouts: true })
    expect(first.body.data).toMatchObject({ signed_checkouts: true, checkout_secret: expect.stringMatching(/^chsec_/) })
    expect((await ask('/signed-checkouts', { signed_checkouts: true })).body.data).toMatchObject({
      checkout_secret: null,
    })
    const { checkout_secret } = (await ask('/checkout-secret/rotate')).body.data as { checkout_secret: string }
    expect(checkout_secret).toMatch(/^chsec_/)
    expect(first.text).not.toContain(checkout_secret)
    expect(await read('/payment')).toMatchObject({ signed_checkouts: true })
  })
})

describe('the keys of a merchant', () => {
  it('are the owner’s: a manager sees the public one and changes none', async () => {
    const { public_key } = shop
    expect((await app.call('GET', shop.merchant, '/keys', { role: 'manager' })).body.data).toMatchObject({ public_key })
    for (const [method, path] of [
      ['POST', '/keys/regenerate'],
      ['PATCH', '/keys'],
    ] as const)
      expect((await app.call(method, shop.merchant, path, { json: {}, role: 'manager' })).status).toBe(403)
  })

  it('are replaced once per Idempotency-Key: the private one alone, and the old one is refused at once', async () => {
    const authenticate = createAuthenticate(database.connect())
    expect(await authenticate('private', shop.private_key)).not.toBeNull()
    const ask = () =>
      app.call('POST', shop.merchant, '/keys/regenerate', {
        json: { which: 'private' },
        headers: { 'idempotency-key': 'one' },
      })
    const [one, again] = [await ask(), await ask()]
    expect(again.body).toEqual(one.body)
    const { public_key, private_key } = one.body.data as { public_key: string; private_key: string }
    expect(public_key).toBe(shop.public_key)
    expect(await authenticate('private', shop.private_key)).toBeNull()
    expect(await authenticate('private', private_key)).toMatchObject({ merchant_id: id })
    expect(replaced).toEqual([[shop.public_key, { public_key, private_key }]])
    const dates = await read('/keys')
    expect(Date.parse(String(dates['private_key_created_at']))).toBeGreaterThan(Date.parse(String(dates['created_at'])))
  })

  it('are both replaced on request', async () => {
    const { body } = await app.call('POST', shop.merchant, '/keys/regenerate', { json: { which: 'both' } })
    expect(body.data).toMatchObject({ public_key: expect.not.stringMatching(shop.public_key) })
    expect(await read('/keys')).toMatchObject({ public_key: (body.data as { public_key: string }).public_key })
  })

  it('are switched off and on', async () => {
    const { public_key } = (await read('/keys')) as unknown as { public_key: string }
    const authenticate = createAuthenticate(database.db)
    await app.call('PATCH', shop.merchant, '/keys', { json: { status: false } })
    expect(await authenticate('public', public_key)).toBeNull()
    expect((await app.call('PATCH', shop.merchant, '/keys', { json: { status: true } })).body.data).toMatchObject({
      status: true,
    })
    expect(await authenticate('public', public_key)).not.toBeNull()
  })
})

describe('the brand of a merchant', () => {
  it('has names in both languages, and a colour with the shades that pages use', async () => {
    const { version } = await read('/brand')
    const json = { version, name: 'Corner Café', name_ar: 'مقهى الزاوية', colour: '#FD0' }
    const { body } = await app.call('PATCH', shop.merchant, '/brand', { json })
    expect(body.data).toMatchObject({ name: 'Corner Café', name_ar: 'مقهى الزاوية', colour: '#ffdd00' })
    expect(body.data).toMatchObject({
      light: { contrast: expect.any(Number), accent: expect.not.stringMatching('#ffdd00') },
    })
    const stale = await app.call('PATCH', shop.merchant, '/brand', { json })
    expect(stale.status).toBe(409)
    const bare = await app.call('PATCH', shop.merchant, '/brand', {
      json: { version: (body.data as Data).version, name: 'Café' },
    })
    expect(bare.body.data).toMatchObject({ name: 'Café', name_ar: null, colour: null, light: null })
  })

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(246) }],
    ['name_ar', { name: 'x', name_ar: 'ن'.repeat(246) }],
    ['colour', { name: 'x', colour: 'green' }],
  ])('is refused at the field that is wrong: %s', async (field, wrong) => {
    const { version } = await read('/brand')
    const { status, body } = await app.call('PATCH', shop.merchant, '/brand', { json: { version, ...wrong } })
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
  })

  it('has a square and a wide logo, each set, replaced and removed by itself', async () => {
    const put = (shape: string, bytes: Buffer) =>
      app.call('PUT', shop.merchant, `/brand/logo/${shape}`, { json: { content: bytes.toString('base64') } })
    await put('square', pngOf(64, 64))
    const wide = await put('wide', pngOf(300, 60))
    const { logo, wide_logo } = wide.body.data as Record<'logo' | 'wide_logo', { url: string }>
    expect(logo.url).not.toBe(wide_logo.url)
    const removed = await app.call('DELETE', shop.merchant, '/brand/logo/square')
    expect(removed.body.data).toMatchObject({ logo: null, wide_logo })
    const refused = await put('wide', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(refused).toMatchObject({ status: 422, body: { errors: { wide_logo: [expect.stringContaining('SVG')] } } })
    expect((await put('round', logoFile.lossy)).status).toBe(404)
    expect((await app.call('PUT', shop.merchant, '/brand/logo/wide', { json: { content: 'no base64!' } })).status).toBe(
      422,
    )
    const large = 'A'.repeat(175_000)
    expect((await app.call('PUT', shop.merchant, '/brand/logo/wide', { json: { content: large } })).status).toBe(422)
  })

  it('is previewed on the real page, in a frame of the dashboard alone, where nothing can be sent', async () => {
    const query = new URLSearchParams({ lang: 'ar', name_ar: 'مقهى <جديد>', colour: '#d946ef' })
    const { status, headers, text } = await app.call('GET', shop.merchant, `/brand/preview?${query}`, {
      role: 'read_only',
    })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toContain('script-src')
    expect(text).toContain('dir="rtl"')
    expect(text).toContain('مقهى &lt;جديد&gt;')
    expect(text).toContain('--brand:#d946ef')
    expect(await read('/brand')).toMatchObject({ colour: null })
    expect((await app.call('GET', shop.merchant, '/brand/preview?colour=url(x)')).status).toBe(422)
  })
})
