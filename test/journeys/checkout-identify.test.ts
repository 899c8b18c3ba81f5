import { describe, expect, it } from 'vitest'
import { parsePhone } from '../../src/domain/phone.ts'
import type { SmsSender } from '../../src/providers/sms/port.ts'
import { defaults, startApp } from '../support/api.ts'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { keptMessages } from '../support/messages.ts'
import { customerWith } from '../support/orders.ts'
import { codeIn, formOf, numbersOf, Shopper, titleOf, type Visit, wordsOf, wrongFor } from '../support/shopper.ts'
import { rowsOf } from '../support/tables.ts'

// The number, the code and the terms, over HTTP and without a script (docs/spec/checkout.md#steps).

const database = testDatabase()
const stage = checkoutStage(database)

const arabicDigits = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
const isCode = (page: Visit) => /name="code"/.test(page.text)

describe('the number', () => {
  it('that the store gave is offered, known by its last digits alone', async () => {
    const { path } = await stage.open({ phone_number: '0555123987' })
    const me = stage.shopper()
    const page = await me.open(path)
    expect(titleOf(page)).toBe('Confirm your mobile number · Shop')
    expect(page.text).toContain('05•• ••• 987')
    expect(page.text).not.toMatch(/5551239|55512398|name="phone"/)
    const sent = await me.submit(page, 'given')
    expect(sent.path).toBe(path)
    expect(sent.text).toContain('05•• ••• 987')
    expect(titleOf(await me.submit(sent, 'code', { code: codeIn(sent) }))).toBe('Welcome · Shop')
  })

  it('may be another than the store gave', async () => {
    const { path } = await stage.open({ phone_number: '0555123987' })
    const me = stage.shopper()
    expect((await me.open(path)).text).toContain(`href="${path}?at=number"`)
    const page = await me.open(`${path}?at=number`)
    const sent = await me.submit(page, 'phone', { phone: '0555000111' })
    expect(sent.text).toContain('05•• ••• 111')
    expect(sent.text).toContain(`href="${path}?at=number"`)
    // The way back from the code leads to the number, not in a circle.
    expect((await me.open(`${path}?at=number`)).text).toContain('name="phone"')
  })

  it('is asked for if the store gave none, by a field that phones can fill in', async () => {
    const { path } = await stage.open()
    const page = await stage.shopper().open(path)
    expect(titleOf(page)).toBe('Your mobile number · Shop')
    expect(/<input[^>]*name="phone"[^>]*>/.exec(page.text)?.[0]).toMatch(
      /type="tel".*enterkeyhint="send" autocomplete="tel"/,
    )
  })

  it.each(
    rowsOf(`
    0555123456
    555123456
    +966555123456
    00966 555 123 456
    966-55-512-3456
    (055) 512 3456
    ٠٥٥٥١٢٣٤٥٦
    ۰۵۵۵۱۲۳۴۵۶
    +966 (0)55 512 3456
    009660555123456
    055.512.3456
    ٩٦٦٥٥٥١٢٣٤٥٦+
  `),
  )('is understood as %s', async (phone) => {
    const { path } = await stage.open()
    const me = stage.shopper()
    const sent = await me.submit(await me.open(path), 'phone', { phone: phone ?? '' })
    expect(isCode(sent)).toBe(true)
    expect(sent.text).toContain('05•• ••• 456')
  })

  it.each(['en', 'ar'] as const)(
    'that is invalid gets an error, and keeps the typed text to correct: %s',
    async (locale) => {
      const { path } = await stage.open()
      const me = stage.shopper(locale)
      const said = { en: 'That is not a Saudi mobile number', ar: 'هذا ليس رقم جوال سعودي' }
      for (const phone of ['12', '0455123456', '+97150123456', '+597 123 456', '05551234567', 'نعم', '"><b>']) {
        const page = await me.submit(await me.open(path), 'phone', { phone })
        expect(page.status).toBe(422)
        expect(titleOf(page)).toMatch(locale === 'ar' ? /^خطأ: / : /^Error: /)
        expect(wordsOf(page)).toContain(said[locale])
        expect(formOf(page, 'phone').fields['phone']).toBe(phone)
      }
      const empty = await me.submit(await me.open(path), 'phone', { phone: ' ' })
      expect(wordsOf(empty)).toContain({ en: 'Enter your mobile number.', ar: 'أدخل رقم الجوال.' }[locale])
      expect(await database.db.run({ text: 'select 1 as sent from rate_limit', values: [] })).toEqual([])
    },
  )
})

describe('the code', () => {
  async function asked(locale: 'en' | 'ar' = 'en', phone: string = freshPhone()) {
    const link = await stage.open()
    const me = stage.shopper(locale)
    return { ...link, me, phone, page: await me.submit(await me.open(link.path), 'phone', { phone }) }
  }

  it('has one field that phones and password managers fill in', async () => {
    const { page } = await asked()
    const field = /<input[^>]*name="code"[^>]*>/.exec(page.text)?.[0]
    expect(field).toMatch(/inputmode="numeric" enterkeyhint="go"/)
    expect(field).toMatch(/autocapitalize="none" spellcheck="false"/)
    expect(field).toMatch(/autocomplete="one-time-code"/)
    expect(field).not.toMatch(/maxlength/)
  })

  it.each([
    ['as it is', (code: string) => code],
    ['with spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    ['with a dash', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['in Arabic-Indic digits', arabicDigits],
  ])('is taken %s', async (_, typed) => {
    const { me, page } = await asked()
    expect(titleOf(await me.submit(page, 'code', { code: typed(codeIn(page)) }))).toBe('Welcome · Shop')
  })

  it.each([
    ['en', ['4 tries left', '3 tries left', '2 tries left', 'one try left'], 'no longer works'],
    ['ar', ['بقيت 4 محاولات', 'بقيت 3 محاولات', 'بقيت محاولتان', 'بقيت محاولة واحدة'], 'لم يعد هذا الرمز صالحًا'],
  ] as const)('that is wrong tells how many tries are left, until there are none: %s', async (locale, left, over) => {
    const { me, page, path } = await asked(locale)
    const code = codeIn(page)
    const wrong = wrongFor(code)
    for (const said of left) {
      const again = await me.submit(page, 'code', { code: wrong })
      expect(wordsOf(again)).toContain(said)
      expect(titleOf(again)).toMatch(locale === 'ar' ? /^خطأ: / : /^Error: /)
    }
    expect(wordsOf(await me.submit(page, 'code', { code: wrong }))).toContain(over)
    expect(wordsOf(await me.submit(page, 'code', { code }))).toContain(over)
    // No field is left for a code that cannot be tried: a new one is asked for.
    const dead = await me.open(path)
    expect(isCode(dead)).toBe(false)
    expect(formOf(dead, 'resend')).toBeDefined()
    const used_up = await me.open(`${path}?note=too_many_tries&until=${Date.now() + 60_000}`)
    expect(used_up.text).not.toMatch(/name="code"|value="resend"/)
    expect(formOf(used_up, 'continue')).toBeDefined()
  })

  it('left out is asked for, and costs no try', async () => {
    const { me, page } = await asked()
    for (let times = 0; times < 6; times++)
      expect(wordsOf(await me.submit(page, 'code', { code: ' ' }))).toContain('Enter the six digits')
    expect(titleOf(await me.submit(page, 'code', { code: codeIn(page) }))).toBe('Welcome · Shop')
  })

  it('can be sent anew, not at once, and then the one before is over', async () => {
    const { me, page } = await asked()
    expect(wordsOf(page)).toMatch(/You can ask for a new code from \d\d:\d\d/)
    const early = await me.submit(page, 'resend')
    expect(wordsOf(early)).toMatch(/You can ask for one from \d\d:\d\d/)
    expect(codeIn(early)).toBe(codeIn(page))
    await resetLimits(database)
    const sent = await me.submit(early, 'resend')
    expect(wordsOf(sent)).toContain('We sent a new code')
    if (codeIn(sent) !== codeIn(page))
      expect(wordsOf(await me.submit(sent, 'code', { code: codeIn(page) }))).toContain('That code is not right')
    expect(titleOf(await me.submit(sent, 'code', { code: codeIn(sent) }))).toBe('Welcome · Shop')
  })

  it('is sent to a number proven in this browser after unknown browsers have used theirs; nothing is shown before', async () => {
    const phone = freshPhone()
    const me = stage.shopper()
    await stage.prove(me, (await stage.open()).path, phone)
    for (let times = 0; times < 2; times++) expect(isCode((await asked('en', phone)).page)).toBe(true)
    expect(isCode((await asked('en', phone)).page)).toBe(false)
    const { path } = await stage.open()
    const page = await me.open(`${path}?at=number`)
    expect(page.text).not.toContain(phone)
    expect(isCode(await me.submit(page, 'phone', { phone }))).toBe(true)
  })

  it('is not sent to a number without end, and the customer stays where another can be typed', async () => {
    const phone = freshPhone()
    for (let times = 0; times < 3; times++) expect(isCode((await asked('en', phone)).page)).toBe(true)
    const { page, path } = await asked('en', phone)
    expect(page.path).toMatch(new RegExp(`^${path}\\?at=number&note=too_many_codes&until=\\d+$`))
    // The next code could be sent in an hour, and the page ends in half of one.
    expect(wordsOf(page)).toMatch(/You can use a new code from \d\d:\d\d, but this page closes before then/)
    expect(wordsOf(page)).toContain('Continue without points')
    expect(page.text).toContain('name="phone"')
  })

  // The page asked for a number again and had no field for the code, which had just arrived.
  it('can still be entered when its number is given again, too soon for another', async () => {
    const { me, page, path, phone } = await asked()
    const again = await me.submit(await me.open(`${path}?at=number`), 'phone', { phone })
    expect(wordsOf(again)).toMatch(/No new code can be sent yet\. You can ask for one from \d\d:\d\d/)
    expect(titleOf(await me.submit(again, 'code', { code: codeIn(page) }))).toBe('Welcome · Shop')
  })

  it('comes by message alone in production, and the page shows neither it nor a sandbox', async () => {
    const { sms, messages } = keptMessages()
    const server = await startApp(database, { db: database.db, environment: 'production', sms }, stage.app.clock)
    try {
      const { path } = await stage.open()
      const me = new Shopper(server.send, defaults.public_url, { 'accept-language': 'en' })
      const phone = freshPhone()
      const page = await me.submit(await me.open(path), 'phone', { phone })
      const [code = ''] = /\d{6}/.exec(messages[0] ?? '') ?? []
      expect(messages).toHaveLength(1)
      expect(page.text).not.toContain(code)
      expect(wordsOf(page)).not.toMatch(/sandbox/i)
      expect(titleOf(await me.submit(page, 'code', { code }))).toBe('Welcome · Shop')
      expect(server.logged.join('')).not.toContain(code)
    } finally {
      await server.stop()
    }
  })

  it('that could not be sent gets an error, and the number can be corrected', async () => {
    const sms: SmsSender = {
      name: 'taqnyat',
      reaches_phones: true,
      send: async () => ({ kind: 'refused', detail: 'no such number' }),
    }
    const server = await startApp(database, { db: database.db, environment: 'production', sms }, stage.app.clock)
    try {
      const { path } = await stage.open()
      const me = new Shopper(server.send, defaults.public_url, { 'accept-language': 'ar' })
      const page = await me.submit(await me.open(path), 'phone', { phone: freshPhone() })
      expect(wordsOf(page)).toContain('تعذّر إرسال الرمز.')
      expect(page.text).toContain('name="phone"')
    } finally {
      await server.stop()
    }
  })

  it('does not reveal who is known: the pages are the same until the phone is proven', async () => {
    const known = await customerWith(database.db, stage.shop.merchant, { points: 500, phone: freshPhone() })
    const invited = parsePhone('500000003')
    await stage.app.call('POST', '/api/v1/orders/earning', {
      key: stage.shop.private_key,
      json: {
        phone_number: invited,
        total_price: 10,
        order_number: 'E-1',
        products: [{ product_name: 'A', product_price: 10, quantity: 1 }],
      },
    })
    const pages = await Promise.all(
      [known, freshPhone(), '500000003'].map(async (phone) => {
        const { page, me, token } = await asked('en', phone)
        const wrong = await me.submit(page, 'code', { code: codeIn(page) === '111111' ? '222222' : '111111' })
        const plain = ({ text }: Visit) =>
          text
            .replaceAll(token, 'TOKEN')
            .replaceAll(codeIn(page), 'CODE')
            .replace(/<bdi class="figure">\d+/g, 'ORDER')
            .replace(/••• \d{3}/g, 'LAST')
            .replace(/name="csrf" value="[^"]*"/g, 'CSRF')
            .replace(/<time.*?<\/time>|data-(resend-at|now)="\d+"/g, 'TIME')
        return [plain(page), plain(wrong)]
      }),
    )
    expect(pages[1]).toEqual(pages[0])
    expect(pages[2]).toEqual(pages[0])
  })
})

describe('the terms', () => {
  async function joining(asked = {}) {
    const phone = freshPhone()
    const link = await stage.open({ phone_number: phone, ...asked })
    const me = stage.shopper()
    return { ...link, me, phone, page: await stage.prove(me, link.path, phone) }
  }

  it('are accepted with a name, which the store may have given, and lead on to the order', async () => {
    const { me, phone, page } = await joining({ name: 'سارة' })
    expect(formOf(page, 'join').fields).toMatchObject({ name: 'سارة' })
    expect(page.text).toContain('href="/terms?program=')
    const on = await me.submit(page, 'join', { terms: '2026-11' })
    expect(titleOf(on)).toBe('Your order · Shop')
    const [consent] = await database.db.run({
      text: `select c.name, c.status, s.terms_version, s.locale, s.source from customer c
        join consent s using (program_id, customer_id) where phone = $1`,
      values: [phone],
    })
    expect(consent).toEqual({
      name: 'سارة',
      status: 'active',
      terms_version: '2026-11',
      locale: 'en',
      source: 'checkout',
    })
  })

  it('are asked for again with all mistakes listed, and nobody becomes a customer', async () => {
    const { me, phone, page } = await joining()
    const nothing = await me.submit(page, 'join', { name: '  ' })
    expect(nothing.status).toBe(422)
    expect(titleOf(nothing)).toBe('Error: Welcome · Shop')
    expect(wordsOf(nothing)).toContain('Enter your name.')
    expect(wordsOf(nothing)).toContain('Please agree to the terms')
    const named = await me.submit(nothing, 'join', { name: 'Sara <b>' })
    expect(formOf(named, 'join').fields['name']).toBe('Sara <b>')
    const old = await me.submit(named, 'join', { name: 'Sara', terms: '2020-01' })
    expect(wordsOf(old)).toContain('The terms have just changed')
    const customers = { text: 'select 1 as one from customer where phone = $1', values: [phone] }
    expect(await database.db.run(customers)).toEqual([])
  })

  it('bring the points that waited, once, from two tabs too', async () => {
    const phone = '500000003'
    const earning = {
      phone_number: phone,
      total_price: 40,
      order_number: 'E-2',
      products: [{ product_name: 'A', product_price: 40, quantity: 1 }],
    }
    await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json: earning })
    const { path } = await stage.open()
    const me = stage.shopper()
    const page = await stage.prove(me, path, phone)
    const filled = { name: 'Noura', terms: '2026-11' }
    const tabs = await Promise.all([me.submit(page, 'join', filled), me.submit(page, 'join', filled)])
    for (const tab of tabs) expect(wordsOf(tab)).toMatch(/Your balance (400|500) points/)
    const { text } = { text: `select count(*)::int as orders from orders where order_number = 'E-2'` }
    expect(await database.db.run({ text, values: [] })).toEqual([{ orders: 1 }])
  })
})

describe('a browser', () => {
  it('without a proof learns nothing, and continues with the code, which replaces the first browser', async () => {
    const { me, path, phone } = await stage.choosing(900)
    const other = stage.shopper()
    const page = await other.open(path)
    expect(titleOf(page)).toBe('Your mobile number · Shop')
    expect(numbersOf(page)).not.toContain('900')
    expect(page.text).not.toContain('4.50')
    await resetLimits(database)
    expect(wordsOf(await stage.prove(other, path, phone))).toContain('900 points')
    expect(titleOf(await me.open(path))).toBe('Your mobile number · Shop')
  })

  it.each([
    ['without the field of ours', (fields: Record<string, string>) => ({ ...fields, csrf: '' }), {}],
    ['with that of another browser', (fields: Record<string, string>) => ({ ...fields, csrf: 'x'.repeat(43) }), {}],
    ['from another site', (fields: Record<string, string>) => fields, { 'sec-fetch-site': 'cross-site' }],
    [
      'from an older one of another site',
      (fields: Record<string, string>) => fields,
      { origin: 'https://evil.example' },
    ],
  ] as const)('sends a form %s: nothing happens', async (_, change, headers) => {
    const { path } = await stage.open()
    const me = stage.shopper()
    const { action, fields } = formOf(await me.open(path), 'phone')
    const cookie = [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await stage.app.call('POST', action, {
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      bytes: String(new URLSearchParams({ ...change(fields), phone: freshPhone() })),
    })
    expect(reply.status).toBe(403)
    expect(await database.db.run({ text: 'select 1 as sent from rate_limit', values: [] })).toEqual([])
  })

  it('that keeps no cookies is asked to allow them', async () => {
    const { path } = await stage.open()
    const me = stage.shopper()
    const page = await me.open(path)
    me.cookies.clear()
    const refused = await me.submit(page, 'phone', { phone: freshPhone() })
    expect(refused.status).toBe(403)
    expect(wordsOf(refused)).toContain('Cookies are switched off')
  })

  it('switches the language without losing its place', async () => {
    const { me, path } = await stage.choosing(900)
    const page = await me.open(`${path}?use=part&amount=500`)
    const href = /class="language" href="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const arabic = await me.open(path + href)
    expect(titleOf(arabic)).toBe('استبدال نقاطك · Shop')
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
    expect(formOf(arabic, 'confirm').fields).toMatchObject({ use: 'part', amount: '500' })
    // The choice of a language is remembered.
    expect(titleOf(await me.open(path))).toBe('استبدال نقاطك · Shop')
  })
})

it('writes no numbers, codes or links into the log', async () => {
  const { me, path, phone, token, page } = await stage.choosing(0)
  await me.submit(page, 'join', { name: 'Somebody', terms: '2026-11' })
  await me.open(`${path}?at=number`)
  const logged = stage.app.logged.join('\n')
  expect(logged).not.toContain(phone.slice(1))
  expect(logged).not.toContain(token.split('-')[1])
  expect(logged).not.toContain('Somebody')
})
