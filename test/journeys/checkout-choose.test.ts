import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { terms } from '../../src/domain/terms.ts'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { confirm, openedCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { customerWith, eventNamesOf, pointsOf, rowOf } from '../support/orders.ts'
import { formOf, titleOf, wordsOf } from '../support/shopper.ts'
import { readTable } from '../support/tables.ts'

// Choosing and confirming over HTTP, where the store collects what points do not pay. Two points are a halala, and
// A SAR earns 10 points: docs/spec/points-and-money.md#default-rates.

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)

describe('the choice of points', () => {
  it.each(
    readTable(`
    points | total | use  | typed   | unit   | points used | value  | left to pay
    3000   | 100   | all  |         |        | 3,000       | 15.00  | 85.00
    3000   | 100   | part | 1000    |        | 1,000       | 5.00   | 95.00
    3000   | 100   | part | ١٠٠٠    | points | 1,000       | 5.00   | 95.00
    3000   | 100   | part | ۱۰۰۰    | points | 1,000       | 5.00   | 95.00
    3000   | 100   | part | 1,000   | points | 1,000       | 5.00   | 95.00
    3000   | 100   | part | 1 000   | points | 1,000       | 5.00   | 95.00
    3000   | 100   | part | 5       | sar    | 1,000       | 5.00   | 95.00
    3000   | 100   | part | ٥٫٠٠    | sar    | 1,000       | 5.00   | 95.00
    3000   | 100   | part | 15      | sar    | 3,000       | 15.00  | 85.00
    30000  | 1200  | part | 100.5   | sar    | 20,100      | 100.50 | 1,099.50
    3000   | 100   | part | 3       |        | 2 points    | 0.01   | 99.99
    3000   | 10    | part | 1999    |        | 1,998       | 9.99   | 0.01
    3000   | 100   | none |         |        |             |        | 100.00
    3000   | 10    | all  |         |        | 2,000       | 10.00  |
    3000   | 10    | part | 2000    |        | 2,000       | 10.00  |
    3000   | 10    | part | 10      | sar    | 2,000       | 10.00  |
  `),
  )('of $points points for $total SAR, $use $typed $unit, is confirmed with one form', async (row) => {
    const { me, page } = await stage.choosing(Number(row['points']), { total_price: Number(row['total']) })
    const { use = '', typed = '', unit = '' } = row
    const done = wordsOf(await me.submit(page, 'confirm', { use, amount: typed, ...(unit === '' ? {} : { unit }) }))
    if (row['left to pay'] === '')
      expect(done).toContain(`Points used ${row['points used']} points (SAR ${row['value']})`)
    else expect(done).toContain(`To pay to the store SAR ${row['left to pay']}`)
    if (row['points used'] === '') expect(done).toContain('No points will be used.')
    else expect(done).toContain(`${row['points used']}`)
    if (row['value'] !== '') expect(done).toContain(`(SAR ${row['value']})`)
  })

  it.each(
    readTable(`
    use   | typed                | unit   | said in English                  | said in Arabic
          |                      |        | Choose one of these.             | اختر واحدًا مما يلي.
    other | 5                    |        | Choose one of these.             | اختر واحدًا مما يلي.
    part  |                      |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 0                    |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | -5                   |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1.5                  |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1,5                  |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | كثير                 |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 1                    |        | That is worth less than one      | قيمة هذا العدد أقل من هللة واحدة
    part  | 99999999999999999999 |        | Enter a whole number of points   | أدخل عددًا صحيحًا من النقاط
    part  | 701                  |        | You can use up to 700 points   | الحد الأقصى هنا 700 نقطة.
    part  | 3.51                 | sar    | You can use up to SAR 3.50     | الحد الأقصى هنا ريال 3.50.
    part  | 101                  | sar    | You can use up to SAR 3.50     | الحد الأقصى هنا ريال 3.50.
    part  | 0.00                 | sar    | Enter an amount in riyals        | أدخل مبلغًا بالريال
    part  | 1.505                | sar    | Enter an amount in riyals        | أدخل مبلغًا بالريال
    part  | 1e3                  | sar    | Enter an amount in riyals        | أدخل مبلغًا بالريال
  `),
  )('and cannot be, "$use" "$typed" $unit, is said with what was typed left to correct', async (row) => {
    const { me, page, path, phone } = await stage.choosing(700)
    const { use = '', typed = '', unit = '' } = row
    const wrong = await me.submit(page, 'confirm', { use, amount: typed, unit })
    expect(wrong.status).toBe(422)
    expect(titleOf(wrong)).toBe('Error: Use your points · Shop')
    expect(wordsOf(wrong)).toContain(row['said in English'])
    if (use === 'part') expect(formOf(wrong, 'confirm').fields['amount']).toBe(typed)
    // The link to the other language keeps it too.
    const href = /class="language" href="([^"]*)"/.exec(wrong.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const arabic = await me.open(use === '' ? `${path}?use=&lang=ar` : path + href)
    expect(wordsOf(arabic)).toContain(row['said in Arabic'])
    if (use === 'part') expect(formOf(arabic, 'confirm').fields['amount']).toBe(typed)
    expect(await stage.balanceOf(phone)).toEqual([700, 0])
  })

  it('is all points at first, and links fill it in without a script', async () => {
    const { me, page } = await stage.choosing(700)
    expect(formOf(page, 'confirm').fields).toMatchObject({ use: 'all' })
    const links = [...page.text.matchAll(/href="([^"]*use=part[^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )
    const filled = await Promise.all(links.map(async (href) => formOf(await me.open(href), 'confirm').fields))
    expect(filled.map(({ use, amount }) => [use, amount])).toEqual([
      ['part', '174'],
      ['part', '350'],
      ['part', '700'],
    ])
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
    expect(wordsOf(page)).toContain('قهوة <b> 2 × SAR 50.00')
    expect(page.text).not.toContain('<b>')
  })
})

describe('where there is nothing to choose', () => {
  it('an empty wallet pays with money, and sees what that earns', async () => {
    const { me, phone, page } = await stage.choosing(0)
    const choose = await me.submit(page, 'join', { name: 'Sara', terms: '2026-11' })
    expect(wordsOf(choose)).toContain('You have no points yet, so you pay the full amount this time.')
    expect(wordsOf(choose)).toContain('You’ll earn 1,000 points')
    expect(choose.text).not.toContain('type="radio"')
    expect(wordsOf(choose)).toContain('Confirm, and pay SAR 100.00 to the store')
    expect(titleOf(await me.submit(choose, 'confirm'))).toBe('Your choice is confirmed · Shop')
    expect(await stage.balanceOf(phone)).toEqual([0, 0])
  })

  it.each([
    ['en', 'Your balance is below zero: more points were taken back than you had left'],
    ['ar', 'رصيدك أقل من الصفر: سُحبت منه نقاط أكثر مما بقي لديك'],
  ] as const)('a wallet below zero sees why, and pays with money: %s', async (locale, said) => {
    const { me, page, phone } = await stage.choosing(400, { total_price: 2 }, locale)
    await me.submit(page, 'confirm', { use: 'all' })
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
    const done = await me.submit(choose, 'confirm')
    expect(titleOf(done)).toMatch(/^(Your choice is confirmed|تم تأكيد اختيارك) · Shop$/)
    expect(await stage.balanceOf(phone)).toEqual([-400, 0])
  })

  it('an order of 0.00 is confirmed without a payment', async () => {
    const { me, page, phone, order_uuid } = await stage.choosing(50, { total_price: 0 })
    expect(wordsOf(page)).toContain('There is nothing to pay for this order.')
    expect(page.text).not.toContain('type="radio"')
    expect(titleOf(await me.submit(page, 'confirm'))).toBe('Paid. Thank you! · Shop')
    expect(await stage.balanceOf(phone)).toEqual([50, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
  })
})

describe('a confirmation', () => {
  it('reserves the points for a store that collects, and says until when', async () => {
    const { me, page, phone, order_uuid } = await stage.choosing(3000, {
      callback_url: 'https://shop.example/t?a=1#end',
    })
    const done = await me.submit(page, 'confirm', { use: 'part', amount: '1000' })
    expect(titleOf(done)).toBe('Your points are reserved · Shop')
    const words = wordsOf(done)
    expect(words).toContain('This order has 1,000 points (SAR 5.00) reserved')
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
    const paid = await me.submit(page, 'confirm', { use: 'all' })
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
    const choice = { use: 'part', amount: '600' }
    const tabs = await Promise.all([1, 2, 3].map(() => me.submit(page, 'confirm', choice)))
    const later = await me.submit(page, 'confirm', choice)
    for (const tab of [...tabs, later]) expect(titleOf(tab)).toBe('Your points are reserved · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 600])
  })

  it('that differs from the one in another tab changes nothing, and shows that one', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    await me.submit(page, 'confirm', { use: 'part', amount: '600' })
    const shown = await me.submit(page, 'confirm', { use: 'all' })
    expect(wordsOf(shown)).toContain('This order was already confirmed in another tab')
    expect(wordsOf(shown)).toContain('600 points (SAR 3.00) reserved')
    expect(await stage.balanceOf(phone)).toEqual([3000, 600])
  })

  it.each([
    ['more points than there are', '9000.10000.5000'],
    ['another total', '3000.9000.5000'],
    ['another rate', '3000.10000.9000'],
    ['no rate', '3000.10000.0'],
    ['nothing', ''],
  ])('of a page that showed %s holds nothing, and the customer sees the figures again', async (_, shown) => {
    const { me, page, phone } = await stage.choosing(3000)
    const again = await me.submit(page, 'confirm', { use: 'all', shown })
    expect(titleOf(again)).toBe('Use your points · Shop')
    expect(wordsOf(again)).toContain('3,000 points')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
  })

  it('after the balance was spent elsewhere says so, with the new figures, and holds nothing', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const { merchant } = stage.shop
    const other = await openedCheckout(stage.app.services, stage.shop, { phone: phone as never })
    await stage.app.services.proveSession(other.token, other.browser, other.phone)
    await confirm(stage.app.services, other, { points: 2500 })
    const changed = await me.submit(page, 'confirm', { use: 'all' })
    expect(wordsOf(changed)).toContain('Your balance or the order has just changed. No points were used')
    expect(wordsOf(changed)).toContain('500 points for SAR 2.50')
    const less = await me.submit(page, 'confirm', { use: 'part', amount: '2000' })
    expect(wordsOf(less)).toContain('has just changed')
    expect(wordsOf(less)).toContain('You can use up to 500 points here.')
    expect(await pointsOf(database.db, merchant, phone)).toEqual([3000, 2500])
    // The new figures can be confirmed as they are.
    expect(titleOf(await me.submit(changed, 'confirm', { use: 'all' }))).toBe('Your points are reserved · Shop')
    expect(await pointsOf(database.db, merchant, phone)).toEqual([3000, 3000])
  })

  it('can be taken back while the link lasts, and made anew', async () => {
    const { me, page, phone } = await stage.choosing(3000)
    const reserved = await me.submit(page, 'confirm', { use: 'all' })
    const again = await me.submit(reserved, 'change')
    expect(titleOf(again)).toBe('Use your points · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
    const none = await me.submit(again, 'confirm', { use: 'none' })
    expect(titleOf(none)).toBe('Your choice is confirmed · Shop')
    expect(await stage.balanceOf(phone)).toEqual([3000, 0])
  })

  it('is shown in another browser only after the code of the same phone', async () => {
    const { me, page, path, phone } = await stage.choosing(3000)
    await me.submit(page, 'confirm', { use: 'all' })
    const other = stage.shopper()
    expect(wordsOf(await other.open(path))).toContain('You confirmed this order in another browser.')
    const stranger = await stage.prove(other, path, '0577000111')
    expect(wordsOf(stranger)).toContain('This order was confirmed with another number.')
    expect(stranger.text).not.toMatch(/3,000|15\.00/)
    await resetLimits(database)
    expect(titleOf(await stage.prove(other, path, phone))).toBe('Your points are reserved · Shop')
  })
})

describe('a customer whom an earning made active', () => {
  const asks = (page: { text: string }) => page.text.includes('name="terms"')
  const consentsOf = (phone: Phone) =>
    database.owner.run({
      text: `select k.terms_version, k.locale, k.source from consent k
        join customer c on c.program_id = k.program_id and c.customer_id = k.customer_id where c.phone = $1`,
      values: [phone],
    })

  async function unasked(locale: 'en' | 'ar' = 'en') {
    await resetLimits(database)
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 3000, agrees: false })
    const me = stage.shopper(locale)
    const page = async () => stage.prove(me, (await stage.open()).path, phone)
    return { me, phone, page }
  }

  it.each([
    ['en', 'Agree to the terms to use your points'],
    ['ar', 'وافق على الشروط لاستبدال نقاطك'],
  ] as const)('uses points only after agreeing to the terms, once: %s', async (locale, says) => {
    const { me, phone, page } = await unasked(locale)
    const first = await page()
    expect(asks(first)).toBe(true)
    const refused = await me.submit(first, 'confirm', { use: 'part', amount: '1000' })
    expect([refused.status, wordsOf(refused).includes(says)]).toEqual([422, true])
    expect(refused.text).toContain('href="#field-terms"')
    // What was typed is kept, and nothing has happened.
    expect(refused.text).toMatch(/name="amount"[^>]* value="1000"/)
    expect([await stage.balanceOf(phone), await consentsOf(phone)]).toEqual([[3000, 0], []])
    const old = await me.submit(refused, 'confirm', { use: 'part', amount: '1000', terms: '2025-01' })
    expect(old.status).toBe(422)
    // Two mistakes are both shown.
    const twice = await me.submit(old, 'confirm', { use: 'part', amount: '9999' })
    expect(twice.text).toContain('href="#field-terms"')
    expect(twice.text).toContain('href="#field-amount"')
    // Another mistake leaves the tick where it was.
    const typo = await me.submit(refused, 'confirm', { use: 'part', amount: '1', terms: terms.version })
    expect(typo.text).toMatch(/name="terms"[^>]* checked/)
    await me.submit(typo, 'confirm', { use: 'part', amount: '1000', terms: terms.version })
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
    expect(await consentsOf(phone)).toEqual([{ terms_version: terms.version, locale, source: 'checkout' }])
    await resetLimits(database)
    expect(asks(await page())).toBe(false)
  })

  it('pays without points as before, and has agreed to nothing', async () => {
    const { me, phone, page } = await unasked()
    expect(titleOf(await me.submit(await page(), 'confirm', { use: 'none' }))).toBe('Your choice is confirmed · Shop')
    expect(await consentsOf(phone)).toEqual([])
    expect(asks(await page())).toBe(true)
  })
})
