import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'

// "Enter a whole number of points, 1 or more." Whoever then entered 1 read that it was worth less than a halala: two points are
// one by the default rate.

const stage = checkoutStage(testDatabase())

it.each([
  ['en', 'Enter a whole number of points, 2 or more.'],
  ['ar', 'أدخل عددًا صحيحًا من النقاط، 2 أو أكثر.'],
] as const)('the number that is asked for can be used: %s', async (locale, said) => {
  const { me, page } = await stage.choosing(700, {}, locale)
  expect(wordsOf(await me.submit(page, 'confirm', { use: 'part', amount: '' }))).toContain(said)
})
