import { expect, test } from 'vitest'
import {
  first_uuid,
  isUuid,
  last_uuid,
  parseId,
  parseReferenceNumber,
  parseUuid,
  referenceNumber,
  type Uuid,
  uuidBefore,
  uuidV7,
  uuidV7Floor,
  uuidV7Time,
} from '../../src/domain/ids.ts'

const zeros = new Uint8Array(16)
const ones = new Uint8Array(16).fill(255)

test('a UUIDv7 has the layout of RFC 9562', () => {
  // Example from RFC 9562, appendix A.6.
  const random = Uint8Array.from([0, 0, 0, 0, 0, 0, 0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
  expect(uuidV7(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('version and variant are set for any random bytes', () => {
  expect(uuidV7(0, zeros)).toBe('00000000-0000-7000-8000-000000000000')
  expect(uuidV7(0, ones)).toBe('00000000-0000-7fff-bfff-ffffffffffff')
})

test('a UUIDv7 gives back its time', () => {
  for (const now_ms of [0, 1, 1_795_252_739_808, 2 ** 48 - 1]) {
    expect(uuidV7Time(uuidV7(now_ms, ones))).toBe(now_ms)
    expect(uuidV7Time(uuidV7Floor(now_ms))).toBe(now_ms)
  }
})

test('the floor of a time is its lowest uuid, and above those of all earlier times', () => {
  expect(uuidV7Floor(5_000)).toBe(uuidV7(5_000, zeros))
  expect(uuidV7Floor(-5_000)).toBe(uuidV7(0, zeros))
  expect(uuidV7Floor(5_000) > uuidV7(4_999, ones)).toBe(true)
})

test('the uuid before another borrows from all digits above', () => {
  expect(uuidBefore(last_uuid)).toBe('ffffffff-ffff-ffff-ffff-fffffffffffe')
  expect(uuidBefore('018f0000-0000-7000-8000-000000000000' as Uuid)).toBe('018f0000-0000-7000-7fff-ffffffffffff')
  expect(uuidBefore('00000000-0000-0000-0000-000000000001' as Uuid)).toBe(first_uuid)
})

test('an invalid time or too few random bytes throw', () => {
  for (const now_ms of [-1, 0.5, 2 ** 48, Number.NaN]) expect(() => uuidV7(now_ms, zeros)).toThrow(RangeError)
  expect(() => uuidV7(0, new Uint8Array(15))).toThrow(RangeError)
})

test('an id is a whole number above 0 without leading zeros, of at most 15 digits', () => {
  expect(['1', '20', '999999999999999'].map(parseId)).toEqual([1, 20, 999_999_999_999_999])
  for (const text of ['', '0', '-1', '01', '1.5', '1e3', ' 1', '1\n', '١', '1000000000000000'])
    expect(parseId(text), JSON.stringify(text)).toBeNull()
})

test('isUuid takes canonical text only, parseUuid either case', () => {
  const uuid = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'
  expect(isUuid(uuid)).toBe(true)
  expect(isUuid(uuid.toUpperCase())).toBe(false)
  expect(parseUuid(uuid.toUpperCase())).toBe(uuid)
})

test.each([
  '',
  'earning',
  '017f22e279b07cc398c4dc0c0c07398f',
  '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398fa',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
  '017f22e2-79b07-cc3-98c4-dc0c0c07398f',
])('%j is no uuid', (text) => {
  expect(parseUuid(text)).toBeNull()
})

test('a reference number is ten Crockford symbols and reads back as itself', () => {
  expect(referenceNumber(zeros)).toBe('0000000000')
  const reference = referenceNumber(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]))
  expect(reference).toMatch(/^123456789[0-9A-HJKMNP-TV-Z]$/)
  expect(parseReferenceNumber(reference)).toBe(reference)
})

test('check symbols never change: old numbers must stay valid', () => {
  expect(referenceNumber(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBe('1234567890')
  expect(referenceNumber(Uint8Array.from([31, 30, 29, 28, 27, 26, 25, 24, 23]))).toBe('ZYXWVTSRQM')
})

test('a reference number is parsed as people write it', () => {
  const reference = referenceNumber(Uint8Array.from([0, 1, 10, 31, 1, 0, 22, 27, 9]))
  expect(reference.startsWith('01AZ10PV9')).toBe(true)
  const check = reference.slice(-1)
  for (const typed of [`o1azioPv9${check}`, `OLAZ1-0PV9${check}`, ` 01 az lo pv9 ${check} `, `01AZ10–PV9${check}`]) {
    expect(parseReferenceNumber(typed)).toBe(reference)
  }
})

test.each(['', '000000000', '00000000000', '000000000U', '0000000001', '00000.0000', '0000000000!'])(
  '%j is no reference number',
  (text) => {
    expect(parseReferenceNumber(text)).toBeNull()
  },
)

test('too few random bytes for a reference number throw', () => {
  expect(() => referenceNumber(new Uint8Array(8))).toThrow(RangeError)
})

test('uuids sort by their time', () => {
  const uuids: Uuid[] = [3, 1, 2].map((now_ms) => uuidV7(now_ms, ones))
  expect(uuids.toSorted().map(uuidV7Time)).toEqual([1, 2, 3])
})
