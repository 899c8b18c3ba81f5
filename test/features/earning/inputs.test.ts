import { beforeAll, describe, expect, test } from 'vitest'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { countRows, freshPhone } from '../../support/earnings.ts'
import { inputRowsOf, readJson, rowsOf } from '../../support/tables.ts'

// Bad input on the three endpoints that award points. Each row changes a good body; `-` removes a field.

const database = testDatabase()
const app = appAtNoon(database)
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

const bodies = `
  (good)                              200
  (empty)                             422  ALL
  (blank)                             422  ALL
  []                                  422  ALL
  "text"                              422  ALL
  1                                   422  ALL
  null                                422  ALL
  (text)                              400
  (plain)                             415
`

const phone = `
  phone_number -                      422  phone_number
  phone_number null                   422  phone_number
  phone_number ""                     422  phone_number
  phone_number " "                    422  phone_number
  phone_number 512345678              422  phone_number
  phone_number true                   422  phone_number
  phone_number ["512345678"]          422  phone_number
  phone_number "51234567"             422  phone_number
  phone_number "5123456789"           422  phone_number
  phone_number "412345678"            422  phone_number
  phone_number "+971512345678"        422  phone_number
  phone_number "+966412345678"        422  phone_number
  phone_number "5x2345678"            422  phone_number
  phone_number "+966512345678"        200
  phone_number "00966512345678"       200
  phone_number "966512345678"         200
  phone_number "0512345678"           200
  phone_number "512345678"            200
  phone_number " (051) 234-5678 "     200
  phone_number "٠٥١٢٣٤٥٦٧٨"           200
`

const metadata = `
  metadata -                          200
  metadata null                       200
  metadata {}                         200
  metadata {"a": [1, {"b": null}]}    200
  metadata {"a": "x×16376"}           200
  metadata {"a": "x×16377"}           422  metadata
  metadata []                         200
  metadata [1]                        422  metadata
  metadata "text"                     422  metadata
  metadata 1                          422  metadata
`

const rating = `
  ${phone.trim()}
  review_reference -                  422  review_reference
  review_reference null               422  review_reference
  review_reference ""                 422  review_reference
  review_reference "  "               422  review_reference
  review_reference 7                  422  review_reference
  review_reference ["x"]              422  review_reference
  review_reference "r×256"            422  review_reference
  review_reference "r×255"            200
  rating -                            200
  rating null                         200
  rating 1                            200
  rating 5                            200
  rating 5.0                          200
  rating 0                            422  rating
  rating 6                            422  rating
  rating -1                           422  rating
  rating 4.5                          422  rating
  rating "5"                          422  rating
  rating true                         422  rating
  rating [5]                          422  rating
  comment -                           200
  comment null                        200
  comment ""                          200
  comment "x×5000"                    200
  comment "x×5001"                    422  comment
  comment 1                           422  comment
  comment {}                          422  comment
  ${metadata.trim()}
`

const productRating = `
  ${bodies.trim().replaceAll('ALL', 'phone_number,product_id,review_reference')}
  ${rating.trim()}
  product_id -                        422  product_id
  product_id null                     422  product_id
  product_id ""                       422  product_id
  product_id 77                       422  product_id
  product_id ["x"]                    422  product_id
  product_id "x×255"                  200
  product_id "x×256"                  422  product_id
  product_name -                      200
  product_name null                   200
  product_name ""                     200
  product_name "x×500"                200
  product_name "x×501"                422  product_name
  product_name 1                      422  product_name
  product_name ["x"]                  422  product_name
`

const storeRating = `
  ${bodies.trim().replaceAll('ALL', 'phone_number,review_reference')}
  ${rating.trim()}
  product_id 77                       200
  product_name ["x"]                  200
`

const amounts = ['shipping_amount', 'tax_amount', 'discount_amount']
  .map(
    (field) => `
  ${field} -                          200
  ${field} null                       200
  ${field} 0                          200
  ${field} 9999999999.99              200
  ${field} 10000000000                422  ${field}
  ${field} -0.01                      422  ${field}
  ${field} "1"                        422  ${field}
  ${field} true                       422  ${field}
  ${field} [1]                        422  ${field}
`,
  )
  .join('')

const purchase = `
  ${bodies.trim().replaceAll('ALL', 'order_number,phone_number,products,total_price')}
  ${phone.trim()}
  total_price -                       422  total_price
  total_price null                    422  total_price
  total_price "10"                    422  total_price
  total_price true                    422  total_price
  total_price [10]                    422  total_price
  total_price -0.01                   422  total_price
  total_price 10000000000             422  total_price
  total_price 0                       200
  total_price 1.005                   200
  total_price 9999999999.99           200
  order_number -                      422  order_number
  order_number null                   422  order_number
  order_number ""                     422  order_number
  order_number "  "                   422  order_number
  order_number 1001                   422  order_number
  order_number ["x"]                  422  order_number
  order_number "o×256"                422  order_number
  order_number "o×255"                200
  products -                          422  products
  products null                       422  products
  products []                         422  products
  products {}                         422  products
  products "tea"                      422  products
  products [1]                        422  products.0
  products [null]                     422  products.0
  products [{}]                       422  products.0.product_name,products.0.product_price,products.0.quantity
  products [{"product_name": "", "product_price": 1, "quantity": 1}]     422  products.0.product_name
  products [{"product_name": 1, "product_price": 1, "quantity": 1}]      422  products.0.product_name
  products [{"product_name": "x", "product_price": -1, "quantity": 1}]   422  products.0.product_price
  products [{"product_name": "x", "product_price": "1", "quantity": 1}]  422  products.0.product_price
  products [{"product_name": "x", "product_price": 1, "quantity": 0}]    422  products.0.quantity
  products [{"product_name": "x", "product_price": 1, "quantity": 1.5}]  422  products.0.quantity
  products [{"product_name": "x", "product_price": 1, "quantity": "1"}]  422  products.0.quantity
  products [{"product_name": "x", "product_price": 0, "quantity": 1}]    200
  name -                              200
  name null                           200
  name ""                             200
  name "x×255"                        200
  name "x×256"                        422  name
  name 1                              422  name
  name {}                             422  name
  shipping_address -                  200
  shipping_address null               200
  shipping_address {"city": "Riyadh", "line1": "Olaya St 1", "zip": 7}  200
  shipping_address "Riyadh"           422  shipping_address
  shipping_address []                 200
  shipping_address [1]                422  shipping_address
  shipping_address {"city": 5}        422  shipping_address.city
  shipping_address {"line1": []}      422  shipping_address.line1
  ${amounts.trim()}
  ${metadata.trim()}
`

let sequence = 0

function goodBody(path: string): Record<string, unknown> {
  sequence += 1
  const phone_number = freshPhone()
  if (path === 'earning') {
    const products = [{ product_name: 'Tea', product_price: 10, quantity: 1 }]
    return { phone_number, total_price: 10, products, order_number: `input-${sequence}` }
  }
  const review_reference = `review-${sequence}`
  return path.endsWith('product-rating')
    ? { phone_number, review_reference, product_id: 'SKU-1' }
    : { phone_number, review_reference }
}

const json = { 'content-type': 'application/json' }

function requestOf(path: string, text: string) {
  const good = goodBody(path)
  if (text === '(good)') return { json: good }
  if (text === '(empty)') return {}
  if (text === '(blank)') return { bytes: '', headers: json }
  if (text === '(text)') return { bytes: '{', headers: json }
  if (text === '(plain)') return { bytes: JSON.stringify(good), headers: { 'content-type': 'text/plain' } }
  const [, field = '', value = ''] = /^([a-z_]+) (.+)$/.exec(text) ?? []
  if (field === '') return { bytes: text, headers: json }
  if (value === '-') return { json: Object.fromEntries(Object.entries(good).filter(([name]) => name !== field)) }
  return { json: { ...good, [field]: readJson(value) } }
}

const endpoints = [
  ['earning', purchase],
  ['earning/product-rating', productRating],
  ['earning/store-rating', storeRating],
] as const

const post = (path: string, key: string | undefined, request: object) =>
  app.call('POST', `/api/v1/orders/${path}`, { ...(key === undefined ? {} : { key }), ...request })

describe.each(endpoints)('POST /v1/orders/%s', (path, table) => {
  test.each(inputRowsOf(table))('%s is %s %s', async (text = '', expected = '', keys = '') => {
    const { program_id } = shop.merchant
    const before = await countRows(database.db, program_id)
    const reply = await post(path, shop.private_key, requestOf(path, text))
    const failing = Object.keys(reply.body.errors ?? {}).sort()
    expect([reply.status, failing.join(',')]).toEqual([Number(expected), keys])
    const after = await countRows(database.db, program_id)
    if (reply.status === 200) expect(after['orders']).toBe((before['orders'] ?? 0) + 1)
    else expect(after).toEqual(before)
  })
})

/** Key, body, status, and a part of the message. */
const access = `
  none         good  400  Invalid or inactive API key
  unknown      good  400  Invalid or inactive API key
  public       good  400  Invalid or inactive API key
  none         bad   400  Invalid or inactive API key
  good         good  200
  unverified   good  403  not verified
  unpublished  good  403  not published
  flow-off     good  403  switched off
  unverified   bad   403  not verified
  flow-off     bad   403  switched off
  good         bad   422  invalid
`

const switches: Readonly<Record<string, string>> = {
  earning: 'earning_on',
  'earning/product-rating': 'product_rating_on',
  'earning/store-rating': 'store_rating_on',
}

describe.each(endpoints)('who may POST /v1/orders/%s', (path) => {
  test.each(rowsOf(access))('%s key with a %s body is %s %s', async (who = '', body = '', status = '', said = '') => {
    const set: Record<string, string> = {
      unverified: 'verified = false, published = false',
      unpublished: 'published = false',
      'flow-off': `${switches[path]} = false`,
    }
    const own = set[who] === undefined ? shop : await oneShop(database.db)
    if (set[who] !== undefined) {
      const text = `update merchant set ${set[who]} where program_id = $1`
      await database.owner.run({ text, values: [own.merchant.program_id] })
    }
    const keys: Record<string, string> = { unknown: `sk_test_${'0'.repeat(26)}`, public: own.public_key }
    const key = who === 'none' ? undefined : (keys[who] ?? own.private_key)
    const reply = await post(path, key, { json: body === 'good' ? goodBody(path) : {} })
    expect([reply.status, reply.body.message]).toEqual([Number(status), expect.stringContaining(said)])
  })
})
