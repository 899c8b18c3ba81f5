import { beforeAll, describe, expect, it } from 'vitest'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { inHalfAnHour, requireSigned, type SignedBody, signatureOf, signed } from '../../support/signing.ts'

const database = testDatabase()
const app = appAtNoon(database)

let shop: Shop
let by: { public_key: string; secret: string }

beforeAll(async () => {
  shop = await oneShop(database.db)
  by = { public_key: shop.public_key, secret: await requireSigned(database.owner, shop.merchant) }
})

const whole: SignedBody = {
  total_price: 151,
  order_number: '#1001',
  phone_number: '+966 51-234 5678',
  callback_url: 'https://shop.example.com/thanks?a=1#b',
  metadata: { branch: 'Olaya', list: [1, null, { deep: '\u0627' }] },
  name: 'Sara',
}

const now_s = () => Math.floor(Date.now() / 1000)

async function send(public_key: string, body: { readonly json: object } | { readonly bytes: string }) {
  const headers = { 'content-type': 'application/json' }
  const request = 'bytes' in body ? { ...body, headers } : body
  const reply = await app.call('POST', `/api/v1/orders/checkout/${public_key}`, request)
  return { status: reply.status, errors: (reply.body.errors ?? {}) as Record<string, string[]>, data: reply.body.data }
}

const open = (json: object) => send(shop.public_key, { json })
/** `200`, or the status with the failing fields. */
const outcome = async (json: object) => {
  const { status, errors } = await open(json)
  return [status, ...Object.keys(errors)].join(' ')
}

describe('a signed checkout', () => {
  it('is opened as it was signed, any number of times until it expires', async () => {
    const body = signed(by, whole)
    const uuids: string[] = []
    for (let time = 1; time <= 2; time++) {
      const { status, data } = await open(body)
      expect(status).toBe(200)
      uuids.push((data as { order_uuid: string }).order_uuid)
    }
    expect(new Set(uuids).size).toBe(2)
    const rows = await database.owner.run({
      text: 'select order_number, total_halalas from orders where order_uuid = any($1::uuid[])',
      values: [uuids],
    })
    expect(rows).toEqual([
      { order_number: '1001', total_halalas: 15_100 },
      { order_number: '1001', total_halalas: 15_100 },
    ])
  })

  it('is refused with any other value of a signed field, and nothing is written', async () => {
    const body = signed(by, whole)
    const count = { text: 'select count(*)::int as orders from orders', values: [] }
    const before = await database.owner.run(count)
    const changes: Record<string, unknown>[] = [
      { total_price: 0 },
      { total_price: 151.01 },
      { order_number: '1002' },
      { order_number: '##1001' },
      { phone_number: '512345678' },
      { phone_number: undefined },
      { callback_url: 'https://evil.example/thanks?a=1#b' },
      { callback_url: 'https://shop.example.com/thanks?a=1#c' },
      { callback_url: undefined },
      { metadata: { ...(whole.metadata as object), branch: 'Malaz' } },
      { metadata: undefined },
      { metadata: {} },
      { signature_expires_at: body.signature_expires_at + 1 },
      { signature: body.signature.toUpperCase() },
      { signature: body.signature.slice(1) },
      { signature: `${body.signature.slice(0, -1)}${body.signature.endsWith('0') ? '1' : '0'}` },
      { signature: '0'.repeat(64) },
      { signature: 'x'.repeat(64) },
    ]
    for (const change of changes)
      expect([change, await outcome({ ...body, ...change })]).toEqual([change, '422 signature'])
    expect(await database.owner.run(count)).toEqual(before)
  })

  it('may vary in fields that are not signed, and reads amounts and numbers as the order does', async () => {
    const body = signed(by, whole)
    expect(await outcome({ ...body, name: 'Nora', shipping_amount: 3, products: null })).toBe('200')
    expect(await outcome({ ...body, order_number: '  # 1001 ' })).toBe('200')
    // 151.005 is rounded to halalas by its decimal text.
    const rounded = signed(by, { ...whole, total_price: 151.01 })
    expect(await outcome({ ...rounded, total_price: 151.005 })).toBe('200')
    expect(await outcome({ ...rounded, total_price: 151.01 })).toBe('200')
    expect(await outcome(signed(by, { order_number: '7', total_price: 0 }))).toBe('200')
    expect(await outcome(signed(by, { order_number: '7', total_price: 9_999_999_999.99 }))).toBe('200')
  })

  it('of another merchant is refused', async () => {
    const other = await oneShop(database.db)
    const secret = await requireSigned(database.owner, other.merchant)
    const theirs = signed({ public_key: other.public_key, secret }, whole)
    expect(await outcome(theirs)).toBe('422 signature')
    const withOurs = signed({ public_key: other.public_key, secret: by.secret }, whole)
    expect(await send(other.public_key, { json: withOurs })).toMatchObject({ status: 422 })
    expect(
      await send(other.public_key, { json: signed({ public_key: other.public_key, secret }, whole) }),
    ).toMatchObject({
      status: 200,
    })
  })
})

describe('a signature', () => {
  it('needs both fields, and its mistakes are reported together with all others', async () => {
    const { signature, signature_expires_at } = signed(by, whole)
    expect(await outcome(whole)).toBe('422 signature signature_expires_at')
    expect(await outcome({ ...whole, signature: null, signature_expires_at: null })).toBe(
      '422 signature signature_expires_at',
    )
    expect(await outcome({ ...whole, signature })).toBe('422 signature_expires_at')
    expect(await outcome({ ...whole, signature_expires_at })).toBe('422 signature')
    expect(await outcome({ ...whole, callback_url: 'http://169.254.169.254/' })).toBe(
      '422 callback_url signature signature_expires_at',
    )
  })

  it.each([
    ['"1795255200"', 'signature_expires_at'],
    ['1795255200.5', 'signature_expires_at'],
    ['-1', 'signature_expires_at'],
    ['1e300', 'signature_expires_at'],
    ['true', 'signature_expires_at'],
    ['[]', 'signature_expires_at'],
  ])('needs an expiry in whole seconds: %s is refused', async (value, field) => {
    const body = { ...whole, signature: 'a'.repeat(64), signature_expires_at: JSON.parse(value) }
    expect(await outcome(body)).toBe(`422 ${field}`)
  })

  it.each(['1', '[]', '{}', 'true', `"${'a'.repeat(256)}"`])('needs to be a text: %s is refused', async (value) => {
    const body = { ...whole, signature: JSON.parse(value), signature_expires_at: inHalfAnHour() }
    expect(await outcome(body)).toBe('422 signature')
  })

  it('needs an expiry in the future, at most 24 hours ahead', async () => {
    const late = await open(signed(by, whole, now_s() - 2))
    expect([late.status, late.errors]).toEqual([
      422,
      { signature: ['The signature has expired. Sign the request again.'] },
    ])
    expect(await outcome(signed(by, whole, now_s() + 86_400 - 60))).toBe('200')
    const early = await open(signed(by, whole, now_s() + 86_400 + 60))
    expect([early.status, early.errors]).toEqual([
      422,
      { signature_expires_at: ['The signature expires at must be at most 24 hours ahead, in Unix seconds.'] },
    ])
  })

  it('expires by the machine’s clock, not by a sandbox clock that was moved', async () => {
    app.clock.advance(45 * 86_400)
    expect(await outcome(signed(by, whole))).toBe('200')
  })

  it.each([
    ['order_number', '1001\n151.00'],
    ['order_number', '1001\r'.concat('x')],
    ['order_number', 'a\u2028b'],
    ['phone_number', '0512345678\n'],
    ['callback_url', ' https://shop.example.com/\n'],
  ])('needs fields without a line break: %s %j', async (field, value) => {
    expect(await outcome(signed(by, { ...whole, [field]: value }))).toBe(`422 ${field}`)
  })
})

describe('the bytes that were sent', () => {
  const metadata = '{ "b" : 1.50,\n "a":"\\u0627\\/", "c":[ ], "n":1e2 }'
  const bytesWith = (sent: string, expires_at: number, signature: string) =>
    `\ufeff{"meta\\u0064ata": {"old":1}, "total_price":2.50,"order_number":" #9 ",\n"metadata" : ${sent} ,
      "signature_expires_at":${expires_at},"signature":"${signature}","phone_number":"+966\\u0020512345678"}`

  it('of `metadata` are signed, not its meaning: the last of several, with its blanks, escapes and numbers', async () => {
    const expires_at = inHalfAnHour()
    const body = { total_price: 2.5, order_number: '9', phone_number: '+966 512345678' }
    const signature = signatureOf(by, body, { expires_at, metadata })
    expect(await send(shop.public_key, { bytes: bytesWith(metadata, expires_at, signature) })).toMatchObject({
      status: 200,
    })
    const again = JSON.stringify(JSON.parse(metadata))
    expect(await send(shop.public_key, { bytes: bytesWith(again, expires_at, signature) })).toMatchObject({
      status: 422,
    })
  })

  it('of an absent, blank or null field are empty', async () => {
    const body = signed(by, { total_price: 1, order_number: '1' })
    expect(await outcome({ ...body, phone_number: '  ', callback_url: null, metadata: null })).toBe('200')
  })
})

describe('a merchant that does not require signatures', () => {
  let other: Shop
  beforeAll(async () => {
    other = await oneShop(database.db)
  })
  const at = (json: object) => send(other.public_key, { json })

  it('ignores them without a secret', async () => {
    expect(await at(whole)).toMatchObject({ status: 200 })
    expect(await at({ ...whole, signature: 'anything', signature_expires_at: 1 })).toMatchObject({ status: 200 })
  })

  it('has those that are sent checked once it has a secret, and accepts unsigned checkouts', async () => {
    const secret = await requireSigned(database.owner, other.merchant, false)
    const good = signed({ public_key: other.public_key, secret }, whole)
    expect(await at(good)).toMatchObject({ status: 200 })
    expect(await at({ ...good, total_price: 0 })).toMatchObject({ status: 422 })
    expect(await at({ ...whole, signature: 'a'.repeat(64) })).toMatchObject({ status: 422 })
    expect(await at(whole)).toMatchObject({ status: 200 })
    expect(await at({ ...whole, signature_expires_at: 5 })).toMatchObject({ status: 200 })
  })
})

describe('whether a checkout is signed', () => {
  it('is reported to the caller, whose limits do not count signed ones', async () => {
    const { merchant, public_key } = shop
    const fields = { public_key, order_number: '1', total_halalas: 100 as never, phone_number: '', callback_url: '' }
    const asked = { merchant, callback_url: undefined, signedFields: () => ({ ...fields, metadata: null }) }
    const { signature, signature_expires_at } = signed(by, { order_number: '1', total_price: 1 })
    expect(await app.services.checkRequest({ ...asked, signature, signature_expires_at })).toEqual({ signed: true })
    const other = (await oneShop(database.db)).merchant
    const unsigned = { ...asked, merchant: other, signature: undefined, signature_expires_at: undefined }
    expect(await app.services.checkRequest(unsigned)).toEqual({ signed: false })
  })
})
