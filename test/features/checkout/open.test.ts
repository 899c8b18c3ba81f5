import { describe, expect, it } from 'vitest'
import { parseReferenceNumber, type Uuid } from '../../../src/domain/ids.ts'
import { hashSecret } from '../../../src/lib/ids.ts'
import type { Reply } from '../../http/client.ts'
import { makeMerchant, makeProgram, purchase, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { outcomeOf, readTable, withField } from '../../support/tables.ts'

const database = testDatabase({ leaves: ['due messages'] })
const app = testApp(database)

const valid = {
  total_price: 250.5,
  order_number: '#1001',
  phone_number: '0512345678',
  name: 'Sara',
  shipping_amount: 10,
  tax_amount: 1,
  discount_amount: 0,
  shipping_address: { city: 'Riyadh', line1: 'Olaya St 1' },
  products: [{ product_name: 'Coffee', product_price: 75.255, quantity: 2 }],
  metadata: { branch: 'Olaya', nested: { list: [1, null] } },
  callback_url: 'https://shop.example.com/thanks?a=1',
}

interface Opened {
  readonly checkout_url: string
  readonly order_uuid: Uuid
  readonly reference_number: string
  readonly expires_at: string
}

const openedBy = ({ body }: Reply) => body.data as Opened
const pathOf = (public_key: string) => `/v1/orders/checkout/${public_key}`
const open = (public_key: string, json: unknown = valid) => app().call('POST', pathOf(public_key), { json })

interface StoredOrder {
  readonly customer_id: Uuid | null
  readonly [column: string]: unknown
}

async function stored(order_uuid: Uuid): Promise<StoredOrder> {
  const [row] = await database.owner.run<StoredOrder>({
    text: `select o.*, s.phone, s.name as session_name, s.callback_url, s.state, s.expires_at, s.token_hash
      from orders o join checkout_session s using (program_id, order_uuid) where order_uuid = $1`,
    values: [order_uuid],
  })
  if (row === undefined) throw new Error('no such order')
  return row
}

const money = (field: string, required: boolean) => `
  ${field} | absent        | ${required ? `422 ${field}` : '200'}
  ${field} | null          | ${required ? `422 ${field}` : '200'}
  ${field} | "1"           | 422 ${field}
  ${field} | ""            | 422 ${field}
  ${field} | true          | 422 ${field}
  ${field} | []            | 422 ${field}
  ${field} | {}            | 422 ${field}
  ${field} | -0.01         | 422 ${field}
  ${field} | 0             | 200
  ${field} | 0.001         | 200
  ${field} | 9999999999.99 | 200
  ${field} | 10000000000   | 422 ${field}
  ${field} | 1e300         | 422 ${field}
`

const fields = readTable(`
  field        | value                          | outcome
  ${money('total_price', true)}
  order_number | absent                         | 422 order_number
  order_number | null                           | 422 order_number
  order_number | ""                             | 422 order_number
  order_number | "  "                           | 422 order_number
  order_number | "#"                            | 422 order_number
  order_number | " # "                          | 422 order_number
  order_number | 1001                           | 422 order_number
  order_number | []                             | 422 order_number
  order_number | "##"                           | 200
  order_number | "1"                            | 200
  order_number | "n×255"                        | 200
  order_number | "n×256"                        | 422 order_number
  order_number | "a\\u0000b"                    | 422 order_number
  phone_number | absent                         | 200
  phone_number | null                           | 200
  phone_number | ""                             | 200
  phone_number | "+966512345678"                | 200
  phone_number | "00966512345678"               | 200
  phone_number | "966512345678"                 | 200
  phone_number | "512345678"                    | 200
  phone_number | "٠٥١٢٣٤٥٦٧٨"                   | 200
  phone_number | "051234567"                    | 422 phone_number
  phone_number | "+971512345678"                | 422 phone_number
  phone_number | 512345678                      | 422 phone_number
  phone_number | []                             | 422 phone_number
  name         | absent                         | 200
  name         | null                           | 200
  name         | ""                             | 200
  name         | 7                              | 422 name
  name         | "n×255"                        | 200
  name         | "n×256"                        | 422 name
  ${money('shipping_amount', false)}
  ${money('tax_amount', false)}
  ${money('discount_amount', false)}
  shipping_address | absent                     | 200
  shipping_address | null                       | 200
  shipping_address | {}                         | 200
  shipping_address | "Riyadh"                   | 422 shipping_address
  shipping_address | []                         | 200
  shipping_address | [1]                        | 422 shipping_address
  shipping_address | {"city":5}                 | 422 shipping_address.city
  shipping_address | {"zip":7}                  | 200
  shipping_address.city  | "x×100"              | 200
  shipping_address.city  | "x×101"              | 422 shipping_address.city
  shipping_address.line1 | "x×255"              | 200
  shipping_address.line1 | "x×256"              | 422 shipping_address.line1
  products.0.product_name  | "x×500"            | 200
  products.0.product_name  | "x×501"            | 422 products.0.product_name
  metadata     | absent                         | 200
  metadata     | null                           | 200
  metadata     | {}                             | 200
  metadata     | "text"                         | 422 metadata
  metadata     | [1]                            | 422 metadata
  metadata     | 1                              | 422 metadata
  products     | absent                         | 200
  products     | null                           | 200
  products     | []                             | 422 products
  products     | {}                             | 422 products
  products     | "x"                            | 422 products
  products     | [{}]                           | 422 products.0.product_name products.0.product_price products.0.quantity
  products     | [null]                         | 422 products.0
  products     | [1]                            | 422 products.0
  products.0.product_name  | absent             | 422 products.0.product_name
  products.0.product_name  | null               | 422 products.0.product_name
  products.0.product_name  | ""                 | 422 products.0.product_name
  products.0.product_name  | 1                  | 422 products.0.product_name
  products.0.product_price | absent             | 422 products.0.product_price
  products.0.product_price | -1                 | 422 products.0.product_price
  products.0.product_price | 0                  | 200
  products.0.product_price | "5"                | 422 products.0.product_price
  products.0.product_price | 10000000000        | 422 products.0.product_price
  products.0.quantity      | absent             | 422 products.0.quantity
  products.0.quantity      | 0                  | 422 products.0.quantity
  products.0.quantity      | 1                  | 200
  products.0.quantity      | 1.5                | 422 products.0.quantity
  products.0.quantity      | "1"                | 422 products.0.quantity
  products.0.quantity      | 2147483648         | 422 products.0.quantity
  callback_url | absent                         | 200
  callback_url | null                           | 200
  callback_url | ""                             | 200
  callback_url | "https://shop.example.com"     | 200
  callback_url | "http://localhost:3000/done"   | 200
  callback_url | "shop.example.com"             | 422 callback_url
  callback_url | "/done"                        | 422 callback_url
  callback_url | "ftp://shop.example.com"       | 422 callback_url
  callback_url | "javascript:alert(1)"          | 422 callback_url
  callback_url | "data:text/html,x"             | 422 callback_url
  callback_url | 1                              | 422 callback_url
  other        | "anything"                     | 200
`)

describe('POST /v1/orders/checkout/{publicKey}', () => {
  const shop = makeShop()

  it.each(fields)('$field $value: $outcome', async ({ field = '', value = '', outcome }) => {
    expect(outcomeOf(await open(await shop(), withField(valid, field, value)))).toBe(outcome)
  })

  it.each(
    readTable(`
    body                    | outcome
    (nothing)               | 422 order_number total_price
    {}                      | 422 order_number total_price
    []                      | 422 order_number total_price
    null                    | 422 order_number total_price
    "text"                  | 422 order_number total_price
    {"total_price":         | 400
    {"total_price":-1,"order_number":"#","products":[]} | 422 order_number products total_price
  `),
  )('body $body: $outcome', async ({ body = '', outcome }) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === '(nothing)' ? { headers } : { headers, bytes: body }
    expect(outcomeOf(await app().call('POST', pathOf(await shop()), sent))).toBe(outcome)
  })

  it.each(
    readTable(`
    key                                | outcome
    (private)                          | 400
    (switched off)                     | 400
    pk_test_00000000000000000000000000 | 400
    pk_live_00000000000000000000000000 | 400
    x                                  | 400
    (not verified)                     | 403
    (not published)                    | 403
    (checkout off)                     | 403
    (earning off)                      | 200
  `),
  )('key $key: $outcome', async ({ key = '', outcome }) => {
    const merchant = await makeMerchant(database.db, {
      ...(key === '(switched off)' ? { key_status: false } : {}),
      changes: {
        verified: key !== '(not verified)',
        published: key !== '(not published)',
        checkout_on: key !== '(checkout off)',
        earning_on: key !== '(earning off)',
      },
    })
    const sent = key === '(private)' ? merchant.private_key : key.startsWith('(') ? merchant.public_key : key
    expect(outcomeOf(await open(sent))).toBe(outcome)
    // The key and the merchant's standing are checked before the body.
    if (outcome !== '200') expect(outcomeOf(await open(sent, {}))).toBe(outcome)
  })

  it('needs no x-api-key, and ignores one that is sent', async () => {
    const key = await shop()
    expect(await app().call('POST', pathOf(key), { key: 'sk_test_nonsense', json: valid })).toMatchObject({
      status: 200,
    })
  })

  it('answers with the link and the names of the order, and creates a `new` replacing order', async () => {
    const merchant = await makeMerchant(database.db)
    const before = Date.now()
    const made = openedBy(await open(merchant.public_key))
    expect(Object.keys(made).sort()).toEqual(['checkout_url', 'expires_at', 'order_uuid', 'reference_number'])
    expect(made.checkout_url).toMatch(/^https:\/\/localhost:8443\/checkout\/\d+-[0-9a-z]{26}$/)
    expect(parseReferenceNumber(made.reference_number)).toBe(made.reference_number)
    const lives_s = (Date.parse(made.expires_at) - before) / 1000
    expect(Math.round(lives_s / 60)).toBe(30)
    const read = await app().get(`/v1/orders/${made.order_uuid}`, merchant.private_key)
    expect(read.body.data).toMatchObject({
      uuid: made.order_uuid,
      reference_number: made.reference_number,
      order_status: 'new',
      order_number: '1001',
      type: 2,
      total_price: 250.5,
      total_points: 0,
      metadata: valid.metadata,
      settlement_status: null,
      status: 'new',
      items: [{ product_name: 'Coffee', product_price: 75.26, quantity: 2 }],
    })
    expect(await stored(made.order_uuid)).toMatchObject({
      source: 'checkout',
      customer_id: null,
      shipping_halalas: 1000,
      tax_halalas: 100,
      discount_halalas: 0,
      shipping_address: valid.shipping_address,
      phone: '512345678',
      session_name: 'Sara',
      callback_url: valid.callback_url,
      state: 'open',
    })
  })

  it('leaves out fields that were not sent', async () => {
    const merchant = await makeMerchant(database.db)
    const made = openedBy(await open(merchant.public_key, { total_price: 0, order_number: '7' }))
    const read = await app().get(`/v1/orders/${made.order_uuid}`, merchant.private_key)
    expect(read.body.data).toMatchObject({ total_price: 0, metadata: null })
    expect(read.body.data).not.toHaveProperty('items')
    expect(await stored(made.order_uuid)).toMatchObject({
      phone: null,
      session_name: null,
      callback_url: null,
      shipping_halalas: null,
      shipping_address: null,
    })
  })

  it.each(
    readTable(`
    sent      | kept
    1001      | 1001
    #1001     | 1001
    ##1001    | #1001
    # 1001    | 1001
    10#01     | 10#01
    1001#     | 1001#
  `),
  )('order_number "$sent" is kept as "$kept"', async ({ sent, kept }) => {
    const made = openedBy(await open(await shop(), { ...valid, order_number: sent }))
    expect(await stored(made.order_uuid)).toMatchObject({ order_number: kept })
  })

  it('counts the bound of order_number after the #', async () => {
    expect(outcomeOf(await open(await shop(), { ...valid, order_number: `#${'n'.repeat(255)}` }))).toBe('200')
    expect(outcomeOf(await open(await shop(), { ...valid, order_number: `#${'n'.repeat(256)}` }))).toBe(
      '422 order_number',
    )
  })

  it('opens any number of checkouts with one order_number', async () => {
    const key = await shop()
    const made = (await Promise.all(Array.from({ length: 5 }, () => open(key)))).map(openedBy)
    for (const part of ['checkout_url', 'order_uuid', 'reference_number'] as const)
      expect(new Set(made.map((one) => one[part])).size).toBe(5)
  })

  it('links the order only to an active customer, with the same answer for everyone', async () => {
    const { program_id } = await makeProgram(database.db, { activation: 'required' })
    const merchant = await makeMerchant(database.db, { program_id })
    await app().post('/v1/orders/earning', merchant.private_key, purchase({ phone_number: '500000009' }))
    const asked = ['500000001', '+966500000002', '500000003', '500000009', '555555555']
    const replies = await Promise.all(
      asked.map((phone_number) => open(merchant.public_key, { ...valid, phone_number })),
    )
    const shapes = replies.map(({ status, body }) => [
      status,
      Object.keys(openedBy({ body } as Reply))
        .sort()
        .join(),
    ])
    expect(new Set(shapes.map(String)).size).toBe(1)
    const linked = await Promise.all(
      replies.map(async (reply) => (await stored(openedBy(reply).order_uuid)).customer_id),
    )
    expect(linked.map((customer) => customer !== null)).toEqual([true, true, false, false, false])
  })

  it('stores only a hash of the token, and never logs it', async () => {
    const made = openedBy(await open(await shop()))
    const token = made.checkout_url.split('/').at(-1) ?? ''
    const [row] = await database.owner.run<{ whole: string; token_hash: Buffer }>({
      text: 'select s::text as whole, token_hash from checkout_session s where order_uuid = $1',
      values: [made.order_uuid],
    })
    expect(row?.whole).not.toContain(token.split('-')[1])
    expect(row?.token_hash.equals(hashSecret(token))).toBe(true)
    await app().page(`/checkout/${token}`)
    expect(app().logged.join('')).not.toContain(token.split('-')[1])
  })

  it('draws another reference number when the first is taken', async () => {
    const key = await shop()
    const replies = await Promise.all(Array.from({ length: 30 }, () => open(key)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  })

  it('fires no event', async () => {
    const made = openedBy(await open(await shop()))
    const events = await database.owner.run({
      text: 'select 1 as one from event where order_uuid = $1',
      values: [made.order_uuid],
    })
    expect(events).toEqual([])
  })
})

function makeShop(): () => Promise<string> {
  let key: string | undefined
  return async () => {
    key ??= (await makeMerchant(database.db, { name: 'Shop' })).public_key
    return key
  }
}

describe('browsers of any origin', () => {
  const shop = makeShop()
  const origin = { origin: 'https://shop.example.com' }

  it('may send a preflight request, with an Idempotency-Key', async () => {
    const reply = await app().call('OPTIONS', pathOf(await shop()), {
      headers: {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'idempotency-key',
      },
    })
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(/Content-Type.*Idempotency-Key/),
    })
  })

  it.each(
    readTable(`
    case           | status
    fine           | 200
    bad body       | 422
    bad key        | 400
    wrong method   | 405
    repeated       | 200
    other body     | 422
  `),
  )('may read the answer: $case, $status', async ({ case: which, status }) => {
    const path = pathOf(which === 'bad key' ? 'pk_test_x' : await shop())
    const headers = {
      ...origin,
      ...(which === 'repeated' || which === 'other body' ? { 'idempotency-key': 'cors' } : {}),
    }
    const json = which === 'bad body' ? {} : which === 'other body' ? { ...valid, total_price: 1 } : valid
    const reply = await app().call(which === 'wrong method' ? 'GET' : 'POST', path, {
      headers,
      ...(which === 'wrong method' ? {} : { json }),
    })
    expect(reply.status).toBe(Number(status))
    expect(reply.headers['access-control-allow-origin']).toBe('*')
    expect(reply.headers['access-control-expose-headers']).toContain('Idempotency-Replayed')
  })

  it('may call nothing else', async () => {
    const { private_key } = await makeMerchant(database.db)
    for (const path of ['/v1/webhooks', '/v1/orders/earning', '/v1/integration/status']) {
      expect(await app().call('OPTIONS', path, { headers: origin })).toMatchObject({ status: 405 })
      const reply = await app().call('POST', path, { key: private_key, json: {}, headers: origin })
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})
