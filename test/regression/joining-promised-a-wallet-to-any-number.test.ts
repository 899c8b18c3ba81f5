import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { wordsOf } from '../support/shopper.ts'

// Who pays without points has proven no number. The page said that joining opens a wallet "for them", whoever they are: a
// program may require a code first, and skipping earns the same. It did not say which number the name and the consent are
// for.

const database = testDatabase()
const stage = checkoutStage(database)

it.each([
  [
    'en',
    100,
    'It earns 1,000 points for 05•• ••• {end}, the number the store has. If that is yours and you are new here',
  ],
  [
    'en',
    0.05,
    'Join the points programme The number the store has is 05•• ••• {end}. If that is yours and you are new here',
  ],
  [
    'ar',
    0.2,
    'يمنح هذا الطلب نقطتين للرقم 05•• ••• {end} المسجّل لدى المتجر. إن كان رقمك وكانت هذه أول مرة فانضم باسمك.',
  ],
  ['ar', 0.05, 'انضم إلى برنامج النقاط الرقم المسجّل لدى المتجر 05•• ••• {end}. إن كان رقمك'],
] as const)('joining without a code names the number: %s, %d SAR', async (lang, total_price, said) => {
  const phone_number = freshPhone()
  const { path } = await stage.open({ phone_number, total_price })
  const words = wordsOf(await stage.shopper(lang).open(`${path}?at=join`))
  expect(words).toContain(said.replace('{end}', phone_number.slice(-3)))
  expect(words).not.toContain(lang === 'en' ? 'a wallet opens' : 'لتُفتح')
})
