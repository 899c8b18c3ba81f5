import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { codeIn, formOf, type Shopper, wordsOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { agreed, signIn } from '../support/wallets.ts'

// Who may see a wallet, and for how long: sign-ins, their tokens, forms and cookies.

const database = testDatabase()
const stage = walletStage(database)

const cookie = '__Host-nuqta-wallet'
const ended = 'You were signed out to keep your points safe.'
const isSignIn = (page: { readonly text: string }) => page.text.includes('name="phone"')

async function customer(name = 'Noura'): Promise<Phone> {
  const phone = freshPhone()
  await stage.customer(phone, name).buy(stage.cafe, 10_000)
  await agreed(database, stage.program_id, phone)
  return phone
}

function carrying(me: Shopper, token: string | undefined): Shopper {
  me.cookies.set(cookie, token ?? '')
  return me
}

async function age(phone: Phone, { seen_h = 0, begun_h = 0 }: { seen_h?: number; begun_h?: number }): Promise<void> {
  const sessions = await database.owner.run<{ session_uuid: string; seen_at: Date; expires_at: Date }>({
    text: 'select session_uuid, seen_at, expires_at from wallet_session where phone = $1',
    values: [phone],
  })
  const earlier = (time: Date, hours: number): Date => new Date(time.getTime() - hours * 3_600_000)
  for (const { session_uuid, seen_at, expires_at } of sessions)
    await database.owner.run({
      text: 'update wallet_session set seen_at = $2, expires_at = $3 where session_uuid = $1',
      values: [session_uuid, earlier(seen_at, seen_h), earlier(expires_at, begun_h)],
    })
}

describe('a sign-in', () => {
  it('gets another token when the phone is proven, so a planted one is worthless', async () => {
    const phone = await customer()
    const me = stage.visitor()
    const asked = await me.submit(await me.open('/wallet'), 'phone', { phone })
    const planted = me.cookies.get(cookie)
    const stranger = carrying(stage.visitor(), planted)
    const home = await me.submit(asked, 'code', { code: codeIn(asked) })
    expect(wordsOf(home)).toContain('Hello Noura')
    expect(me.cookies.get(cookie)).not.toBe(planted)
    for (const path of ['/wallet', '/wallet/statement']) {
      const seen = await stranger.open(path)
      expect(isSignIn(seen)).toBe(true)
      expect(seen.text).not.toContain('Noura')
    }
  })

  it('that begins in one browser shows another browser its code at most, and no wallet', async () => {
    const phone = await customer()
    const me = stage.visitor()
    await me.submit(await me.open('/wallet'), 'phone', { phone })
    const stranger = carrying(stage.visitor(), me.cookies.get(cookie))
    expect((await stranger.open('/wallet')).text).not.toContain('Noura')
    expect(isSignIn(await stranger.open('/wallet/statement'))).toBe(false)
    // It can send only forms of the other browser, which its cookies do not match.
    const form = formOf(await me.open('/wallet'), 'code')
    const refused = await stranger.post('/wallet', new URLSearchParams({ ...form.fields, code: '123456' }))
    expect(refused.status).toBe(403)
  })

  it('ends when its owner signs out, on the server too, and in every tab', async () => {
    const phone = await customer()
    const me = await stage.signedIn(phone)
    const token = me.cookies.get(cookie)
    const home = await me.open('/wallet')
    const otherTab = await me.open('/wallet/statement')
    expect(otherTab.status).toBe(200)
    const left = await me.submit(home, 'sign-out')
    expect(wordsOf(left)).toContain('You are signed out.')
    expect(isSignIn(left)).toBe(true)
    expect(me.cookies.has(cookie)).toBe(false)
    expect(isSignIn(await me.open('/wallet/statement'))).toBe(true)
    expect(wordsOf(await me.submit(home, 'sign-out'))).toContain('You are signed out.')
    const stranger = carrying(stage.visitor(), token)
    expect(wordsOf(await stranger.open('/wallet'))).toContain(ended)
    const kept = { text: 'select 1 as one from wallet_session where phone = $1', values: [phone] }
    expect(await database.db.run(kept)).toEqual([])
  })

  it.each([
    ['a day without use', { seen_h: 24 }],
    ['seven days', { begun_h: 7 * 24 }],
  ])('ends after %s, and says so in a friendly way; the number is asked for again', async (_, ages) => {
    const phone = await customer()
    const me = await stage.signedIn(phone)
    expect(wordsOf(await me.open('/wallet'))).toContain('Hello Noura')
    await age(phone, ages)
    const page = await me.open('/wallet')
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain(ended)
    expect(page.text).not.toContain('Noura')
    expect(wordsOf(await me.open('/wallet/statement'))).toContain(ended)
    expect(wordsOf(await signIn(me, phone))).toContain('Hello Noura')
  })

  it('lasts as long as it is used', async () => {
    const phone = await customer()
    const me = await stage.signedIn(phone)
    for (let day = 0; day < 4; day += 1) {
      await age(phone, { seen_h: 23, begun_h: 23 })
      expect(wordsOf(await me.open('/wallet'))).toContain('Hello Noura')
    }
  })

  it('that ends while a form is open leads back to the number, and does nothing', async () => {
    const phone = freshPhone()
    const me = stage.visitor()
    const page = await signIn(me, phone)
    await age(phone, { begun_h: 7 * 24 })
    const sent = await me.submit(page, 'join', { name: 'Sara', terms: '2026-11' })
    expect(wordsOf(sent)).toContain(ended)
    const made = { text: 'select 1 as one from customer where phone = $1', values: [phone] }
    expect(await database.db.run(made)).toEqual([])
  })

  it.each([
    '',
    'x',
    '1-',
    '0-00000000000000000000000000',
    `1-${'z'.repeat(26)}`,
    `99999999999999999999-${'0'.repeat(26)}`,
  ])('is nobody’s with the token %j', async (token) => {
    const page = await carrying(stage.visitor(), token).open('/wallet')
    expect([page.status, isSignIn(page)]).toEqual([200, true])
  })
})

describe('forms', () => {
  it.each([
    ['without a token', { csrf: undefined }, {}],
    ['with a token made up', { csrf: 'x' }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from another origin', {}, { origin: 'https://evil.example' }],
  ])(
    '%s are refused as a page, and change nothing',
    async (_, changes: Record<string, string | undefined>, headers) => {
      const phone = await customer()
      const me = await stage.signedIn(phone)
      const { fields } = formOf(await me.open('/wallet'), 'sign-out')
      const sent = Object.entries({ ...fields, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as [string, string]],
      )
      const pairs = [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await stage.app.send('POST', '/wallet', {
        bytes: new URLSearchParams(sent).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: pairs, ...headers },
      })
      expect(reply.status).toBe(403)
      expect(reply.text).toContain('href="/wallet"')
      expect(wordsOf(await me.open('/wallet'))).toContain('Hello Noura')
    },
  )

  it('with an unknown action lead back to the wallet', async () => {
    const me = await stage.signedIn(await customer())
    const { fields } = formOf(await me.open('/wallet'), 'sign-out')
    for (const what of ['', 'erase', 'toString', '__proto__', 'code', 'resend', 'join', 'phone'])
      expect(wordsOf(await me.post('/wallet', new URLSearchParams({ ...fields, do: what })))).toContain('Hello Noura')
  })
})

describe('every answer', () => {
  it('is not cached, runs only our scripts, and cannot be framed', async () => {
    const me = await stage.signedIn(await customer())
    for (const path of ['/wallet', '/wallet/statement', '/wallet/data', '/terms']) {
      const { headers, text } = await me.open(path)
      expect(headers['cache-control'], path).toBe('no-store')
      expect(headers['x-content-type-options']).toBe('nosniff')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(text).not.toMatch(/\son\w+="|\sstyle="|<script(?! type="module" src="\/assets\/)/)
    }
  })

  it('has cookies for this host alone, out of reach of scripts, and lasts no longer than the sign-in', async () => {
    const phone = await customer()
    const me = stage.visitor()
    const page = await me.submit(await me.open('/wallet'), 'phone', { phone })
    const { fields } = formOf(page, 'code')
    const pairs = [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await stage.app.send('POST', '/wallet', {
      bytes: new URLSearchParams({ ...fields, code: codeIn(page) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: pairs },
    })
    expect([reply.status, reply.headers.location]).toEqual([303, '/wallet'])
    const [set] = (reply.headers['set-cookie'] ?? []).filter((line) => line.startsWith(cookie))
    expect(set).toMatch(/; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  it('remembers the language; numbers are in no address and in no line of the log', async () => {
    const phone = await customer()
    const me = stage.visitor('en')
    expect((await me.open('/wallet?lang=ar')).text).toContain('<html lang="ar" dir="rtl">')
    const page = await signIn(me, phone)
    expect(page.text).toContain('<html lang="ar" dir="rtl">')
    expect(page.text).not.toContain(phone)
    expect((await me.open('/wallet/statement')).text).toContain('<html lang="ar" dir="rtl">')
    expect((await me.open('/wallet/statement?lang=en')).text).toContain('<html lang="en" dir="ltr">')
    const log = stage.app.logged.join('\n')
    expect(log).toContain('/wallet')
    expect(log).not.toContain(phone)
    expect(log).not.toContain(me.cookies.get(cookie) ?? 'a token')
  })
})
