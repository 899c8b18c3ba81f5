import { describe, expect, it } from 'vitest'
import { type Chooser, checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { paymentsOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { elapsedTime } from '../support/elapsed.ts'
import { eventNamesOf, rowOf } from '../support/orders.ts'
import { formOf, titleOf, type Visit, wordsOf } from '../support/shopper.ts'

// The payment of the rest, with the sandbox's provider over HTTP. Its record decides, not the redirect:
// docs/spec/payments.md#provider-record.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })
const elapsed = elapsedTime()

const statesOf = async (order_uuid: string) => (await paymentsOf(database.db, order_uuid)).map(({ state }) => state)

/** Confirms 1,000 of 3,000 points for an order of 100 SAR, and opens the provider's page of cards. */
async function atTheCards(asked = {}): Promise<Chooser> {
  const chooser = await stage.choosing(3000, { callback_url: 'https://shop.example/thanks', ...asked })
  return { ...chooser, page: await chooser.me.submit(chooser.page, 'confirm', { use: 'part', amount: '1000' }) }
}

const pay = (me: Chooser['me'], page: Visit, card: string) => me.submit(page, 'card', { card })

describe('a card', () => {
  it('that succeeds leads to the receipt, to the return to the store, and to one event', async () => {
    const { me, path, page, phone, order_uuid, reference_number } = await atTheCards()
    expect(page.path).toMatch(/^\/sandbox\/pay\//)
    const paid = await pay(me, page, 'succeeds')
    expect(paid.path).toBe(`${path}?at=waiting`)
    expect(titleOf(paid)).toBe('Paid. Thank you! · Shop')
    for (const part of [
      `Reference ${reference_number}`,
      'Total SAR 100.00',
      'Points used 1,000 points (SAR 5.00)',
      'Paid with Points and mada',
      'Money paid SAR 95.00',
      'Points earned 950 points',
      'Your balance now 2,950 points',
      'Taking you back to the store in',
    ])
      expect(wordsOf(paid)).toContain(part)
    expect(paid.text).toMatch(
      /<noscript><meta http-equiv="refresh" content="15; url=https:\/\/shop\.example\/thanks\?order_uuid=[^"]*order_status=approved[^"]*"><\/noscript>/,
    )
    expect(await stage.balanceOf(phone)).toEqual([2950, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
    // Opened again it is the same receipt, and sends nobody away.
    const again = await me.open(path)
    expect(wordsOf(again)).toContain('Your balance now 2,950 points')
    expect(again.text).not.toContain('http-equiv="refresh"')
    expect(wordsOf(again)).not.toContain('You return to the store')
  })

  it('that is declined gets an error, and a second one pays, with the same points', async () => {
    const { me, page, path, phone, order_uuid } = await atTheCards()
    const declined = await pay(me, page, 'declined')
    expect(titleOf(declined)).toBe('The payment did not go through · Shop')
    expect(wordsOf(declined)).toContain('Your bank or the payment service declined it.')
    expect(wordsOf(declined)).toContain('Your points are still reserved for you.')
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
    expect(wordsOf(await me.open(`${path}?lang=ar`))).toContain('رفض البنك أو مزوّد الدفع العملية.')
    const cards = await me.submit(await me.open(`${path}?lang=en`), 'resume')
    expect(cards.path).not.toBe(page.path)
    expect(titleOf(await pay(me, cards, 'succeeds'))).toBe('Paid. Thank you! · Shop')
    expect(await statesOf(order_uuid)).toEqual(['failed', 'paid'])
    expect(await stage.balanceOf(phone)).toEqual([2950, 0])
  })

  it('that asks a question is answered first', async () => {
    const { me, page, phone } = await atTheCards()
    const asked = await pay(me, page, 'challenge')
    expect(asked.path).toBe(page.path)
    expect(titleOf(await me.submit(asked, 'csrf', { passed: 'yes' }))).toBe('Paid. Thank you! · Shop')
    expect(await stage.balanceOf(phone)).toEqual([2950, 0])
  })

  it('whose question is refused pays nothing', async () => {
    const { me, page, phone } = await atTheCards()
    const refused = await me.submit(await pay(me, page, 'challenge'), 'csrf', { passed: 'no' })
    expect(titleOf(refused)).toBe('The payment did not go through · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
  })

  it.each(['en', 'ar'] as const)(
    'that is slow is waited for by a page that looks again by itself: %s',
    async (locale) => {
      const { me, page, path, phone } = await atTheCards()
      await me.open(`${path}?lang=${locale}`)
      const waiting = await pay(me, page, 'slow')
      const said = {
        en: ['Waiting for your payment · Shop', 'You can close it safely'],
        ar: ['بانتظار تأكيد الدفع · Shop', 'يمكنك إغلاقها بأمان'],
      }[locale]
      expect(titleOf(waiting)).toBe(said[0])
      expect(wordsOf(waiting)).toContain(said[1])
      expect(waiting.text).toContain(`<noscript><meta http-equiv="refresh" content="4; url=${path}/return"></noscript>`)
      const still = await me.open(`${path}/return`)
      expect(titleOf(still)).toBe(said[0])
      stage.app.clock.advance(16)
      elapsed.pass()
      const paid = await me.open(`${path}/return`)
      expect(titleOf(paid)).toBe({ en: 'Paid. Thank you! · Shop', ar: 'تم الدفع، شكرًا لك · Shop' }[locale])
      expect(await stage.balanceOf(phone)).toEqual([2950, 0])
    },
  )

  it('that is cancelled leaves everything to be tried again or changed', async () => {
    const { me, page, phone } = await atTheCards()
    const cancelled = await pay(me, page, 'cancel')
    expect(titleOf(cancelled)).toBe('You cancelled the payment · Shop')
    expect(wordsOf(cancelled)).toContain(
      'Nothing was charged, and your points are still reserved for you. You can pay now',
    )
    const choose = await me.submit(cancelled, 'change')
    expect(titleOf(choose)).toBe('Use your points · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
    expect(wordsOf(choose)).toContain('3,000 points for SAR 15.00, SAR 85.00 left to pay')
    const cards = await me.submit(choose, 'confirm', { use: 'all' })
    expect(titleOf(await pay(me, cards, 'succeeds'))).toBe('Paid. Thank you! · Shop')
    expect(await stage.balanceOf(phone)).toEqual([850, 0])
  })
})

describe('on the way to the provider', () => {
  it('going back shows what was confirmed, and leads on to the same page', async () => {
    const { me, path, page, order_uuid } = await atTheCards()
    for (const back of ['', '?use=part&amount=1000', '?use=all', '?use=none']) {
      const shown = await me.open(path + back)
      expect(titleOf(shown)).toBe('Payment · Shop')
      expect(wordsOf(shown)).toContain('Pay SAR 95.00 to complete your order.')
      expect(wordsOf(shown)).toContain('Points 1,000 points (SAR 5.00) Reserved until 12:30')
    }
    expect((await me.submit(await me.open(path), 'resume')).path).toBe(page.path)
    expect(await statesOf(order_uuid)).toEqual(['created'])
  })

  it('confirming twice, in two tabs and at once, begins one payment and holds once', async () => {
    const { me, page, phone, order_uuid } = await stage.choosing(3000)
    const choice = { use: 'part', amount: '1000' }
    const tabs = await Promise.all([1, 2, 3].map(() => me.submit(page, 'confirm', choice)))
    expect(new Set(tabs.map((tab) => tab.path)).size).toBe(1)
    expect(await statesOf(order_uuid)).toEqual(['created'])
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
  })

  it('a page of the provider that was used shows the way back, and pays nothing again', async () => {
    const { me, page, phone, order_uuid } = await atTheCards()
    await pay(me, page, 'succeeds')
    const form = formOf(page, 'card')
    const again = await me.post(form.action, new URLSearchParams({ ...form.fields, card: 'declined' }))
    expect(titleOf(again)).toBe('Paid. Thank you! · Shop')
    expect(await statesOf(order_uuid)).toEqual(['paid'])
    expect(await stage.balanceOf(phone)).toEqual([2950, 0])
  })

  it('changing the points gives up the open page: money that still comes through it goes back', async () => {
    const { me, path, page, phone, order_uuid } = await atTheCards()
    await me.submit(await me.open(path), 'change')
    const late = await pay(me, page, 'succeeds')
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'new' })
    expect(titleOf(late)).not.toBe('Paid. Thank you! · Shop')
    const cards = await me.submit(await me.open(path), 'confirm', { use: 'none' })
    expect(titleOf(await pay(me, cards, 'succeeds'))).toBe('Paid. Thank you! · Shop')
    expect(await stage.balanceOf(phone)).toEqual([4000, 0])
    expect((await statesOf(order_uuid)).filter((state) => state === 'paid')).toHaveLength(1)
  })

  it('a customer in another browser proves the phone, and continues the same payment', async () => {
    const { path, page, phone } = await atTheCards()
    const other = stage.shopper()
    await resetLimits(database)
    const shown = await stage.prove(other, path, phone)
    expect(titleOf(shown)).toBe('Payment · Shop')
    const cards = await other.submit(shown, 'resume')
    expect(cards.path).toBe(page.path)
    expect(titleOf(await pay(other, cards, 'succeeds'))).toBe('Paid. Thank you! · Shop')
  })

  it('allows forms to lead to us alone, for the sandbox’s pages are ours', async () => {
    const { me, path } = await atTheCards()
    const { headers } = await me.open(path)
    expect(headers['content-security-policy']).toContain("form-action 'self';")
  })
})

it('an order that the store reserves and captures later is confirmed, not yet paid', async () => {
  await database.owner.run({
    text: `update merchant set payment_flow = 'two_step' where merchant_id = $1`,
    values: [stage.shop.merchant.merchant_id],
  })
  try {
    const { me, page, path, phone, order_uuid } = await atTheCards()
    const confirmed = await pay(me, page, 'succeeds')
    expect(titleOf(confirmed)).toBe('Your order is confirmed · Shop')
    expect(wordsOf(confirmed)).toContain('Points reserved 1,000 points (SAR 5.00)')
    expect(wordsOf(confirmed)).toContain('Money reserved SAR 95.00')
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
    await stage.app.act(order_uuid, 'capture', { key: stage.shop.private_key })
    expect(wordsOf(await me.open(path))).toContain('Money paid SAR 95.00')
    expect(await stage.balanceOf(phone)).toEqual([2950, 0])
  } finally {
    await database.owner.run({
      text: `update merchant set payment_flow = 'sale' where merchant_id = $1`,
      values: [stage.shop.merchant.merchant_id],
    })
  }
})
