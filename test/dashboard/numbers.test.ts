import { describe, expect, it } from 'vitest'
import { type NumberBounds, readNumber } from '../../dashboard/src/parts/typed-number.ts'
import { rowsOf } from '../support/tables.ts'

const money: NumberBounds = { places: 2, least: 0.01, most: 10_000 }
const points: NumberBounds = { places: 0, least: 1, most: 1_000_000 }

describe('a number that people type', () => {
  it.each(
    rowsOf(`
      # typed        value
      12.5           12.5
      12.            12
      ١٢٫٥           12.5
      ١٬٢٣٤٫٥٠       1234.5
      ۱۲۳            123
      ۱٬۲۳۴٫۵        1234.5
      1,234.50       1234.5
      ٥٠             50
      ٥٠.٢٥          50.25
    `),
  )('is read in the digits and with the separators of any keyboard: %s', (typed, value) => {
    expect(readNumber(typed, money)).toEqual({ value: Number(value) })
  })

  it('may have spaces and the marks of direction that are copied along', () => {
    expect(readNumber(' \u200f١ ٢٣٤\u200f ', money)).toEqual({ value: 1_234 })
  })

  it.each(
    rowsOf(`
      # typed  problem
      ,        common.number_wrong
      abc      common.number_wrong
      -5       common.number_wrong
      1e3      common.number_wrong
      12,5     common.number_wrong
      1.005    common.number_places
      ٠        common.number_least
      10,001   common.number_most
    `),
  )('is refused with what is wrong: %s', (typed, problem) => {
    expect(readNumber(typed, money)).toMatchObject({ value: Number.NaN, problem: { text: problem } })
  })

  it('is missed where nothing is typed', () => {
    for (const typed of ['', ' ', '\u200f'])
      expect(readNumber(typed, money).problem?.text, JSON.stringify(typed)).toBe('common.number_missing')
  })

  it('is whole where only whole numbers count', () => {
    expect(readNumber('١٬٢٠٠', points)).toEqual({ value: 1_200 })
    for (const typed of ['1.5', '1.', '١٫٥', 'x'])
      expect(readNumber(typed, points).problem?.text, typed).toBe('common.number_whole')
  })
})
