import { describe, expect, it } from 'vitest'
import { rowsOf } from '../support/tables.ts'
import { widgetRules } from '../support/widget.ts'

const { toHalalas, textOf } = widgetRules()

describe('the widget text uses the right plural form', () => {
  it.each(
    rowsOf(`
      # points        English                       Arabic
      1               Earn 1 point                  اكسب نقطة واحدة
      2               Earn 2 points                 اكسب نقطتين
      3               Earn 3 points                 اكسب 3 نقاط
      10              Earn 10 points                اكسب 10 نقاط
      11              Earn 11 points                اكسب 11 نقطة
      99              Earn 99 points                اكسب 99 نقطة
      100             Earn 100 points               اكسب 100 نقطة
      101             Earn 101 points               اكسب 101 نقطة
      102             Earn 102 points               اكسب 102 نقطة
      103             Earn 103 points               اكسب 103 نقاط
      110             Earn 110 points               اكسب 110 نقاط
      111             Earn 111 points               اكسب 111 نقطة
      1000            Earn 1,000 points             اكسب 1,000 نقطة
      1990            Earn 1,990 points             اكسب 1,990 نقطة
      1000002         Earn 1,000,002 points         اكسب 1,000,002 نقطة
      999999999999000  Earn 999,999,999,999,000 points  اكسب 999,999,999,999,000 نقطة
    `),
  )('%s', (points, english, arabic) => {
    expect([textOf(Number(points), 'en'), textOf(Number(points), 'ar')]).toEqual([english, arabic])
  })
})

describe('the widget reads amounts as shops write them', () => {
  it.each([
    ['199', 19_900],
    ['199.5', 19_950],
    ['199.50', 19_950],
    [' 199.50\n', 19_950],
    ['0199.50', 19_950],
    ['1,990', 199_000],
    ['1,234,567.89', 123_456_789],
    ['١٩٩٫٥٠', 19_950],
    ['١٬٩٩٠', 199_000],
    ['۱۹۹٫۵', 19_950],
    ['1.005', 101],
    ['0', 0],
  ])('%j', (text, halalas) => {
    expect(toHalalas(text)).toBe(halalas)
  })

  it.each([
    '',
    ' ',
    'abc',
    '-5',
    '+5',
    '1e3',
    '199,5',
    '1,99',
    '1,9900',
    '1.2.3',
    '.5',
    '5.',
    '1 990',
    'SAR 5',
    '5 SAR',
    'NaN',
    'Infinity',
    '0x10',
  ])('%j is not an amount', (text) => {
    expect(toHalalas(text)).toBeNull()
  })
})
