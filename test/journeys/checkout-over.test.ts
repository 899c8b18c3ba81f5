import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeMerchant } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { pointsOf, rowOf } from '../support/orders.ts'
import { titleOf, wordsOf } from '../support/shopper.ts'
import { readTable } from '../support/tables.ts'
import { root } from '../support/tree.ts'

// Links to finished checkouts, receipts that are opened again, and the headers of every page of a checkout.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const stage = checkoutStage(database, { collector: 'sandbox' })

const callback_url = 'https://shop.example/thanks'

/** A customer who has confirmed 1,000 points and is on the provider's page of cards. */
async function paying() {
  const chooser = await stage.choosing(3000, { callback_url })
  return { ...chooser, page: await chooser.me.submit(chooser.page, 'confirm', { use: 'part', amount: '1000' }) }
}

describe('a link that leads nowhere', () => {
  it.each([
    'x',
    '1-00000000000000000000000000',
    '999999999999999-00000000000000000000000000',
    '1',
    '-',
    '%00',
    'é'.repeat(50),
  ])('answers 404, and so do forms sent to it: %s', async (token) => {
    const me = stage.shopper()
    const page = await me.open(`/checkout/${encodeURIComponent(token)}`)
    expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(titleOf(page)).toBe('This link has expired')
    const { path } = await stage.open()
    const form = await me.open(path)
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? ''
    const sent = await me.post(`/checkout/${encodeURIComponent(token)}`, new URLSearchParams({ csrf, do: 'phone' }))
    expect(sent.status).toBe(404)
  })

  it('includes a link of another program', async () => {
    const { path } = await stage.open()
    const other = path.replace(/\/checkout\/(\d+)/, (_, id) => `/checkout/${Number(id) + 1}`)
    const page = await stage.shopper('ar').open(other)
    expect(page.status).toBe(404)
    expect(titleOf(page)).toBe('انتهت صلاحية هذا الرابط')
  })
})

describe('a checkout whose time is over', () => {
  it.each(['en', 'ar'] as const)('says so at whatever step it was, and leads back to the store: %s', async (locale) => {
    const untouched = await stage.open({ callback_url })
    const chosen = await stage.choosing(500, { callback_url }, locale)
    const sent = stage.shopper(locale)
    const code = await sent.submit(await sent.open(untouched.path), 'phone', { phone: '0551000000' })
    stage.app.clock.advance(1_799)
    expect((await sent.open(untouched.path)).status).toBe(200)
    stage.app.clock.advance(1)
    const title = { en: 'This checkout has expired · Shop', ar: 'انتهت مهلة إتمام الطلب · Shop' }[locale]
    for (const page of [
      await sent.open(untouched.path),
      await sent.submit(code, 'code', { code: '123456' }),
      await chosen.me.submit(chosen.page, 'confirm', { use: 'all' }),
    ]) {
      expect([page.status, titleOf(page)]).toEqual([410, title])
      expect(page.text).toMatch(/href="https:\/\/shop\.example\/thanks\?order_uuid=[^"]*order_status=new/)
      expect(page.text).not.toContain('100.00')
    }
    expect(await pointsOf(database.db, stage.shop.merchant, chosen.phone)).toEqual([500, 0])
    expect(await rowOf(database.db, chosen.order_uuid)).toMatchObject({ order_status: 'new' })
  })

  it('during a payment, says what happens to late money: here it pays, because the points are still held', async () => {
    const { me, path, page } = await paying()
    stage.app.clock.advance(1_800)
    expect(wordsOf(await me.open(path))).toContain(
      'If a payment still arrives, it completes the order or is refunded to you.',
    )
    const late = await me.submit(page, 'card', { card: 'succeeds' })
    expect(titleOf(late)).toBe('Paid. Thank you! · Shop')
  })

  it('leads nowhere where the store named no page, and says what to do', async () => {
    const { path } = await stage.open()
    stage.app.clock.advance(1_800)
    expect(wordsOf(await stage.shopper().open(path))).toContain('Go back to the store to continue.')
  })
})

describe('a store that moves the order itself', () => {
  it.each(
    readTable(`
    action    | title                                  | in Arabic
    complete  | The store completed this order  | أكمل المتجر هذا الطلب
    authorize | The store completed this order  | أكمل المتجر هذا الطلب
    cancel    | The store cancelled this order         | ألغى المتجر هذا الطلب
  `),
  )('by $action, is shown to a customer who is still choosing', async ({ action = '', title, 'in Arabic': arabic }) => {
    const { me, path, page, order_uuid } = await stage.choosing(900, { callback_url })
    expect((await stage.app.actBy(stage.shop, order_uuid, action)).status).toBe(200)
    const shown = await me.submit(page, 'confirm', { use: 'all' })
    expect([shown.status, titleOf(shown)]).toEqual([410, `${title} · Shop`])
    expect(shown.text).toMatch(/href="https:\/\/shop\.example\/thanks\?/)
    expect(titleOf(await me.open(`${path}?lang=ar`))).toBe(`${arabic} · Shop`)
  })

  it.each(
    readTable(`
    action    | title
    complete  | Paid. Thank you!
    cancel    | The store cancelled this order
  `),
  )('by $action, is shown to a customer who is paying, whose money then goes back', async ({ action = '', title }) => {
    const { me, path, page, phone, order_uuid } = await paying()
    await stage.app.actBy(stage.shop, order_uuid, action)
    expect(titleOf(await me.open(path))).toBe(`${title} · Shop`)
    const late = await me.submit(page, 'card', { card: 'succeeds' })
    expect(titleOf(late)).toBe(`${title} · Shop`)
    expect(wordsOf(late)).toMatch(
      /We received a payment of SAR 95\.00 that this order could no longer take\. It (will be|has been)/,
    )
    // With complete, 1,000 points are spent and the money part earns 950.
    const expected = action === 'complete' ? [2950, 0] : [3000, 0]
    expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual(expected)
  })
})

describe('a receipt', () => {
  async function paid() {
    const { page, ...chooser } = await paying()
    await chooser.me.submit(page, 'card', { card: 'succeeds' })
    return chooser
  }

  it('shows nothing of the customer when the link is opened elsewhere', async () => {
    const { path } = await paid()
    const page = await stage.shopper().open(path)
    expect(titleOf(page)).toBe('Paid. Thank you! · Shop')
    expect(wordsOf(page)).not.toContain('Your balance')
    expect(page.text).not.toContain('2,950')
  })

  it.each(
    readTable(`
    amount | title
    40     | Part of this order was refunded
           | This order was refunded
  `),
  )('says that money went back: refund of $amount', async ({ amount, title }) => {
    const { me, path, order_uuid } = await paid()
    const json = amount === '' ? {} : { amount: Number(amount) }
    const { private_key: key } = stage.shop
    expect((await stage.app.act(order_uuid, 'refund', { key, json })).status).toBe(200)
    expect(titleOf(await me.open(path))).toBe(`${title} · Shop`)
  })

  it('does not repeat after an old form is sent again', async () => {
    const { me, path, phone } = await paid()
    const csrf = /name="csrf" value="([^"]*)"/.exec((await me.open((await stage.open()).path)).text)?.[1] ?? ''
    for (const what of [
      'phone',
      'given',
      'resend',
      'code',
      'join',
      'confirm',
      'resume',
      'change',
      'other',
      '__proto__',
    ]) {
      const fields = { csrf, do: what, use: 'all', shown: '1000.10000.5000', phone, code: '123456' }
      expect(titleOf(await me.post(path, new URLSearchParams(fields)))).toBe('Paid. Thank you! · Shop')
    }
    expect(await pointsOf(database.db, stage.shop.merchant, phone)).toEqual([2950, 0])
  })
})

describe('every page of a checkout', () => {
  it('is not cached or framed, hides its address from other sites, and requests nothing from them', async () => {
    const { path } = await stage.open({ callback_url })
    for (const page of [await stage.shopper().open(path), await stage.shopper().open('/checkout/unknown')]) {
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      const policy = page.headers['content-security-policy']
      expect(policy).toMatch(/^default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; /)
      expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
      expect(page.text).not.toMatch(/style="|<script>|\son\w+="/)
      const sources = [...page.text.matchAll(/(?:src|href|action)="([^"#]*)"/g)].map(([, url = '']) => url)
      const elsewhere = sources.filter((url) => !url.startsWith('/') && !url.startsWith('?'))
      expect(elsewhere.filter((url) => !url.startsWith('https://shop.example/thanks?'))).toEqual([])
    }
  })

  it('is sent compressed, each time with other tokens and of another length', async () => {
    const { path } = await stage.open({ callback_url })
    const cookie = `__Host-nuqta-browser=${'1'.repeat(26)}`
    const sent = (encoding: string) =>
      stage.app.call('GET', path, { headers: { cookie, 'accept-encoding': encoding, 'accept-language': 'ar' } })
    const plain = await sent('identity')
    const answers = await Promise.all(Array.from({ length: 12 }, () => sent('gzip, br')))
    const sizes = answers.map(({ headers }) => {
      expect(headers).toMatchObject({ 'content-encoding': 'br', vary: expect.stringContaining('Accept-Encoding') })
      return Number(headers['content-length'])
    })
    expect(Math.max(...sizes)).toBeLessThan(Buffer.byteLength(plain.text) / 2)
    // A stranger sees only the length of an encrypted answer: it must not reveal the page.
    expect(new Set(sizes).size).toBeGreaterThan(3)
    const tokens = [plain, await sent('identity')].map(({ text }) => /name="csrf" value="([^"]+)"/.exec(text)?.[1])
    expect(new Set(tokens).size).toBe(2)
  })

  it('carries next to nothing to run: its scripts are below 4 kB together, as a build sends them', async () => {
    const { me, path, page } = await stage.choosing(700)
    const pages = [page, await me.open(`${path}?use=all`), await stage.shopper().open((await stage.open()).path)]
    const urls = new Set(
      pages.flatMap(({ text }) => [...text.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, url = '']) => url)),
    )
    expect(urls.size).toBeGreaterThan(1)
    const sizes = await Promise.all(
      [...urls].map(async (url) => {
        const sent = await stage.app.call('GET', url, { headers: { 'accept-encoding': 'gzip' } })
        expect(sent.headers).toMatchObject({
          'content-encoding': 'gzip',
          'cache-control': expect.stringContaining('immutable'),
        })
        // From sources the service sends scripts as they are written.
        const [, name] = /\/([a-z]+)\.[0-9a-f]+\.js$/.exec(url) ?? []
        return gzipSync(readFileSync(`${root}dist/browser/${name}.js`)).length
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000)
  })

  it('shows input from outside as text', async () => {
    const evil = `"'><img src=x onerror=alert(1)>`
    const merchant = await makeMerchant(database.db, { name: `Shop ${evil}` })
    const json = {
      total_price: 10,
      order_number: evil,
      name: evil,
      products: [{ product_name: evil, product_price: 1, quantity: 1 }],
    }
    const reply = await stage.app.call('POST', `/api/v1/orders/checkout/${merchant.public_key}`, { json })
    const { checkout_url } = reply.body.data as { checkout_url: string }
    const { text } = await stage.shopper().open(new URL(checkout_url).pathname)
    expect(text).not.toMatch(/<img|<script>/)
    expect(text.split('&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;').length).toBeGreaterThan(3)
  })

  it('answers other methods, and forms of other kinds, as a page', async () => {
    const { path } = await stage.open()
    const deleted = await stage.app.call('DELETE', `${path}?lang=ar`)
    expect(deleted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
    expect(deleted.text).toContain('<html lang="ar" dir="rtl">')
    expect((await stage.app.call('POST', path, { json: {} })).status).toBe(415)
  })
})
