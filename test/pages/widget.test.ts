import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { setBrand } from '../../src/features/merchants/brand.ts'
import type { MerchantChanges } from '../../src/features/merchants/queries.ts'
import { makeMerchant, makeProgram, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { logoFile, pngOf } from '../support/logos.ts'
import { rate } from '../support/shop.ts'
import { widgetRules } from '../support/widget.ts'

const database = testDatabase()
const app = testApp(database)
const now = new Date('2026-02-01T09:00:00Z')

describe('/widget/:publicKey', () => {
  const rateOf = async (changes: MerchantChanges, key_status = true) => {
    const { public_key } = await makeMerchant(database.db, { changes, key_status })
    return app().page(`/widget/${public_key}`)
  }

  it('answers with the rate of earning and where points can be used, and nothing else', async () => {
    const reply = await rateOf({ points_per_sar_e4: rate(2.5) })
    expect(reply).toMatchObject({ status: 200, body: { earns: true, points_per_sar: 2.5 } })
    expect(reply.body).toEqual({ earns: true, points_per_sar: 2.5, checkout: true, card: 'window' })
  })

  it.each([
    ['199.50', 10],
    ['1.005', 10],
    ['0.09', 10],
    ['45.55', 2.5],
    ['33.33', 0.3333],
    // Nearly the bound of a wallet.
    ['9999999999.99', 9_999.9999],
  ])('makes the widget show what the earning endpoint awards: %s SAR at %d points', async (amount, points_per_sar) => {
    const made = await makeMerchant(database.db, { changes: { points_per_sar_e4: rate(points_per_sar) } })
    const { body } = await app().page(`/widget/${made.public_key}`)
    const { toHalalas, toPoints } = widgetRules()
    const shown = toPoints(toHalalas(amount) ?? Number.NaN, Number(Object(body)['points_per_sar']))
    const earned = await app().post('/v1/orders/earning', made.private_key, purchase({ total_price: Number(amount) }))
    expect(earned.body.data).toMatchObject({ total_points: shown })
  })

  it('allows scripts of any origin, can be cached for five minutes, and sets no cookie', async () => {
    const { headers } = await rateOf({})
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers.vary).not.toMatch(/cookie/i)
  })

  it.each([
    ['whose earning is off', { earning_on: false }, { checkout: true, card: 'window' }],
    ['that is not verified', { verified: false }, {}],
    ['that is not published', { published: false }, {}],
    ['where nothing earns and points cannot be used', { earning_on: false, checkout_on: false }, {}],
  ])('says that nothing is earned, without a rate, for a merchant %s', async (_, changes, more) => {
    const reply = await rateOf(changes)
    expect([reply.status, reply.body]).toEqual([200, { earns: false, ...more }])
  })

  it('lets only pages on the merchant’s named hosts frame the card, and reveals the hosts to nobody', async () => {
    const { public_key } = await makeMerchant(database.db, {
      changes: { return_hosts: ['shop.example', 'localhost:3000'] },
    })
    const cardFor = async (origin: string) =>
      Object((await app().page(`/widget/${public_key}`, { origin })).body)['card']
    for (const origin of ['https://shop.example', 'http://localhost:3000']) expect(await cardFor(origin)).toBe('frame')
    for (const origin of [
      'null',
      'https://evil.example',
      'https://shop.example.evil',
      'https://shop.example:8443',
      'x',
    ])
      expect(await cardFor(origin), origin).toBe('window')
  })

  it('answers the same for a key that is off, unknown, private or malformed', async () => {
    const off = await rateOf({}, false)
    const { private_key } = await makeMerchant(database.db)
    const others = ['pk_test_00000000000000000000000000', private_key, 'x', '%2e%2e', 'pk_test_%F0%9F%98%80']
    for (const key of others) {
      const reply = await app().page(`/widget/${key}`)
      expect([reply.status, reply.text, reply.headers['cache-control']], key).toEqual([
        off.status,
        off.text,
        off.headers['cache-control'],
      ])
    }
    expect([off.status, off.text]).toEqual([404, '{}'])
    expect(off.headers['access-control-allow-origin']).toBe('*')
  })

  it('refuses other methods', async () => {
    const { public_key } = await makeMerchant(database.db)
    expect(await app().send('POST', `/widget/${public_key}`)).toMatchObject({ status: 405 })
  })
})

describe('/widget.js', () => {
  it('is a script for pages of any origin, below 8 kB compressed', async () => {
    const { status, headers, text } = await app().page('/widget.js')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      vary: 'Accept-Encoding',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    expect(gzipSync(text, { level: 6 }).length).toBeLessThan(8_000)
    // A classic script: `import` or `export` would be a syntax error in the shop's page.
    expect(text).not.toMatch(/^\s*(import|export)\b/m)
  })

  it('is compressed for browsers that accept it', async () => {
    const { headers } = await app().page('/widget.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(headers['content-encoding']).toBe('br')
    expect(Number(headers['content-length'])).toBeLessThan(8_000)
    const gzipped = await app().page('/widget.js', { 'accept-encoding': 'gzip' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(Number(gzipped.headers['content-length'])).toBeLessThan(8_000)
  })

  it('answers 304 to browsers that have it', async () => {
    const first = await app().page('/widget.js')
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^W\/"[0-9a-f]{12}"$/)
    const again = await app().page('/widget.js', { 'if-none-match': `"other", ${etag}` })
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag, 'access-control-allow-origin': '*' } })
    expect(await app().page('/widget.js', { 'if-none-match': '"other"' })).toMatchObject({ status: 200 })
  })
})

describe('/brand/…', () => {
  it('is the logo, which can be cached for ever and cannot run scripts', async () => {
    const owner = await makeMerchant(database.db)
    const { logo } = await setBrand(database.db, owner, { logo: logoFile.lossy }, now)
    const path = `/brand/${owner.program_id}/${owner.merchant_id}/${logo?.digest}`
    const { status, headers } = await app().page(path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(logoFile.lossy.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    expect(await app().send('HEAD', path)).toMatchObject({ status: 200, text: '' })

    await setBrand(database.db, owner, { logo: pngOf(64, 64) }, now)
    const gone = await app().page(path)
    expect([gone.status, gone.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  it('answers 404 for any other path', async () => {
    const { program_id } = await makeProgram(database.db)
    const [owner, other] = [await makeMerchant(database.db, { program_id }), await makeMerchant(database.db)]
    const digest = (await setBrand(database.db, owner, { logo: logoFile.jpeg }, now)).logo?.digest ?? ''
    const places = [
      `${other.program_id}/${owner.merchant_id}/${digest}`,
      `${owner.program_id}/${other.merchant_id}/${digest}`,
      `${owner.program_id}/${owner.merchant_id}/${digest.toUpperCase()}`,
      `${owner.program_id}/${owner.merchant_id}/${digest.slice(1)}`,
      `${owner.program_id}/0${owner.merchant_id}/${digest}`,
      `${owner.program_id}/99999999999999999999/${digest}`,
      `-1/${owner.merchant_id}/${digest}`,
      `${owner.program_id}/${owner.merchant_id}/%00`,
    ]
    expect(await app().page(`/brand/${owner.program_id}/${owner.merchant_id}/${digest}`)).toMatchObject({ status: 200 })
    for (const place of places) expect(await app().page(`/brand/${place}`), place).toMatchObject({ status: 404 })
  })
})
