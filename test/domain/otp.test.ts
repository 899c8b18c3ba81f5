import { describe, expect, it, test } from 'vitest'
import { code_life_ms, decideTry, type KeptCode, most_tries, readCode, triesLeft } from '../../src/domain/otp.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { newOneTimeCode } from '../../src/lib/ids.ts'

const noon_ms = Date.parse('2026-02-01T09:00:00Z')
const at = (s: number) => new Date(noon_ms + s * 1000)
const phone = '512345678' as Phone

describe('a try', () => {
  const kept: KeptCode = { phone, tries: 0, used_at: null, expires_at: at(300) }
  const attempt = (changes: Partial<KeptCode>, matches: boolean, s = 1) =>
    decideTry({ ...kept, ...changes }, { phone, matches, now: at(s) })

  test.each([
    ['the right code', {}, true, { kind: 'right' }],
    ['the right code, at the last of five tries', { tries: 4 }, true, { kind: 'right' }],
    ['the right code, after five wrong ones', { tries: 5 }, true, { kind: 'over' }],
    ['a wrong code', {}, false, { kind: 'wrong', tries_left: 4 }],
    ['the fifth wrong code', { tries: 4 }, false, { kind: 'wrong', tries_left: 0 }],
    ['the right code again', { used_at: at(0) }, true, { kind: 'over' }],
    ['the right code of another phone', { phone: '512345679' as Phone }, true, { kind: 'over' }],
    ['the right code when its time has come', { expires_at: at(1) }, true, { kind: 'over' }],
    ['the right code just before', { expires_at: at(1.001) }, true, { kind: 'right' }],
  ])('%s', (_, changes, matches, outcome) => {
    expect(attempt(changes, matches)).toEqual(outcome)
  })

  it('without a code is over', () => {
    expect(decideTry(undefined, { phone, matches: true, now: at(0) })).toEqual({ kind: 'over' })
    expect(triesLeft(undefined, phone, at(0))).toBe(0)
  })

  it('can be made five times within five minutes', () => {
    expect([most_tries, code_life_ms]).toEqual([5, 300_000])
    expect(triesLeft(kept, phone, at(299))).toBe(5)
  })
})

test.each([
  ['012345', '012345'],
  [' 012 345 ', '012345'],
  ['012-345', '012345'],
  ['\u200e012345\u200f', '012345'],
  ['٠١٢٣٤٥', '012345'],
  ['۰۱۲۳۴۵', '012345'],
  ['٠1٢3٤5', '012345'],
  ['12345', null],
  ['1234567', null],
  ['12345a', null],
  ['１２３４５６', null],
  ['', null],
  ['123456 is your code to use points at Shop.\n@pay.example #123456', '123456'],
  ['١٢٣٤٥٦ رمز استخدام نقاطك لدى متجر. يعمل ٥ دقائق. @pay.example #123456', '123456'],
  ['Code 123456, not 654321', null],
  ['Order 12345678 is on its way', null],
  [`${'x'.repeat(1_000)} 123456`, null],
])('%j is read as %j', (text, code) => {
  expect(readCode(text)).toBe(code)
})

describe('codes', () => {
  it('have six digits, each uniformly distributed', () => {
    const draws = 60_000
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0))
    for (let draw = 0; draw < draws; draw += 1) {
      const code = newOneTimeCode()
      expect(code).toMatch(/^[0-9]{6}$/)
      counts.forEach((place, index) => {
        const digit = Number(code[index])
        place[digit] = (place[digit] ?? 0) + 1
      })
    }
    const expected = draws / 10
    for (const place of counts) {
      const chi2 = place.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      // Nine degrees of freedom: fair draws exceed this once in a hundred million.
      expect(chi2).toBeLessThan(56)
    }
  })
})
