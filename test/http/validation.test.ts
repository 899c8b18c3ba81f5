import type { Static } from 'typebox'
import { describe, expect, it } from 'vitest'
import { DomainError, type FieldError } from '../../src/domain/failures.ts'
import {
  boolean,
  freeForm,
  integer,
  money,
  nullable,
  object,
  oneOf,
  optional,
  phoneNumber,
  text,
  url,
} from '../../src/http/api/fields.ts'
import { compileValidator } from '../../src/http/api/validation.ts'
import { purchase, validPurchase } from './rows.ts'

const validatePurchase = compileValidator(purchase)

/** The failing fields, as `field rule limit`. */
function failing(validate: (body: unknown) => unknown, body: unknown): string[] {
  try {
    validate(body)
    return []
  } catch (error) {
    if (!(error instanceof DomainError) || error.failure.kind !== 'validation') throw error
    return error.failure.errors.map(({ field, rule, limit }: FieldError) =>
      limit === undefined ? `${field} ${rule}` : `${field} ${rule} ${limit}`,
    )
  }
}

const purchaseErrors = (changes: object) => failing(validatePurchase, { ...validPurchase, ...changes })
const fieldErrors = (schema: Parameters<typeof object>[0][string], value: unknown) =>
  failing(compileValidator(object({ it: schema })), { it: value })

describe('a body is normalised before it is checked', () => {
  it('null stays where it means something, and its field is normalised like any other', () => {
    const validate = compileValidator(object({ note: optional(nullable(text({ max: 3 }))), name: optional(text()) }))
    expect(validate({ note: null, name: null })).toEqual({ note: null })
    expect(validate({ note: ' abc ' })).toEqual({ note: 'abc' })
  })

  it('strings are trimmed, blanks and nulls count as absent, unknown fields are dropped', () => {
    const sent = {
      ...validPurchase,
      order_number: ' \t1001\n',
      name: ' \u00a0 ',
      shipping_amount: null,
      extra: { a: 1 },
    }
    expect(validatePurchase(sent)).toEqual(validPurchase)
    expect(purchaseErrors({ order_number: '  ', total_price: null })).toEqual([
      'total_price required',
      'order_number required',
    ])
  })

  // An empty variable as the amount of a refund must not refund everything.
  it('a blank string in a field that takes no text is of the wrong type, and not absent', () => {
    expect(purchaseErrors({ shipping_amount: '', metadata: '' })).toEqual([
      'shipping_amount numeric',
      'metadata object',
    ])
  })

  it('unknown fields of products are dropped too, and their strings are trimmed', () => {
    const products = [{ product_name: ' Tea ', product_price: 1, quantity: 1, sku: 'x' }]
    expect(validatePurchase({ ...validPurchase, products }).products).toEqual([
      { product_name: 'Tea', product_price: 1, quantity: 1 },
    ])
  })

  it('lone surrogates become well-formed', () => {
    expect(validatePurchase({ ...validPurchase, name: 'a\ud800b' }).name).toBe('a\ufffdb')
  })

  it('the body that was sent is not changed', () => {
    const sent = { ...validPurchase, name: ' Sara ' }
    const before = structuredClone(sent)
    validatePurchase(sent)
    expect(sent).toEqual(before)
  })

  it('the result has the static type of the schema', () => {
    const body: Static<typeof purchase> = validatePurchase(validPurchase)
    const name: string | undefined = body.name
    expect(name).toBeUndefined()
  })
})

describe('free-form objects', () => {
  it('are given back exactly as sent', () => {
    const metadata = JSON.parse(
      '{"b":" x ","a":null,"":"","__proto__":{"admin":true},"constructor":1,"n":[[],{},"\\u0000"]}',
    )
    const body = validatePurchase({ ...validPurchase, metadata })
    expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(metadata))
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })

  it('are bounded by 16 KiB of JSON, in bytes', () => {
    const of = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    expect(purchaseErrors({ metadata: of(16_384) })).toEqual([])
    expect(purchaseErrors({ metadata: of(16_385) })).toEqual(['metadata max_bytes 16384'])
    expect(purchaseErrors({ shipping_address: { a: 'ع'.repeat(2_048) } })).toEqual(['shipping_address max_bytes 4096'])
    expect(purchaseErrors({ shipping_address: of(4_096) })).toEqual([])
  })

  it('are bounded in depth, and a very deep one does not overflow', () => {
    const nested = (depth: number): object => JSON.parse(`${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`)
    expect(purchaseErrors({ metadata: nested(64) })).toEqual([])
    expect(purchaseErrors({ metadata: nested(65) })).toEqual(['metadata max_depth 64'])
    const lists = (depth: number): object => JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect(purchaseErrors({ metadata: lists(5_000) })).toEqual(['metadata max_depth 64'])
    expect(purchaseErrors({ metadata: lists(100_000) })).toContain('metadata max_depth 64')
  })

  it('are objects; `[]`, as PHP writes an empty one, counts as one', () => {
    for (const value of ['x', 1, true, [1], [[]]])
      expect(purchaseErrors({ metadata: value })).toEqual(['metadata object'])
    for (const field of ['metadata', 'shipping_address'])
      expect(validatePurchase({ ...validPurchase, [field]: [] })).toEqual({ ...validPurchase, [field]: {} })
    expect(fieldErrors(freeForm(), {})).toEqual([])
  })
})

describe('a shipping address', () => {
  it('is kept as sent; only city and line1 must be strings', () => {
    const address = { city: ' Riyadh ', line1: null, floor: 5, geo: [1, 2] }
    expect(validatePurchase({ ...validPurchase, shipping_address: address }).shipping_address).toEqual(address)
    expect(purchaseErrors({ shipping_address: { city: '', line1: 'x'.repeat(255) } })).toEqual([])
    expect(purchaseErrors({ shipping_address: { city: 5, line1: ['x'] } })).toEqual([
      'shipping_address.city string',
      'shipping_address.line1 string',
    ])
    const long = { city: 'ع'.repeat(101), line1: 'x'.repeat(256) }
    expect(purchaseErrors({ shipping_address: long })).toEqual([
      'shipping_address.city max_string 100',
      'shipping_address.line1 max_string 255',
    ])
  })
})

describe('a list of products', () => {
  const line = validPurchase.products[0]
  const lines = (count: number, one: unknown = line) => Array.from({ length: count }, () => one)

  it('has up to 1,000 lines, whose names have up to 500 characters', () => {
    expect(purchaseErrors({ products: lines(1_000) })).toEqual([])
    expect(purchaseErrors({ products: lines(1_001) })).toEqual(['products max_array 1000'])
    expect(purchaseErrors({ products: [{ ...line, product_name: '😀'.repeat(500) }] })).toEqual([])
    expect(purchaseErrors({ products: [{ ...line, product_name: 'x'.repeat(501) }] })).toEqual([
      'products.0.product_name max_string 500',
    ])
  })

  it('that is too long is refused before its lines are validated, along with other failing fields', () => {
    let reads = 0
    const counting = new Proxy(
      {},
      {
        get: () => {
          reads += 1
        },
      },
    )
    expect(purchaseErrors({ products: lines(19_000, counting), total_price: -1 })).toEqual([
      'products max_array 1000',
      'total_price min_numeric 0',
    ])
    expect(reads).toBe(0)
  })

  it('reports at most 1,000 errors, one for each line', () => {
    expect(purchaseErrors({ products: lines(1_000, {}) })).toHaveLength(1_000)
    expect(
      purchaseErrors({ products: lines(1_000, { product_name: 1, product_price: 'x', quantity: 0 }) }),
    ).toHaveLength(1_000)
  })
})

describe('all failing fields are reported at once', () => {
  it('missing, nested and out of bounds', () => {
    const products = [{ product_name: null, product_price: '1', quantity: 0 }, 5, null, validPurchase.products[0]]
    expect(purchaseErrors({ phone_number: '12', total_price: -1, products, order_number: undefined }).sort()).toEqual(
      [
        'phone_number phone',
        'total_price min_numeric 0',
        'products.0.product_name required',
        'products.0.product_price numeric',
        'products.0.quantity min_numeric 1',
        'products.1 object',
        'products.2 required',
        'order_number required',
      ].sort(),
    )
  })

  it('beyond the default limit of TypeBox', () => {
    const products = Array.from({ length: 100 }, () => ({}))
    expect(purchaseErrors({ products })).toHaveLength(300)
  })

  it('a list of products must not be empty', () => {
    expect(purchaseErrors({ products: [] })).toEqual(['products min_array 1'])
    expect(purchaseErrors({ products: {} })).toEqual(['products array'])
  })
})

describe('the kinds of fields', () => {
  it('money is a JSON number from 0 to 9,999,999,999.99', () => {
    for (const value of [0, -0, 0.001, 1.005, 9_999_999_999.99, 1e-300]) expect(fieldErrors(money(), value)).toEqual([])
    for (const value of ['1', '', ' ', true, [], {}]) expect(fieldErrors(money(), value)).toEqual(['it numeric'])
    expect(fieldErrors(money(), -0.01)).toEqual(['it min_numeric 0'])
    expect(fieldErrors(money(), 1e10)).toEqual(['it max_numeric 9999999999.99'])
  })

  it('a number beyond all bounds is too large, not of the wrong type', () => {
    expect(fieldErrors(money(), JSON.parse('1e999'))).toEqual(['it max_numeric 9999999999.99'])
    expect(fieldErrors(integer({ min: 1 }), JSON.parse('-1e999'))).toEqual(['it min_numeric 1'])
  })

  it('integers are whole numbers that fit a database integer', () => {
    expect(fieldErrors(integer({ min: 1, max: 5 }), 5.0)).toEqual([])
    expect(fieldErrors(integer({ min: 1, max: 5 }), 4.5)).toEqual(['it integer'])
    expect(fieldErrors(integer({ min: 1, max: 5 }), '4')).toEqual(['it integer'])
    expect(fieldErrors(integer({ min: 1, max: 5 }), 6)).toEqual(['it max_numeric 5'])
    expect(fieldErrors(integer(), 2 ** 31)).toEqual(['it max_numeric 2147483647'])
  })

  it('texts count characters and must not hold NUL', () => {
    expect(fieldErrors(text({ max: 3 }), '😀😀😀')).toEqual([])
    expect(fieldErrors(text({ max: 3 }), '😀😀😀😀')).toEqual(['it max_string 3'])
    expect(fieldErrors(text(), 'a\u0000b')).toEqual(['it characters'])
    expect(fieldErrors(text(), 5)).toEqual(['it string'])
  })

  it('phones, URLs, choices and booleans have their own errors', () => {
    for (const phone of ['+966 51-234 5678', '00966512345678', '٠٥١٢٣٤٥٦٧٨'])
      expect(fieldErrors(phoneNumber(), phone)).toEqual([])
    for (const phone of ['412345678', '+1 512345678', '51234567', 'x'])
      expect(fieldErrors(phoneNumber(), phone)).toEqual(['it phone'])
    expect(fieldErrors(phoneNumber(), 512345678)).toEqual(['it string'])
    expect(fieldErrors(url(), 'https://shop.example/back?a=1')).toEqual([])
    for (const wrong of ['javascript:alert(1)', '/back', 'shop.example', 'ftp://x', 'https://'])
      expect(fieldErrors(url(), wrong)).toEqual(['it url http:// or https://'])
    expect(fieldErrors(url({ protocols: ['https'] }), 'http://x')).toEqual(['it url https://'])
    expect(fieldErrors(oneOf(['a', 'b']), ' a ')).toEqual([])
    expect(fieldErrors(oneOf(['a', 'b']), 'c')).toEqual(['it in a, b'])
    // What went wrong: a payment_method of 9 was told to be one of `1, 2, … 9`, which looks as if it were.
    for (const value of [9, true, {}, ['a']]) expect(fieldErrors(oneOf(['9', 'b']), value)).toEqual(['it string'])
    expect(fieldErrors(boolean(), 'true')).toEqual(['it boolean'])
    expect(fieldErrors(optional(boolean()), null)).toEqual([])
    expect(fieldErrors(boolean(), null)).toEqual(['it required'])
  })

  it('a name that every object has cannot be a field', () => {
    expect(() => compileValidator(object({ constructor: text() }))).toThrow(/cannot be named/)
  })
})
