import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { pointsOf, rowOf } from '../support/orders.ts'
import { wordsOf } from '../support/shopper.ts'

// At the demo rate two points are a halala. With one point, "use all" was preselected and worth 0.00; of 777 points, one
// bought nothing and was taken.

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)

it('one point cannot be chosen: the page says why, and names the minimum', async () => {
  const { me, page, phone } = await stage.choosing(1)
  expect(page.text).not.toContain('type="radio"')
  expect(wordsOf(page)).toContain('Your points are still worth less than one halala, so they stay in your wallet.')
  expect(wordsOf(page)).toContain('You can use them from 2 points.')
  await me.submit(page, 'confirm')
  expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([1, 0])
})

it('using all of 777 points takes 776, and the page says that one stays', async () => {
  const { me, page, phone, order_uuid } = await stage.choosing(777)
  expect(wordsOf(page)).toContain('Use my points 776 points for SAR 3.88, SAR 96.12 left to pay. You keep 1 point')
  await me.submit(page, 'confirm', { use: 'all' })
  expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([777, 776])
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ total_points: 776, redeemed_halalas: 388 })
})

it.each([
  ['en', 'points that would take nothing more off stay yours', 'This order has 6 points (SAR 0.03) reserved'],
  ['ar', 'وما لا يخصم شيئًا إضافيًا يبقى لك', '6 نقاط'],
] as const)('7 points that were typed are 6, and the page says why: %s', async (lang, why, used) => {
  const { me, page, phone } = await stage.choosing(7, {}, lang)
  expect(wordsOf(page)).toContain(why)
  expect(wordsOf(await me.submit(page, 'confirm', { use: 'part', amount: '7' }))).toContain(used)
  expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([7, 6])
})
