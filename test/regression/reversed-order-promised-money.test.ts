import { expect, test } from 'vitest'
import { defaults } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { paymentsOn, reconcilePayments } from '../support/payments.ts'
import { titleOf, wordsOf } from '../support/shopper.ts'

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

/** A receipt of 5 SAR in points and 95 SAR by a card, as it is two hours later, when payments have been compared. */
async function comparedLater(card: 'succeeds' | 'vanishes', locale: 'en' | 'ar' = 'en') {
  const { me, page, path, order_uuid } = await stage.choosing(3000, {}, locale)
  await me.submit(await me.submit(page, 'confirm', { use: 'part', amount: '1000' }), 'card', { card })
  stage.app.clock.advance(7_200)
  const payments = paymentsOn(database.db, stage.app.clock, defaults)
  await reconcilePayments({ db: database.db, clock: stage.app.clock, payments })
  return { order_uuid, open: () => me.open(path), stranger: () => stage.shopper(locale).open(path) }
}

// What went wrong: an order whose payment the provider does not know showed the receipt of a refund. It promised the money
// back, but no payment is known and nothing is sent: docs/spec/payments.md#automatic-reversal.
test('the receipt of an order that was reversed promises no money, and says what to do', async () => {
  const { open, stranger } = await comparedLater('vanishes')
  for (const page of [await open(), await stranger()]) {
    expect(titleOf(page)).toBe('We found no payment for this order · Shop')
    const words = wordsOf(page)
    expect(words).toContain('The payment service has no record of one, so the order was cancelled.')
    expect(words).toContain('If you were charged all the same, please contact Shop.')
    for (const promise of ['the way it was paid', 'Money paid', 'Points earned', 'Points used'])
      expect(words).not.toContain(promise)
  }
  expect(wordsOf(await open())).toContain('Your balance now 3,000 points')
  expect(titleOf(await (await comparedLater('vanishes', 'ar')).open())).toBe('لم نجد دفعة لهذا الطلب · Shop')
})

test('the receipt of an order that was refunded says that its money comes back', async () => {
  const { open, order_uuid } = await comparedLater('succeeds')
  expect(titleOf(await open())).toBe('Paid. Thank you! · Shop')
  expect(await stage.app.act(order_uuid, 'refund', { key: stage.shop.private_key })).toMatchObject({ status: 200 })
  const refunded = await open()
  expect(titleOf(refunded)).toBe('This order was refunded · Shop')
  expect(wordsOf(refunded)).toContain('money the way you paid it')
  expect(wordsOf(refunded)).toContain('Money paid SAR 95.00')
})
