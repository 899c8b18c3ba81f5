import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Failure, FailureKind } from '../../src/domain/failures.ts'
import { renderErrorList } from '../../src/http/api/error-list.ts'
import { errorTable } from '../../src/http/api/errors.ts'
import { fieldText, nameField, ruleTexts } from '../../src/http/api/field-texts.ts'
import { negotiateLocale } from '../../src/http/api/locale.ts'
import { failure, headersOf } from '../../src/http/api/responses.ts'

const kinds = Object.keys(errorTable) as FailureKind[]

/** docs/spec/orders.md#move-rules */
const stateMessages = {
  order_already_paid: 'Order already fully paid',
  not_a_replacing_order: 'Only replacing orders can be completed',
  cannot_complete: 'Order cannot be completed',
  cannot_authorize: 'Order cannot be authorized',
  cannot_capture: 'Order cannot be captured',
  cannot_cancel: 'Order cannot be cancelled',
  cannot_refund: 'Order cannot be refunded',
} as const

describe('the error table', () => {
  it('has the statuses of the specification and no others', () => {
    const statuses = new Set(kinds.map((kind) => errorTable[kind].status))
    // The contract has no 401: only the dashboard's own API answers with it.
    expect(errorTable.not_signed_in.status).toBe(401)
    expect([...statuses].sort()).toEqual([400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503])
  })

  it('says in both languages what is wrong and what to do', () => {
    const literal: string[] = ['invalid_api_key', 'validation', ...Object.keys(stateMessages)]
    for (const kind of kinds.filter((each) => !literal.includes(each))) {
      const { en, ar } = errorTable[kind].text
      expect(en, kind).toMatch(/^[A-Z].*[.,;] .*\.$/)
      expect(ar, kind).toMatch(/[\u0600-\u06ff].*[.،؛] .*[\u0600-\u06ff]/)
      expect(ar, kind).toMatch(/\.$/)
    }
  })

  it.each(Object.entries(stateMessages))('has the exact text of %s, since clients compare it', (kind, text) => {
    expect(failure({ kind: kind as keyof typeof stateMessages }, 'en').message).toBe(text)
  })

  it('has the same authentication message in every locale', () => {
    const body = { status: false, message: 'Invalid or inactive API key', appended_data: {} }
    expect(failure({ kind: 'invalid_api_key' }, 'ar')).toEqual(body)
    expect(failure({ kind: 'invalid_api_key' }, 'en')).toEqual(body)
  })

  it('carries Retry-After, Allow and the uuid of an existing order', () => {
    const repeated: Failure = { kind: 'order_number_repeated', retry_after_s: 7, order_uuid: 'u' }
    expect(headersOf(repeated)).toEqual({ 'retry-after': '7' })
    expect(failure(repeated, 'en').appended_data).toEqual({ order_uuid: 'u' })
    expect(failure({ kind: 'order_number_repeated', retry_after_s: 7 }, 'en').appended_data).toEqual({})
    expect(headersOf({ kind: 'earning_in_progress' })).toEqual({ 'retry-after': '1' })
    expect(headersOf({ kind: 'request_in_flight' })).toEqual({ 'retry-after': '1' })
    expect(headersOf({ kind: 'method_not_allowed', allow: ['GET', 'HEAD'] })).toEqual({ allow: 'GET, HEAD' })
    const taken = { kind: 'validation', errors: [{ field: 'order_number', rule: 'taken' }], order_uuid: 'u' } as const
    expect(failure(taken, 'en')).toEqual({
      status: false,
      message: 'The given data was invalid.',
      appended_data: { order_uuid: 'u' },
      errors: { order_number: ['The order number has already been taken.'] },
    })
  })

  it('is what docs/errors.md lists', () => {
    expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(renderErrorList())
  })
})

describe('the texts of fields', () => {
  const cases = [
    ['total_price', 'required', undefined, 'The total price field is required.'],
    ['products.0.quantity', 'min_numeric', 1, 'The quantity must be at least 1.'],
    ['products', 'min_array', 1, 'The products must have at least 1 item.'],
    ['products', 'max_array', 20, 'The products must not have more than 20 items.'],
    ['products.3', 'object', undefined, 'The products 3 must be an object.'],
    ['name', 'max_string', 255, 'The name must not be greater than 255 characters.'],
    ['rating', 'max_numeric', 5, 'The rating must not be greater than 5.'],
    ['status', 'in', 'new, delivered', 'The selected status is invalid. Use one of: new, delivered.'],
    ['callback_url', 'url', undefined, 'The callback url must be a valid URL that begins with http:// or https://.'],
  ] as const

  it.each(cases)('%s %s %s', (field, rule, limit, expected) => {
    expect(fieldText(limit === undefined ? { field, rule } : { field, rule, limit }, 'en')).toBe(expected)
  })

  it('use Arabic names of fields where they are known', () => {
    expect(fieldText({ field: 'products.0.quantity', rule: 'min_numeric', limit: 1 }, 'ar')).toBe(
      'يجب ألا تقل قيمة حقل الكمية عن 1.',
    )
    expect(nameField('some_field', 'ar')).toBe('some field')
    const names = (text: string) => [text.includes(':attribute'), text.endsWith('.')]
    for (const { ar, en } of Object.values(ruleTexts)) expect([ar, ...names(ar)]).toEqual([ar, ...names(en)])
  })

  it('keep a name that looks like a replacement pattern', () => {
    expect(fieldText({ field: 'a$&b', rule: 'in', limit: '$1' }, 'en')).toBe(
      'The selected a$&b is invalid. Use one of: $1.',
    )
  })
})

describe('the locale', () => {
  const cases: readonly (readonly [unknown, string | undefined, string])[] = [
    [undefined, undefined, 'en'],
    [undefined, '', 'en'],
    [undefined, 'ar', 'ar'],
    [undefined, 'AR-sa', 'ar'],
    [undefined, 'fr, ar;q=0.2', 'ar'],
    [undefined, 'fr', 'en'],
    [undefined, 'en, ar', 'en'],
    [undefined, 'ar, en', 'ar'],
    [undefined, 'ar;q=0.8, en;q=0.9', 'en'],
    [undefined, 'ar;q=0', 'en'],
    [undefined, 'en;q=0, *', 'ar'],
    [undefined, '*', 'en'],
    [undefined, 'ar;q=2, ;;, \u0000', 'en'],
    ['ar', 'en', 'ar'],
    ['EN', 'ar', 'en'],
    ['xx', 'ar', 'ar'],
    [['xx', 'en'], 'ar', 'en'],
    ['', 'ar', 'ar'],
  ]
  it.each(cases)('lang %j and Accept-Language %j give %s', (lang, header, expected) => {
    expect(negotiateLocale(lang, header)).toBe(expected)
  })
})
