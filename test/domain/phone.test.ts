import { expect, test } from 'vitest'
import { maskPhone, type Phone, parsePhone } from '../../src/domain/phone.ts'

test.each([
  '+966501234567',
  '00966501234567',
  '966501234567',
  '0501234567',
  '501234567',
  '+966 50 123 4567',
  '(050) 123-4567',
  '050\u00a0123\u202f4567',
  '050–123—4567',
  '050\u2011123\u22124567',
  '\u202a+966 50 123 4567\u202c',
  '\u200e0501234567\u200f',
  '\u2066+966501234567\u2069',
  '\u061c0501234567',
  '٠٥٠١٢٣٤٥٦٧',
  '+٩٦٦٥٠١٢٣٤٥٦٧',
  '۰۵۰۱۲۳۴۵۶۷',
  '0٥0۱2٣4567',
  ' 0501234567 ',
])('%j is 501234567', (text) => {
  expect(parsePhone(text)).toBe('501234567')
})

test.each([
  '',
  '5',
  '50123456',
  '5012345678',
  '401234567',
  '0401234567',
  '+96650123456',
  '+9660501234567',
  '009660501234567',
  '00501234567',
  '+501234567',
  '+0501234567',
  '++966501234567',
  '966+501234567',
  '+971501234567',
  '0501234567x',
  '050.123.4567',
  '050/1234567',
  '050_123_4567',
  '0501234567\n0501234567',
  '050\u200b1234567',
  '０５０１２３４５６７',
  'tel:0501234567',
  '\u0000501234567',
])('%j is not a phone', (text) => {
  expect(parsePhone(text)).toBeNull()
})

// Half a megabyte of Arabic-Indic digits held the event loop for a tenth of a second.
test('a text of more than 100 characters is no phone, whatever is left of it without separators', () => {
  expect(parsePhone(`050${'-'.repeat(90)}1234567`)).toBe('501234567')
  expect(parsePhone(`050${'-'.repeat(91)}1234567`)).toBeNull()
})

test('a very long text is refused quickly', () => {
  expect(parsePhone('5'.repeat(1_000_000))).toBeNull()
  expect(parsePhone(`${' '.repeat(1_000_000)}x`)).toBeNull()
})

test('a masked phone shows its first and its last two digits', () => {
  expect(maskPhone('501234567' as Phone)).toBe('5••••••67')
})
