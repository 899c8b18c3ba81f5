import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'

// A customer whose points were all reserved for another order was told "You have no points yet".

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)

it.each([
  [
    'en',
    'all',
    'You have no points yet',
    'Your points are all reserved for an order that is not complete yet: 700 points.',
  ],
  ['ar', 'all', 'لا توجد نقاط في رصيدك بعد', 'نقاطك كلها محجوزة لطلب لم يكتمل بعد: 700 نقطة.'],
  ['en', 'some', 'You have no points yet', 'Also reserved for an order that is not complete yet: 100 points.'],
  ['ar', 'some', 'لا توجد نقاط في رصيدك بعد', 'ومحجوز لطلب لم يكتمل بعد: 100 نقطة.'],
] as const)('a checkout says which points another order reserves: %s, %s of them', async (locale, use, wrong, said) => {
  const { me, page, phone } = await stage.choosing(700, {}, locale)
  expect(wordsOf(page)).not.toContain(said.slice(0, 20))
  await me.submit(page, 'confirm', use === 'all' ? { use } : { use: 'part', amount: '100' })
  const next = await stage.open()
  const choose = wordsOf(await stage.prove(me, next.path, phone))
  expect(choose).toContain(said)
  expect(choose).not.toContain(wrong)
})
