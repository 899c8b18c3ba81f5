import { describe, expect, it } from 'vitest'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { confirm, openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { eventNamesOf, pointsOf, rowOf } from '../support/orders.ts'
import { formOf, titleOf, wordsOf } from '../support/shopper.ts'
import { readTable } from '../support/tables.ts'

// Choosing and confirming over HTTP, where the store collects what points do not pay. Two points are a halala, and
// A SAR earns 10 points: docs/spec/points-and-money.md#default-rates.

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)

describe('what is chosen', () => {
  it.each(
    readTable(`
    points | total | use  | typed   | points used | value | left to pay | earns | at the store
    3000   | 100   | all  |         | 3,000       | 15.00 | 85.00       | 850   | yes
    3000   | 100   | part | 1000    | 1,000       | 5.00  | 95.00       | 950   | yes
    3000   | 100   | part | ١٠٠٠    | 1,000       | 5.00  | 95.00       | 950   | yes
    3000   | 100   | part | 1,000   | 1,000       | 5.00  | 95.00       | 950   | yes
    3000   | 100   | part | 1 000   | 1,000       | 5.00  | 95.00       | 950   | yes
    3000   | 100   | part | 3       | 2           | 0.01  | 99.99       | 999   | yes
    3000   | 100   | none |         |             |       | 100.00      | 1,000 | yes
    3000   | 10    | all  |         | 2,000       | 10.00 | 0.00        |       | no
    3000   | 10    | part | 2500    | 2,000       | 10.00 | 0.00        |       | no
    3000   | 10    | part | 1999    | 1,998       | 9.99  | 0.01        |       | yes
  `),
  )('of $points points for $total SAR, $use $typed, is shown before it is confirmed', async (row) => {
    const { me, page, phone } = await stage.choosing(Number(row['points']), { total_price: Number(row['total']) })
    const confirm = await me.submit(page, 'choose', { use: row['use'] ?? '', points: row['typed'] ?? '' })
    expect(titleOf(confirm)).toBe('Check and confirm · Shop')
    const words = wordsOf(confirm)
    expect(words).toContain(`Left to pay SAR ${row['left to pay']}`)
    if (row['points used'] === '') expect(words).toContain('No points will be used.')
    else expect(words).toContain(`${row['points used']} point`)
    if (row['value'] !== '') expect(words).toContain(`(SAR ${row['value']})`)
    expect(/you(’ll| will) pay .* to the store/i.test(words)).toBe(row['at the store'] === 'yes')
    if (row['earns'] === '') expect(words).not.toContain('You’ll earn')
    else expect(words).toContain(`You’ll earn ${row['earns']} points`)
    // Nothing has happened yet.
    expect(await stage.balanceOf(phone)).toEqual([Number(row['points']), 0])
  })

  it.each(
    readTable(`
    use   | typed                | said in English                  | said in Arabic
          |                      | Choose one of these.             | اختر واحدًا مما يلي.
    other | 5                    | Choose one of these.             | اختر واحدًا مما يلي.
    part  |                      | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 0                    | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | -5                   | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1.5                  | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1,5                  | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | كثير                 | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1                    | That is worth less than one      | قيمة هذا العدد أقل من هللة واحدة
    part  | 99999999999999999999 | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 701                  | You can use up to 700 points   | الحد الأقصى هنا 700 نقطة.
  `),
  )('and cannot be, "$use" "$typed", is said with what was typed left to correct', async (row) => {
    const { me, page, path } = await stage.choosing(700)
    const { use = '', typed = '' } = row
    const wrong = await me.submit(page, 'choose', { use, points: typed })
    expect(titleOf(wrong)).toBe('Error: Use your points · Shop')
    expect(wordsOf(wrong)).toContain(row['said in English'])
    expect(formOf(wrong, 'choose').fields['points']).toBe(typed)
    const query = new URLSearchParams({ use, points: typed, lang: 'ar' })
    expect(wordsOf(await me.open(`${path}?${query}`))).toContain(row['said in Arabic'])
  })

  it('is all of it at first, and what was chosen when the customer comes back to change it', async () => {
    const { me, page } = await stage.choosing(700)
    expect(formOf(page, 'choose').fields).toMatchObject({ use: 'all' })
    const confirm = await me.submit(page, 'choose', { use: 'part', points: '250' })
    const change = /href="([^"]*at=choose)"/.exec(confirm.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const again = await me.open(change)
    expect(titleOf(again)).toBe('Use your points · Shop')
    expect(formOf(again, 'choose').fields).toMatchObject({ use: 'part', points: '250' })
  })

  it.each([
    [2, ['all', 'none']],
    [3, ['all', 'none']],
    [4, ['all', 'part', 'none']],
  ])('of a balance of %d can be %s', async (points, uses) => {
    const { page } = await stage.choosing(points)
    expect([...page.text.matchAll(/name="use" value="(\w+)"/g)].map(([, use]) => use)).toEqual(uses)
  })

  it('shows what it is for: the order, its items and its total', async () => {
    const products = [{ product_name: 'قهوة <b>', product_price: 50, quantity: 2 }]
    const { page } = await stage.choosing(700, { products, order_number: '#A&B' })
    expect(wordsOf(page)).toContain('Order A&B, total SAR 100.00')
    expect(wordsOf(page)).toContain('قهوة <b> × 2')
    expect(page.text).not.toContain('<b>')
  })
})

describe('where there is nothing to choose', () => {
  it('an empty wallet pays with money, and sees what that earns', async () => {
    const { me, path, phone, page } = await stage.choosing(0)
    const choose = await me.submit(page, 'join', { name: 'Sara', terms: '2026-11' })
    expect(wordsOf(choose)).toContain(
      'You have no points yet, so you pay the full amount this time. It will earn you 1,000 points.',
    )
    expect(choose.text).not.toContain('type="radio"')
    const confirm = await me.submit(choose, 'choose')
    expect(confirm.path).toBe(`${path}?use=none`)
    expect(titleOf(await me.submit(confirm, 'confirm'))).toBe('Your choice is confirmed · Shop')
    expect(await stage.balanceOf(phone)).toEqual([0, 0])
  })

  it.each([
    ['en', 'Your balance is below zero because the points of a refunded purchase were taken back.'],
    ['ar', 'رصيدك أقل من الصفر لأن نقاط عملية شراء مستردة سُحبت منه'],
  ] as const)('a wallet below zero sees why, and pays with money: %s', async (locale, said) => {
    const { me, page, phone } = await stage.choosing(400, { total_price: 2 }, locale)
    await me.submit(await me.submit(page, 'choose', { use: 'all' }), 'confirm')
    const [earning] = await database.db.run<{ order_uuid: string }>({
      text: `select order_uuid from orders join customer using (program_id, customer_id) where phone = $1 and type = 1`,
      values: [phone],
    })
    await stage.app.act(earning?.order_uuid ?? '', 'refund', { key: stage.shop.private_key })
    expect(await stage.balanceOf(phone)).toEqual([-400, 0])
    const next = await stage.open()
    const choose = await stage.prove(me, next.path, phone)
    expect(wordsOf(choose)).toContain('−400')
    expect(wordsOf(choose)).toContain(said)
    const done = await me.submit(await me.submit(choose, 'choose'), 'confirm')
    expect(titleOf(done)).toMatch(/^(Your choice is confirmed|تم تأكيد اختيارك) · Shop$/)
    expect(await stage.balanceOf(phone)).toEqual([-400, 0])
  })

  it('an order of nothing is confirmed with nothing', async () => {
    const { me, page, phone, order_uuid } = await stage.choosing(50, { total_price: 0 })
    expect(wordsOf(page)).toContain('There is nothing to pay for this order.')
    const confirm = await me.submit(page, 'choose')
    expect(wordsOf(confirm)).toContain('There is nothing to pay, and no points will be used.')
    expect(titleOf(await me.submit(confirm, 'confirm'))).toBe('Paid. Thank you! · Shop')
    expect(await stage.balanceOf(phone)).toEqual([50, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
  })
})

describe('a confirmation', () => {
  it('reserves the points for a store that collects, and says until when', async () => {
    const { me, page, phone, order_uuid } = await stage.choosing(3000, {
      callback_url: 'https://shop.example/t?a=1#end',
    })
    const done = await me.submit(await me.submit(page, 'choose', { use: 'part', points: '1000' }), 'confirm')
    expect(titleOf(done)).toBe('Your points are reserved · Shop')
    const words = wordsOf(done)
    expect(words).toContain('1,000 points (SAR 5.00) are reserved for this order.')
    expect(words).toContain('Reserved until 8 February 2026 at 12:00')
    expect(words).toContain('To pay to the store SAR 95.00')
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
    expect(await rowOf(database.db, order_uuid)).toMatchObject({
      order_status: 'new',
      total_points: 1000,
      redeemed_halalas: 500,
    })
    const to = /href="(https:\/\/shop.example[^"]*)"/.exec(done.text)?.[1]?.replaceAll('&amp;', '&')
    expect(to).toMatch(
      /^https:\/\/shop\.example\/t\?a=1&order_uuid=[0-9a-f-]+&order_number=\d+&order_status=new&reference_number=\w+#end$/,
    )
  })

  it('that leaves nothing to pay is paid at once: one event, points posted', async () => {
    const { me, page, phone, order_uuid, reference_number } = await stage.choosing(30_000)
    expect(wordsOf(page)).toContain('Pay it all with points 20,000 points, nothing left to pay')
    const confirm = await me.submit(page, 'choose', { use: 'all' })
    expect(wordsOf(confirm)).toContain('20,000 points (SAR 100.00), and nothing is left to pay.')
    const paid = await me.submit(confirm, 'confirm')
    expect(titleOf(paid)).toBe('Paid. Thank you! · Shop')
    const words = wordsOf(paid)
    expect(words).toContain(`Reference ${reference_number}`)
    expect(words).toContain('Points used 20,000 points (SAR 100.00)')
    expect(words).not.toContain('Money paid')
    expect(words).toContain('Your balance now 10,000 points')
    expect(words).toContain('You can close this page now.')
    expect(await stage.balanceOf(phone)).toEqual([10_000, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
  })

  it('sent twice, at once and again later, moves points once and shows the same', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const confirm = await me.submit(page, 'choose', { use: 'part', points: '600' })
    const tabs = await Promise.all([1, 2, 3].map(() => me.submit(confirm, 'confirm')))
    const later = await me.submit(confirm, 'confirm')
    for (const tab of [...tabs, later]) expect(titleOf(tab)).toBe('Your points are reserved · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 600])
  })

  it('of something else than was confirmed in another tab changes nothing, and shows what was', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const first = await me.submit(page, 'choose', { use: 'part', points: '600' })
    const second = await me.submit(page, 'choose', { use: 'all' })
    await me.submit(first, 'confirm')
    const shown = await me.submit(second, 'confirm')
    expect(wordsOf(shown)).toContain('600 points (SAR 3.00) are reserved')
    expect(await stage.balanceOf(phone)).toEqual([3000, 600])
  })

  it.each([
    ['points that were not shown', { points: '2999' }],
    ['an amount that was not shown', { due: '1' }],
    ['no number', { points: 'x' }],
    ['nothing', { points: '', due: '' }],
  ])('with %s holds nothing, and the customer sees the figures again', async (_, filled) => {
    const { me, page, phone } = await stage.choosing(3000)
    const confirm = await me.submit(page, 'choose', { use: 'part', points: '600' })
    const shown = await me.submit(confirm, 'confirm', filled)
    expect(titleOf(shown)).toMatch(/^(Check and confirm|Use your points) · Shop$/)
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
  })

  it('after the balance was spent elsewhere says so, with the new figures, and holds nothing', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const all = await me.submit(page, 'choose', { use: 'all' })
    const part = await me.submit(page, 'choose', { use: 'part', points: '2000' })
    const { merchant } = stage.shop
    const other = await openedCheckout(stage.app.services, stage.shop, { phone: phone as never })
    await stage.app.services.proveSession(other.token, other.browser, other.phone)
    await confirm(stage.app.services, other, { points: 2500 })
    const changed = await me.submit(all, 'confirm')
    expect(wordsOf(changed)).toContain('Your balance or the order has just changed. No points were used')
    expect(wordsOf(changed)).toContain('500 points (SAR 2.50) will be reserved')
    const less = await me.submit(part, 'confirm')
    expect(wordsOf(less)).toContain('has just changed')
    expect(wordsOf(less)).toContain('You can use up to 500 points here.')
    expect(await pointsOf(database.db, merchant, phone)).toEqual([3000, 2500])
    // The new figures can be confirmed as they are.
    expect(titleOf(await me.submit(changed, 'confirm'))).toBe('Your points are reserved · Shop')
    expect(await pointsOf(database.db, merchant, phone)).toEqual([3000, 3000])
  })

  it('can be taken back while the link lasts, and made anew', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const reserved = await me.submit(await me.submit(page, 'choose', { use: 'all' }), 'confirm')
    const again = await me.submit(reserved, 'change')
    expect(titleOf(again)).toBe('Use your points · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
    const none = await me.submit(await me.submit(again, 'choose', { use: 'none' }), 'confirm')
    expect(titleOf(none)).toBe('Your choice is confirmed · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
  })

  it('is another browser’s to see only with the code of the same phone', async () => {
    const { me, page, path, phone } = await stage.choosing(3000)
    await me.submit(await me.submit(page, 'choose', { use: 'all' }), 'confirm')
    const other = stage.shopper()
    expect(wordsOf(await other.open(path))).toContain('You confirmed this order in another browser.')
    const stranger = await stage.prove(other, path, '0577000111')
    expect(wordsOf(stranger)).toContain('This order was confirmed with another number.')
    expect(stranger.text).not.toMatch(/3,000|15\.00/)
    await resetLimits(database)
    expect(titleOf(await stage.prove(other, path, phone))).toBe('Your points are reserved · Shop')
  })
})
