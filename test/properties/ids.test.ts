import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid, parseReferenceNumber, referenceNumber, uuidV7, uuidV7Floor, uuidV7Time } from '../../src/domain/ids.ts'
import { maskPhone, parsePhone } from '../../src/domain/phone.ts'

const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomBytes = fc.uint8Array({ minLength: 16, maxLength: 16 })

// The check is linear, so an error that it misses on one number it misses on all. Tests try all errors on many numbers.
test('every wrong symbol of a reference number is detected', () => {
  fc.assert(
    fc.property(randomBytes, (random) => {
      const reference = referenceNumber(random)
      for (let i = 0; i < reference.length; i++) {
        for (const symbol of symbols.replace(reference.charAt(i), '')) {
          expect(parseReferenceNumber(reference.slice(0, i) + symbol + reference.slice(i + 1))).toBeNull()
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('every swap of two different symbols of a reference number is detected, adjacent or not', () => {
  fc.assert(
    fc.property(randomBytes, (random) => {
      const reference = referenceNumber(random)
      for (let i = 0; i < reference.length; i++) {
        for (let j = i + 1; j < reference.length; j++) {
          const exchanged = exchange(reference, i, j)
          if (exchanged !== reference) expect(parseReferenceNumber(exchanged)).toBeNull()
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('every transposition of adjacent symbols is detected, including the check symbol', () => {
  for (let place = 0; place < 8; place++) {
    for (let pair = 0; pair < 32 * 32; pair++) {
      const random = new Uint8Array(9)
      random[place] = pair >> 5
      random[place + 1] = pair & 31
      const reference = referenceNumber(random)
      for (const at of [place, 8]) {
        const transposed = exchange(reference, at, at + 1)
        expect(transposed === reference || parseReferenceNumber(transposed) === null).toBe(true)
      }
    }
  }
})

test('a reference number is parsed back, in any spelling', () => {
  fc.assert(
    fc.property(
      randomBytes,
      fc.nat(10),
      fc.constantFrom('O', 'o', '0'),
      fc.constantFrom('I', 'i', 'L', 'l'),
      (random, cut, zero, one) => {
        const reference = referenceNumber(random)
        const typed = reference.replaceAll('0', zero).replaceAll('1', one)
        expect(parseReferenceNumber(`${typed.slice(0, cut)}-${typed.slice(cut).toLowerCase()}`)).toBe(reference)
      },
    ),
  )
})

test('a UUIDv7 carries its time, is not below its floor, and sorts after those of earlier times', () => {
  const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 })
  fc.assert(
    fc.property(instant, instant, randomBytes, randomBytes, (a, b, randomA, randomB) => {
      const [first, second] = [uuidV7(a, randomA), uuidV7(b, randomB)]
      expect(isUuid(first) && uuidV7Time(first) === a && first >= uuidV7Floor(a)).toBe(true)
      if (a < b) expect(first < uuidV7Floor(b) && first < second).toBe(true)
    }),
  )
})

test('a number in any accepted format, script and spacing gives the same phone, whose mask hides the middle', () => {
  const digits = fc.stringMatching(/^[0-9]{8}$/)
  const prefix = fc.constantFrom('', '0', '966', '00966', '+966')
  const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2011', '(', ')', '\u200f', '\u202a')
  fc.assert(
    fc.property(digits, prefix, separator, fc.constantFrom(0x30, 0x660, 0x6f0), (rest, start, between, zero) => {
      const phone = parsePhone(Array.from(`${start}5${rest}`, (sign) => inScript(sign, zero)).join(between))
      expect(phone).toBe(`5${rest}`)
      if (phone !== null) expect(maskPhone(phone)).not.toContain(rest.slice(0, 6))
    }),
  )
})

test('any text gives 5 and eight digits, or null', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ()٠-٩-]*$/)), (text) => {
      expect(parsePhone(text) ?? '500000000').toMatch(/^5[0-9]{8}$/)
    }),
  )
})

function exchange(text: string, i: number, j: number): string {
  const signs = [...text]
  signs[i] = text.charAt(j)
  signs[j] = text.charAt(i)
  return signs.join('')
}

function inScript(sign: string, zero: number): string {
  return sign === '+' ? sign : String.fromCharCode(zero + Number(sign))
}
