import { describe, expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { customerWith, eventNamesOf, pointsOf, rowOf } from '../support/orders.ts'
import { formOf, titleOf, type Visit, wordsOf } from '../support/shopper.ts'

// After five codes the page promised the next one for a time after its own expiry. Without a page of the store there was no
// way out, and customers without a code could not pay.

const database = testDatabase({ leaves: ['due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

const hasWay = ({ text }: Visit) => text.includes('value="continue"')
const late = { en: 'but this page closes before then', ar: 'لكن هذه الصفحة تنتهي قبلها' } as const

/** The page after five codes to one number. */
async function limited(asked: Readonly<Record<string, unknown>>, locale: 'en' | 'ar' = 'en') {
  const phone = freshPhone()
  for (let codes = 0; codes < 5; codes += 1) {
    const me = stage.shopper(locale)
    await me.submit(await me.open((await stage.open(asked)).path), 'phone', { phone })
  }
  const link = await stage.open(asked)
  const me = stage.shopper(locale)
  return { ...link, me, page: await me.submit(await me.open(link.path), 'phone', { phone }) }
}

describe('after five codes', () => {
  it.each(['en', 'ar'] as const)(
    'the page says that it ends before the next, and there is a way on: %s',
    async (locale) => {
      const { me, page, order_uuid } = await limited({}, locale)
      expect(wordsOf(page)).toContain(late[locale])
      expect(hasWay(page)).toBe(true)
      const cards = await me.submit(page, 'continue')
      const paid = await me.submit(cards, 'card', { card: 'succeeds' })
      expect(titleOf(paid)).toBe({ en: 'Paid. Thank you! · Shop', ar: 'تم الدفع، شكرًا لك · Shop' }[locale])
      expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
    },
  )

  it('the page of an order of nothing leads back to the store, and the order is not approved', async () => {
    const { me, path, page, order_uuid } = await limited({ total_price: 0 })
    expect(wordsOf(page)).toContain('Go back to the store, and open the checkout again after that time.')
    expect(wordsOf(page)).toContain('Changed your mind? Close this page and go back to the store.')
    expect(hasWay(page)).toBe(false)
    const { fields } = formOf(page, 'phone')
    await me.post(path, new URLSearchParams({ ...fields, do: 'continue' }))
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'new' })
  })
})

describe('a customer without a code', () => {
  it.each(['sandbox', 'merchant'] as const)(
    'goes on beside the number and the code, collected by: %s',
    async (collector) => {
      await sellBy(database.owner, stage.shop, collector)
      try {
        const { path } = await stage.open()
        const me = stage.shopper()
        const number = await me.open(path)
        expect(hasWay(number)).toBe(true)
        const code = await me.submit(number, 'phone', { phone: freshPhone() })
        expect(hasWay(code)).toBe(true)
        const on = await me.submit(code, 'continue')
        expect(titleOf(on)).toBe(collector === 'merchant' ? 'One last step: pay the store · Shop' : 'Sandbox payment')
      } finally {
        await sellBy(database.owner, stage.shop, 'sandbox')
      }
    },
  )

  it('learns nothing about the number: the pages are the same for a customer and for a new phone', async () => {
    const known = await customerWith(database.db, stage.shop.merchant, { points: 500 })
    const pages = []
    for (const phone_number of [known, freshPhone()]) {
      const { path, token, order_uuid, reference_number } = await stage.open({ phone_number, order_number: 'A-1' })
      const me = stage.shopper()
      const shown: Visit[] = [await me.open(path)]
      shown.push(await me.submit(await me.open(path), 'continue'))
      const cards = await me.submit(shown[1] as Visit, 'continue', { joins: 'no' })
      shown.push(await me.open(path), await me.submit(cards, 'card', { card: 'succeeds' }))
      expect(shown.map(titleOf)).toEqual([
        'Confirm your mobile number · Shop',
        'Earn points on this order · Shop',
        'Payment · Shop',
        'Paid. Thank you! · Shop',
      ])
      const plain = ({ text }: Visit) =>
        text
          .replaceAll(token, 'TOKEN')
          .replaceAll(order_uuid, 'ORDER')
          .replaceAll(reference_number, 'REFERENCE')
          .replace(/••• \d{3}/g, 'LAST')
          .replace(/name="csrf" value="[^"]*"/g, 'CSRF')
          .replace(/<time.*?<\/time>/g, 'TIME')
      pages.push(shown.map(plain))
    }
    expect(pages[1]).toEqual(pages[0])
    expect(await pointsOf(database.db, stage.shop.merchant, known)).toEqual([1_500, 0])
  })

  it('may join before paying, and is asked again for what is missing', async () => {
    const phone_number = freshPhone()
    const { path } = await stage.open({ phone_number, name: 'As the store knows' })
    const me = stage.shopper('ar')
    const join = await me.submit(await me.open(path), 'continue')
    expect(join.text).not.toContain('As the store knows')
    const missing = await me.submit(join, 'joins', { name: ' ' })
    expect([missing.status, titleOf(missing)]).toEqual([422, 'خطأ: اكسب نقاطًا على هذا الطلب · Shop'])
    const cards = await me.submit(missing, 'joins', { name: 'سارة', terms: '2026-11' })
    await me.submit(cards, 'card', { card: 'succeeds' })
    const { program_id } = stage.shop.merchant
    expect(await walletOf(database.db, program_id, phone_number)).toMatchObject({ name: 'سارة', posted: 1_000 })
  })

  it('who is new and has proven a number need not join', async () => {
    const { me, page } = await stage.choosing(0)
    expect(titleOf(page)).toBe('Welcome · Shop')
    expect(titleOf(await me.submit(page, 'continue'))).toBe('Sandbox payment')
  })

  it('may use points after all, and after cancelling does not read that a bank refused', async () => {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 900 })
    const { path } = await stage.open()
    const me = stage.shopper()
    const cards = await me.submit(await me.open(path), 'continue')
    const cancelled = await me.submit(cards, 'card', { card: 'cancel' })
    expect(titleOf(cancelled)).toBe('You cancelled the payment · Shop')
    expect(wordsOf(cancelled)).not.toMatch(/refused|points are still reserved/)
    const number = await me.submit(cancelled, 'change')
    expect(titleOf(number)).toBe('Your mobile number · Shop')
    expect(wordsOf(await stage.prove(me, path, phone))).toContain('900 points')
  })

  it('comes back by the provider’s own link: reads that nothing was paid, while nothing has come', async () => {
    const { path } = await stage.open()
    const me = stage.shopper()
    await me.submit(await me.open(path), 'continue')
    const left = await me.open(`${path}/return?left=yes`)
    expect(wordsOf(left)).toContain('You left the payment page Nothing was charged.')
    expect(titleOf(await me.submit(left, 'resume'))).toBe('Sandbox payment')
  })
})
