import { expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { pointsOf, rowOf } from '../support/orders.ts'
import { formOf, titleOf, wordsOf } from '../support/shopper.ts'

// At the demo rate two points are a halala. With one point, "use all" was preselected and worth 0.00; of 777 points, one
// bought nothing and was taken.

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)

it('one point cannot be chosen: the page says why, and from how many on', async () => {
  const { me, page, path, phone } = await stage.choosing(1)
  expect(page.text).not.toContain('type="radio"')
  expect(wordsOf(page)).toContain('Your points are still worth less than one halala, so they stay in your wallet.')
  expect(wordsOf(page)).toContain('You can use them from 2 points.')
  const typed = await me.open(`${path}?use=part&points=1`)
  expect(wordsOf(typed)).toContain('That is worth less than one halala. Use at least 2 points.')
  await me.submit(await me.submit(page, 'choose'), 'confirm')
  expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([1, 0])
})

it('all of 777 points are 776, and the page says that one is kept', async () => {
  const { me, page, phone, order_uuid } = await stage.choosing(777)
  expect(wordsOf(page)).toContain('Use my points 776 points for SAR 3.88, SAR 96.12 left to pay. The other 1 point')
  const confirm = await me.submit(page, 'choose', { use: 'all' })
  expect(formOf(confirm, 'confirm').fields).toMatchObject({ points: '776', due: '9612' })
  await me.submit(confirm, 'confirm')
  expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([777, 776])
  expect(await rowOf(database.db, order_uuid)).toMatchObject({ total_points: 776, redeemed_halalas: 388 })
})

it.each([
  ['en', 'You entered 7 points, but 6 points take off just as much, so we use only those.'],
  ['ar', 'أدخلت 7 نقاط، وتكفي 6 نقاط للخصم نفسه'],
] as const)(
  '7 points that were typed are 6, and the page says so before anything is confirmed: %s',
  async (lang, said) => {
    const { me, page, phone } = await stage.choosing(7, {}, lang)
    const confirm = await me.submit(page, 'choose', { use: 'part', points: '7' })
    expect(wordsOf(confirm)).toContain(said)
    expect(formOf(confirm, 'confirm').fields).toMatchObject({ points: '6', due: '9997' })
    const forged = await me.submit(confirm, 'confirm', { points: '7' })
    expect(titleOf(forged)).toMatch(/Check and confirm|المراجعة والتأكيد/)
    expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([7, 0])
    await me.submit(confirm, 'confirm')
    expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([7, 6])
  },
)
