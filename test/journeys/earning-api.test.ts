import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { dataOf } from '../http/client.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import {
  cellsOf,
  earning_path,
  expectNearlyWholeWindow,
  longLockWindow,
  type MadeMerchant,
  type Service,
  startService,
} from './service.ts'

const database = testDatabase()
const { path: home } = scratch()
let service: Service
let merchant: MadeMerchant

beforeAll(async () => {
  service = await startService({ home, database, env: longLockWindow })
  merchant = await service.merchant('Fields')
})
afterAll(async () => {
  await service.end('SIGTERM')
})

const long = { 255: 'x'.repeat(255), 256: 'x'.repeat(256) }
const emoji = { 255: '😀'.repeat(255), 256: '😀'.repeat(256) }
/** As many code points as characters that a reader sees, and twice as many. */
const accented = { 127: 'e\u0301'.repeat(127), 255: 'e\u0301'.repeat(255) }

/** Values of the table that are too long, or too invisible, to be written there. */
const values: Readonly<Record<string, string>> = {
  x255: JSON.stringify(long[255]),
  x256: JSON.stringify(long[256]),
  emoji255: JSON.stringify(emoji[255]),
  emoji256: JSON.stringify(emoji[256]),
  accented127: JSON.stringify(accented[127]),
  accented255: JSON.stringify(accented[255]),
  spaced255: JSON.stringify(`  ${long[255]}\n`),
  'object of 4096 bytes': JSON.stringify({ a: 'x'.repeat(4_096 - 8) }),
  'object of 4097 bytes': JSON.stringify({ a: 'x'.repeat(4_097 - 8) }),
  'object of 16384 bytes': JSON.stringify({ a: 'x'.repeat(16_384 - 8) }),
  'object of 16385 bytes': JSON.stringify({ a: 'x'.repeat(16_385 - 8) }),
  'object of 64 levels': nested(64),
  'object of 65 levels': nested(65),
  'object of 5000 levels': nested(5_000),
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
}

/**
 * Field | its JSON text, `absent`, or a name of `values` | the answer: `ok` with the value in the order,
 * or the failing fields with their texts.
 */
const fields = cellsOf(`
  phone_number | absent              | phone_number: The phone number field is required.
  phone_number | null                | phone_number: The phone number field is required.
  phone_number | ""                  | phone_number: The phone number field is required.
  phone_number | " \\t "             | phone_number: The phone number field is required.
  phone_number | 512345678           | phone_number: The phone number must be a string.
  phone_number | true                | phone_number: The phone number must be a string.
  phone_number | ["0512345678"]      | phone_number: The phone number must be a string.
  phone_number | {"a":1}             | phone_number: The phone number must be a string.

  total_price | absent               | total_price: The total price field is required.
  total_price | null                 | total_price: The total price field is required.
  total_price | "10"                 | total_price: The total price must be a number.
  total_price | ""                   | total_price: The total price must be a number.
  total_price | true                 | total_price: The total price must be a number.
  total_price | [10]                 | total_price: The total price must be a number.
  total_price | {}                   | total_price: The total price must be a number.
  total_price | -0.01                | total_price: The total price must be at least 0.
  total_price | -1e400               | total_price: The total price must be at least 0.
  total_price | -1e-400              | ok {"total_price":0,"total_points":0}
  total_price | 0                    | ok {"total_price":0,"total_points":0}
  total_price | -0                   | ok {"total_price":0,"total_points":0}
  total_price | 0.001                | ok {"total_price":0,"total_points":0}
  total_price | 0.005                | ok {"total_price":0.01,"total_points":0}
  total_price | 0.09                 | ok {"total_price":0.09,"total_points":0}
  total_price | 0.1                  | ok {"total_price":0.1,"total_points":1}
  total_price | 1.005                | ok {"total_price":1.01,"total_points":10}
  total_price | 1.0049               | ok {"total_price":1,"total_points":10}
  total_price | 10.99                | ok {"total_price":10.99,"total_points":109}
  total_price | 1e2                  | ok {"total_price":100,"total_points":1000}
  total_price | 9999999999.99        | ok {"total_price":9999999999.99,"total_points":99999999999}
  total_price | 9999999999.995       | total_price: The total price must not be greater than 9999999999.99.
  total_price | 10000000000          | total_price: The total price must not be greater than 9999999999.99.
  total_price | 1e400                | total_price: The total price must not be greater than 9999999999.99.

  order_number | absent              | order_number: The order number field is required.
  order_number | null                | order_number: The order number field is required.
  order_number | ""                  | order_number: The order number field is required.
  order_number | "\\u00a0\\n"        | order_number: The order number field is required.
  order_number | 1001                | order_number: The order number must be a string.
  order_number | ["1001"]            | order_number: The order number must be a string.
  order_number | x255                | ok {}
  order_number | x256                | order_number: The order number must not be greater than 255 characters.
  order_number | emoji255            | ok {}
  order_number | emoji256            | order_number: The order number must not be greater than 255 characters.
  order_number | accented127         | ok {}
  order_number | accented255         | order_number: The order number must not be greater than 255 characters.
  order_number | "a\\u0000b"         | order_number: The order number must not contain the NUL character (U+0000).
  order_number | "  padded  "        | ok {"order_number":"padded"}
  order_number | "#1001"             | ok {"order_number":"#1001"}
  order_number | "a\\ud800b"         | ok {"order_number":"a\\ufffdb"}
  order_number | "'; drop table x--" | ok {"order_number":"'; drop table x--"}

  name | absent                      | ok {}
  name | null                        | ok {}
  name | "  "                        | ok {}
  name | "سارة"                      | ok {}
  name | 7                           | name: The name must be a string.
  name | ["Sara"]                    | name: The name must be a string.
  name | {"first":"Sara"}            | name: The name must be a string.
  name | x255                        | ok {}
  name | spaced255                   | ok {}
  name | x256                        | name: The name must not be greater than 255 characters.
  name | emoji255                    | ok {}
  name | accented255                 | name: The name must not be greater than 255 characters.
  name | "a\\u0000"                  | name: The name must not contain the NUL character (U+0000).
  name | "\\udc00"                   | ok {}

  shipping_amount | null             | ok {}
  shipping_amount | 0                | ok {}
  shipping_amount | 12.345           | ok {}
  shipping_amount | 9999999999.99    | ok {}
  shipping_amount | 10000000000      | shipping_amount: The shipping amount must not be greater than 9999999999.99.
  shipping_amount | -0.01            | shipping_amount: The shipping amount must be at least 0.
  shipping_amount | "5"              | shipping_amount: The shipping amount must be a number.
  tax_amount      | null             | ok {}
  tax_amount      | -1               | tax_amount: The tax amount must be at least 0.
  tax_amount      | []               | tax_amount: The tax amount must be a number.
  tax_amount      | 1e400            | tax_amount: The tax amount must not be greater than 9999999999.99.
  discount_amount | null             | ok {}
  discount_amount | -1               | discount_amount: The discount amount must be at least 0.
  discount_amount | {"a":1}          | discount_amount: The discount amount must be a number.
  discount_amount | 9999             | ok {"total_price":100,"total_points":1000}

  shipping_address | null                        | ok {}
  shipping_address | {}                          | ok {}
  shipping_address | {"city":null,"zip":[1,"x"]} | ok {}
  shipping_address | "Riyadh"                    | shipping_address: The shipping address must be an object.
  shipping_address | ["Riyadh"]                  | shipping_address: The shipping address must be an object.
  shipping_address | 7                           | shipping_address: The shipping address must be an object.
  shipping_address | []                          | ok {}
  shipping_address | {"city":5}                  | shipping_address.city: The city must be a string.
  shipping_address | {"line1":{}}                | shipping_address.line1: The line1 must be a string.
  shipping_address | object of 4096 bytes        | ok {}
  shipping_address | object of 4097 bytes        | shipping_address: The shipping address must not be greater than 4096 bytes of JSON.

  metadata | absent                  | ok {"metadata":null}
  metadata | null                    | ok {"metadata":null}
  metadata | {}                      | ok {"metadata":{}}
  metadata | {"":{"b":[null,1.5]}}   | ok {"metadata":{"":{"b":[null,1.5]}}}
  metadata | {"a":" x "}             | ok {"metadata":{"a":" x "}}
  metadata | {"a":"\\u0000"}         | ok {"metadata":{"a":"\\u0000"}}
  metadata | {"a":"\\ud800"}         | ok {"metadata":{"a":"\\ud800"}}
  metadata | {"__proto__":{"b":1}}   | ok {"metadata":{"__proto__":{"b":1}}}
  metadata | {"constructor":{"prototype":{"status":1}}} | ok {"metadata":{"constructor":{"prototype":{"status":1}}}}
  metadata | []                      | ok {"metadata":{}}
  metadata | [{"a":1}]               | metadata: The metadata must be an object.
  metadata | "{}"                    | metadata: The metadata must be an object.
  metadata | ""                      | metadata: The metadata must be an object.
  metadata | 0                       | metadata: The metadata must be an object.
  metadata | false                   | metadata: The metadata must be an object.
  metadata | object of 16384 bytes   | ok {}
  metadata | object of 16385 bytes   | metadata: The metadata must not be greater than 16384 bytes of JSON.
  metadata | object of 64 levels     | ok {}
  metadata | object of 65 levels     | body: The body must not be nested deeper than 64 levels.
  metadata | object of 5000 levels   | body: The body must not be nested deeper than 64 levels.

  products | absent                  | products: The products field is required.
  products | null                    | products: The products field is required.
  products | []                      | products: The products must have at least 1 item.
  products | {}                      | products: The products must be an array.
  products | {"0":{}}                | products: The products must be an array.
  products | "Tea"                   | products: The products must be an array.
  products | 7                       | products: The products must be an array.
  products | ["Tea"]                 | products.0: The products 0 must be an object.
  products | [[]]                    | products.0: The products 0 must be an object.

  products.0                | {}                | products.0.product_name: The product name field is required.; products.0.product_price: The product price field is required.; products.0.quantity: The quantity field is required.
  products.0.product_name   | absent            | products.0.product_name: The product name field is required.
  products.0.product_name   | " "               | products.0.product_name: The product name field is required.
  products.0.product_name   | 7                 | products.0.product_name: The product name must be a string.
  products.0.product_name   | "a\\u0000"        | products.0.product_name: The product name must not contain the NUL character (U+0000).
  products.0.product_name   | " Tea "           | ok {"items":[{"product_name":"Tea","product_price":50,"quantity":2}]}
  products.0.product_price  | absent            | products.0.product_price: The product price field is required.
  products.0.product_price  | "10"              | products.0.product_price: The product price must be a number.
  products.0.product_price  | -0.01             | products.0.product_price: The product price must be at least 0.
  products.0.product_price  | 0                 | ok {"items":[{"product_name":"Coffee","product_price":0,"quantity":2}]}
  products.0.product_price  | 2.675             | ok {"items":[{"product_name":"Coffee","product_price":2.68,"quantity":2}]}
  products.0.product_price  | 10000000000       | products.0.product_price: The product price must not be greater than 9999999999.99.
  products.0.quantity       | absent            | products.0.quantity: The quantity field is required.
  products.0.quantity       | null              | products.0.quantity: The quantity field is required.
  products.0.quantity       | 0                 | products.0.quantity: The quantity must be at least 1.
  products.0.quantity       | -1                | products.0.quantity: The quantity must be at least 1.
  products.0.quantity       | 1.5               | products.0.quantity: The quantity must be an integer.
  products.0.quantity       | "1"               | products.0.quantity: The quantity must be an integer.
  products.0.quantity       | true              | products.0.quantity: The quantity must be an integer.
  products.0.quantity       | 1.0               | ok {"items":[{"product_name":"Coffee","product_price":50,"quantity":1}]}
  products.0.quantity       | 2147483647        | ok {}
  products.0.sku            | "A-1"             | ok {"items":[{"product_name":"Coffee","product_price":50,"quantity":2}]}
  products.1                | {"product_name":"B","product_price":1,"quantity":0} | products.1.quantity: The quantity must be at least 1.

  unknown_field | "x"                | ok {}
  __proto__     | {"total_price":1}  | ok {"total_price":100}
  order_status  | "captured"         | ok {"order_status":"approved"}
  total_points  | 1000000            | ok {"total_points":1000}
  merchant_id   | 1                  | ok {}
`)

/** The purchase as JSON text, with one field set to other JSON text. */
function bodyWith(field: string, value: string): string {
  const body: Record<string, unknown> = purchase()
  const place = field.split('.')
  const last = place.pop() ?? ''
  let parent: object = body
  for (const segment of place) parent = Reflect.get(parent, segment) as object
  if (value === 'absent') Reflect.deleteProperty(parent, last)
  else Object.defineProperty(parent, last, { value: '<value>', enumerable: true, configurable: true, writable: true })
  return JSON.stringify(body).replace('"<value>"', () => values[value] ?? value)
}

/** `errors` as the table writes it. */
function told(errors: Readonly<Record<string, string[]>> = {}): string {
  const lines = Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`))
  return lines.join('; ')
}

describe('every field of an earning', () => {
  test.each(fields)('%s %s', async (field = '', value = '', expected = '') => {
    const bytes = bodyWith(field, value)
    const headers = { 'content-type': 'application/json' }
    const reply = await service.client.call('POST', earning_path, { key: merchant.private_key, headers, bytes })
    if (!expected.startsWith('ok')) {
      expect(`${reply.status} ${told(reply.body.errors)}`).toBe(`422 ${expected}`)
      const { errors, ...rest } = reply.body
      expect(rest).toEqual({ status: false, message: 'The given data was invalid.', appended_data: {} })
      return
    }
    const data = dataOf(reply)
    expect(data).toMatchObject(JSON.parse(expected.slice(2)))
    const { since: createdSince, ...created } = data
    const { since: readSince, ...read } = dataOf(await service.getOrder(merchant.private_key, data['uuid']))
    expect(read).toEqual(created)
    expect([createdSince, readSince]).toEqual([expect.any(String), expect.any(String)])
  })
})

/** Input | the stored number, or nothing if the input is refused. */
const phones = cellsOf(`
  +966512345678        | 512345678
  00966512345678       | 512345678
  966512345678         | 512345678
  0512345678           | 512345678
  512345678            | 512345678
  +966 51 234 5678     | 512345678
  +966-51-234-5678     | 512345678
  (+966) 51-234-5678   | 512345678
  (051) 234 5678       | 512345678
  ٠٥١٢٣٤٥٦٧٨           | 512345678
  +٩٦٦ ٥١ ٢٣٤ ٥٦٧٨     | 512345678
  ٠٠٩٦٦٥١٢٣٤٥٦٧٨       | 512345678
  05123٤٥678           | 512345678
  41234567             |
  51234567             |
  5123456789           |
  05123456789          |
  051234567            |
  0412345678           |
  +966412345678        |
  +9660512345678       |
  966966512345678      |
  000966512345678      |
  ++966512345678       |
  +0512345678          |
  +512345678           |
  +1 512 345 678       |
  +971512345678        |
  0512345678x          |
  x0512345678          |
  05 12.34.56.78       |
  0512345678;1         |
  0512345678 0512345679|
  five                 |
  0x512345678          |
  ５１２３４５６７８     |
  0512345678\\u0000    |
  051234\\n5678        |
`)

describe('every format of a phone number', () => {
  test.each(phones)('%s', async (sent = '', number = '') => {
    const phone_number: string = JSON.parse(`"${sent}"`)
    const points = async () => {
      const text = `select a.posted from customer c join account a using (program_id) where c.customer_id = a.account_id
        and c.phone = '512345678'`
      return (await database.owner.one<{ posted: number }>({ text, values: [] }))?.posted ?? 0
    }
    const before = await points()
    const reply = await service.earn(merchant.private_key, purchase({ phone_number }))
    if (number === '') {
      expect(reply.status).toBe(422)
      const text = 'The phone number format is invalid. Use a Saudi mobile number, such as +966512345678.'
      expect(reply.body.errors).toEqual({ phone_number: [text] })
      expect(await points()).toBe(before)
    } else {
      dataOf(reply)
      expect(await points()).toBe(before + 1_000)
    }
  })
})

const everything = {
  phone_number: 5,
  total_price: -1,
  products: [{ product_price: '1', quantity: 0 }, 'Tea'],
  name: long[256],
  shipping_amount: 'x',
  tax_amount: -1,
  discount_amount: 1e11,
  shipping_address: [1],
  metadata: 'x',
}

describe('all failing fields at once', () => {
  test('in English', async () => {
    const { body, status } = await service.earn(merchant.private_key, everything)
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      phone_number: ['The phone number must be a string.'],
      total_price: ['The total price must be at least 0.'],
      order_number: ['The order number field is required.'],
      'products.0.product_name': ['The product name field is required.'],
      'products.0.product_price': ['The product price must be a number.'],
      'products.0.quantity': ['The quantity must be at least 1.'],
      'products.1': ['The products 1 must be an object.'],
      name: ['The name must not be greater than 255 characters.'],
      shipping_amount: ['The shipping amount must be a number.'],
      tax_amount: ['The tax amount must be at least 0.'],
      discount_amount: ['The discount amount must not be greater than 9999999999.99.'],
      shipping_address: ['The shipping address must be an object.'],
      metadata: ['The metadata must be an object.'],
    })
  })

  test('a thousand bad products are all named', async () => {
    const products = Array.from({ length: 1_000 }, () => ({ product_name: 'Tea', product_price: 1, quantity: 0 }))
    const { body } = await service.earn(merchant.private_key, purchase({ products }))
    expect(Object.keys(body.errors ?? {})).toHaveLength(1_000)
  })

  const languages = cellsOf(`
                 |                        | en
    ?lang=ar     |                        | ar
    ?lang=AR     |                        | ar
    ?lang=en     | ar                     | en
    ?lang=fr     | ar                     | ar
    ?lang=fr     |                        | en
    ?lang=       | ar                     | ar
                 | ar                     | ar
                 | ar-SA, en;q=0.5        | ar
                 | en;q=0.4, ar;q=0.6     | ar
                 | ar;q=0.4, en-GB;q=0.6  | en
                 | ar;q=0                 | en
                 | fr, ar;q=0.1           | ar
                 | *                      | en
                 | ,,;q=                  | en
  `)
  test.each(languages)('%s %s in %s', async (query = '', header = '', locale = '') => {
    const headers = header === '' ? {} : { 'accept-language': header }
    const options = { key: merchant.private_key, json: { total_price: 'x' }, headers }
    const { body } = await service.client.call('POST', earning_path + query, options)
    const texts = {
      en: ['The given data was invalid.', 'The total price must be a number.', 'The phone number field is required.'],
      ar: ['البيانات المدخلة غير صالحة.', 'يجب أن يكون حقل المبلغ الإجمالي رقمًا.', 'حقل رقم الجوال مطلوب.'],
    }
    const { errors = {} } = body
    expect([body.message, errors['total_price']?.[0], errors['phone_number']?.[0]]).toEqual(
      texts[locale === 'ar' ? 'ar' : 'en'],
    )
    const order = await service.client.call('POST', earning_path + query, { ...options, json: purchase() })
    const shown = locale === 'ar' ? { status_label: 'جديد', since: 'قبل 0 ثانية' } : { status_label: 'New' }
    expect(dataOf(order)).toMatchObject(shown)
  })
})

const json = 'application/json'
const valid = () => JSON.stringify(purchase())
const all = 'phone_number total_price products order_number'

/** Bodies as such: what is sent, its content type, the status, and the keys of `errors`. */
const bodies: readonly (readonly [
  name: string,
  type: string,
  body: () => string | Buffer,
  status: number,
  keys: string,
])[] = [
  ['nothing', json, () => '', 422, all],
  ['nothing, of no type', '', () => '', 422, all],
  ['spaces', json, () => '  ', 400, ''],
  ['an empty object', json, () => '{}', 422, all],
  ['an array', json, () => '[]', 422, all],
  ['a purchase in an array', json, () => `[${valid()}]`, 422, all],
  ['a string', json, () => '"x"', 422, all],
  ['a number', json, () => '7', 422, all],
  ['null', json, () => 'null', 422, all],
  ['true', json, () => 'true', 422, all],
  ['half an object', json, () => '{"phone_number":', 400, ''],
  ['a trailing comma', json, () => '{"a":1,}', 400, ''],
  ['two objects', json, () => '{}{}', 400, ''],
  ['a single quote', json, () => "{'a':1}", 400, ''],
  ['NaN', json, () => '{"total_price":NaN}', 400, ''],
  ['a raw NUL in a string', json, () => '{"name":"a\0b"}', 400, ''],
  ['a form', 'application/x-www-form-urlencoded', () => 'a=1', 415, ''],
  ['JSON called text', 'text/plain', valid, 415, ''],
  ['JSON of no type', '', valid, 415, ''],
  ['JSON by a similar name', 'application/json5', valid, 415, ''],
  ['JSON of a charset', 'application/json; charset=utf-8', valid, 200, ''],
  ['JSON in capitals', 'Application/JSON', valid, 200, ''],
  ['a byte order mark', json, () => `\ufeff${valid()}`, 200, ''],
  ['spaces around it', json, () => `\n ${valid()}\t\r\n`, 200, ''],
  ['invalid UTF-8', json, () => Buffer.from('{"name":"\xff"}', 'latin1'), 400, ''],
  ['an overlong NUL', json, () => Buffer.from('{"name":"\xc0\x80"}', 'latin1'), 400, ''],
  ['UTF-16', json, () => Buffer.from(valid(), 'utf16le'), 400, ''],
  ['1 MiB', json, () => valid().padEnd(1_048_576), 200, ''],
  ['1 MiB and a byte', json, () => valid().padEnd(1_048_577), 413, ''],
  ['brackets 100,000 deep', json, () => '['.repeat(100_000), 422, 'body'],
  ['brackets 60 deep', json, () => '['.repeat(60), 400, ''],
  ['arrays 100,000 deep', json, () => '['.repeat(100_000) + ']'.repeat(100_000), 422, 'body'],
]

describe('every kind of body', () => {
  test.each(bodies)('%s', async (_name, type, body, status, keys) => {
    const headers = type === '' ? {} : { 'content-type': type }
    const reply = await service.client.call('POST', earning_path, { key: merchant.private_key, headers, bytes: body() })
    expect([
      reply.status,
      Object.keys(reply.body.errors ?? {})
        .sort()
        .join(' '),
    ]).toEqual([status, keys.split(' ').sort().join(' ')])
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('a compressed one is refused', async () => {
    const headers = { 'content-type': json, 'content-encoding': 'gzip' }
    const reply = await service.client.call('POST', earning_path, { key: merchant.private_key, headers, bytes: 'x' })
    expect(reply.status).toBe(415)
  })

  test('a refused request writes nothing', async () => {
    const counts = async () => (await database.owner.run({ text: 'select count(*) from orders', values: [] }))[0]
    const before = await counts()
    for (const body of [everything, [], 'x']) await service.earn(merchant.private_key, body)
    expect(await counts()).toEqual(before)
  })
})

describe('an order', () => {
  test('has exactly the fields of the contract', async () => {
    const key = merchant.private_key
    const body = purchase({ total_price: 199.5, metadata: { branch: 'Olaya' } })
    const asked_ms = Date.now()
    const reply = await service.earn(key, body)
    expect(Object.keys(reply.body)).toEqual(['status', 'message', 'appended_data', 'data'])
    expect(reply.body).toMatchObject({ status: true, message: '', appended_data: {} })
    const data = dataOf(reply)
    const stamp = String(data['created_at'])
    const riyadh = new Date(Date.parse(stamp) + 3 * 3_600_000).toISOString()
    expect(data).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      reference_number: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z*~$=U-]{6,16}$/),
      order_status: 'approved',
      status_label: 'New',
      custom_status: null,
      order_number: body['order_number'],
      type: 1,
      total_price: 199.5,
      total_points: 1995,
      metadata: { branch: 'Olaya' },
      date: riyadh.slice(0, 10),
      time: riyadh.slice(11, 19),
      since: '0 seconds ago',
      settlement_status: 'pending',
      status: 'new',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      updated_at: stamp,
      items: [{ product_name: 'Coffee', product_price: 50, quantity: 2 }],
    })
    expect(Date.parse(stamp)).toBeGreaterThanOrEqual(Math.floor(asked_ms / 1000) * 1000)
    expect(Date.parse(stamp)).toBeLessThanOrEqual(Date.now())
    const upper = await service.getOrder(key, String(data['uuid']).toUpperCase(), {
      headers: { 'accept-language': 'ar' },
    })
    expect(dataOf(upper)).toEqual({ ...data, status_label: 'جديد', since: expect.stringMatching(/^قبل /) })
  })

  test('an approved event waits in the outbox for each order, written with it', async () => {
    const { uuid } = dataOf(await service.earn(merchant.private_key, purchase()))
    const events = await database.owner.run<{ name: string; payload: object }>({
      text: 'select name, payload from event where order_uuid = $1',
      values: [uuid],
    })
    expect(events).toEqual([{ name: 'approved', payload: expect.anything() }])
    expect(JSON.stringify(events[0]?.payload)).toContain(String(uuid))
  })

  test('whose number is sent again within the window is named by a 429, and is not made twice', async () => {
    const key = merchant.private_key
    const body = purchase({ order_number: ' again ' })
    const { uuid } = dataOf(await service.earn(key, body))
    for (const order_number of ['again', '\tagain']) {
      const reply = await service.earn(key, { ...body, order_number, total_price: 99 })
      expect([reply.status, reply.body.appended_data]).toEqual([429, { order_uuid: uuid }])
      expectNearlyWholeWindow(reply)
    }
    expect((await service.earn(key, { ...body, order_number: 'AGAIN' })).status).toBe(200)
  })
})
