import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { createCards, purgeCards } from '../../src/features/wallet/card.ts'
import type { Reply } from '../http/client.ts'
import { makeMerchant, makeProgram, purchase, testApp } from '../support/api.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { codeIn, formOf, Shopper, titleOf, type Visit, wordsOf } from '../support/shopper.ts'

// The card and its window over HTTP, requested by browsers and by other clients.

const database = testDatabase()
const app = testApp(database)
const named = 'https://shop.example'
const verifier = 'only the frame knows this'
const ask = createHash('sha256').update(verifier).digest('base64url')
const hosts = { return_hosts: ['shop.example'] }

let program_id: number
let merchant: MadeMerchant
let sister: MadeMerchant
let stranger: MadeMerchant
let phone: Phone

beforeAll(async () => {
  program_id = (await makeProgram(database.db)).program_id
  merchant = await makeMerchant(database.db, { program_id, changes: hosts })
  sister = await makeMerchant(database.db, { program_id, changes: hosts })
  stranger = await makeMerchant(database.db, { changes: hosts })
})
// Each test has its own customer; all codes come from one address.
beforeEach(async () => {
  await resetLimits(database)
  phone = freshPhone()
  const bought = purchase({ phone_number: phone, total_price: 250 })
  expect((await app().post('/v1/orders/earning', merchant.private_key, bought)).status).toBe(200)
})

const place = (of: MadeMerchant = merchant) => `/widget/${of.public_key}`
const windowOf = (of = merchant, origin = named) =>
  `${place(of)}/window?${new URLSearchParams({ origin, ask, amount: '8000' })}`

/** A browser without default headers. */
const browserOf = () => new Shopper(app().send, 'https://localhost:8443', { 'accept-language': 'en' })

/** A shopper who has entered the right code in the window. */
async function proven(of = merchant, by = browserOf()): Promise<{ page: Visit; by: Shopper }> {
  const asked = await by.submit(await by.open(windowOf(of)), 'phone', { phone: `0${phone}` })
  return { page: await by.submit(asked, 'code', { code: codeIn(asked) }), by }
}

/** The request of the window's script: the text with which the frame takes its session. */
async function offer({ page, by }: { page: Visit; by: Shopper }): Promise<string | undefined> {
  const { action, fields } = formOf(page, 'offer')
  const reply = await by.post(action, new URLSearchParams(fields))
  return Object(reply.body)['offered']
}

const same_origin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

/** The request of the frame's script. */
function take(offered: string | undefined, { of = merchant, origin = named, headers = {}, ...fields }: Take = {}) {
  const bytes = String(new URLSearchParams({ do: 'take', offered: offered ?? '', verifier, ...fields }))
  const path = `${place(of)}/card?${new URLSearchParams({ origin })}`
  return app().send('POST', path, { bytes, headers: { ...same_origin, ...headers } })
}
interface Take {
  readonly of?: MadeMerchant
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly verifier?: string
}

const cookieIn = ({ headers }: Pick<Reply, 'headers'>) =>
  headers['set-cookie']?.find((line) => line.startsWith('__Host-nuqta-card='))?.split(';', 1)[0] ?? ''

/** A frame's cookie, as its browser keeps it. */
async function framed(): Promise<string> {
  return cookieIn(await take(await offer(await proven())))
}

interface Look {
  readonly of?: MadeMerchant
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The card in a frame of a shop. */
function look(cookie: string, { of = merchant, origin = named, headers = { 'sec-fetch-dest': 'iframe' } }: Look = {}) {
  const query = new URLSearchParams({ origin, lang: 'en', amount: '8000' })
  return app().page(`${place(of)}/card?${query}`, { cookie, ...headers })
}
const shows = ({ text }: { text: string }) => text.includes('2,500')

describe('the card', () => {
  it('shows balance and saving to the frame that took a session, with a cookie that no other page is sent', async () => {
    const reply = await take(await offer(await proven()))
    expect(reply.status).toBe(200)
    const [line = ''] = reply.headers['set-cookie'] ?? []
    for (const part of ['HttpOnly', 'Secure', 'Partitioned', 'SameSite=None', 'Path=/', 'Max-Age=2592000'])
      expect(line.split('; ')).toContain(part)
    const page = await look(cookieIn(reply))
    expect(wordsOf({ text: page.text })).toContain('2,500 points worth SAR 12.50 Up to SAR 12.50 off this basket')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain(`frame-ancestors ${named}`)
    expect(policy).toContain("form-action 'none'")
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    expect(page.headers).not.toHaveProperty('set-cookie')
    expect(page.text).not.toMatch(/<form|<iframe|http-equiv/)
  })

  it('promises only what points can take off the basket', async () => {
    const cookie = await framed()
    const at = (amount: string) =>
      app().page(`${place()}/card?${new URLSearchParams({ origin: named, amount })}`, {
        cookie,
        'sec-fetch-dest': 'iframe',
      })
    expect((await at('500')).text).toContain('5.00</span></span> off this basket')
    for (const amount of ['', '0', '-5', '1e3', '99999999999999']) {
      const { status, text } = await at(amount)
      expect([status, text.includes('off this basket')], amount).toEqual([200, false])
    }
  })

  it('may be framed by named hosts alone, and shows nothing where it may not be', async () => {
    const cookie = await framed()
    for (const origin of [
      'https://evil.example',
      'http://shop.example.evil',
      'https://shop.example;',
      '*',
      "'self'",
      'null',
      '',
    ]) {
      const page = await look(cookie, { origin })
      expect(
        [page.headers['content-security-policy']?.includes("frame-ancestors 'none'"), shows(page)],
        origin,
      ).toEqual([true, false])
    }
    await setHosts(merchant, [])
    expect(shows(await look(cookie))).toBe(false)
    expect((await app().page(place(), { origin: named })).body).toMatchObject({ card: 'window' })
    await setHosts(merchant, hosts.return_hosts)
    expect(shows(await look(cookie))).toBe(true)
  })

  it('shows no balance to a request that is not for a frame: a shop can make its browser send the cookie', async () => {
    const cookie = await framed()
    const requests = [
      {},
      { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-dest': 'document' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-dest': 'embed' },
    ]
    for (const headers of requests) {
      const page = await look(cookie, { headers })
      expect(shows(page), JSON.stringify(headers)).toBe(false)
      expect(page.headers).not.toHaveProperty('access-control-allow-origin')
      expect(page.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })

  it('has a cookie that is worthless elsewhere: another merchant, another program, wallet and checkout', async () => {
    const cookie = await framed()
    expect(shows(await look(cookie, { of: sister }))).toBe(false)
    expect(shows(await look(cookie, { of: stranger }))).toBe(false)
    const token = cookie.split('=')[1]
    for (const name of ['__Host-nuqta-wallet', '__Host-nuqta-browser', '__Host-nuqta-remembered']) {
      const wallet = await app().page(`/wallet?program=${program_id}`, {
        cookie: `${name}=${program_id}-${token}; ${name}=${token}`,
      })
      expect([wallet.text.includes('do" value="phone'), shows(wallet)]).toEqual([true, false])
    }
    expect(shows(await app().page(`/wallet?program=${program_id}`, { cookie }))).toBe(false)
  })

  it.each([
    ['the key is switched off', 'update api_key set status = not status where merchant_id = $1'],
    ['points cannot be used any more', 'update merchant set checkout_on = not checkout_on where merchant_id = $1'],
    ['the merchant is not published any more', 'update merchant set published = not published where merchant_id = $1'],
    [
      'the key is regenerated',
      "update api_key set public_key = translate(public_key, '0123456789', '1234567890') where merchant_id = $1",
    ],
  ])('is gone when %s', async (_, sql) => {
    const one = await makeMerchant(database.db, { program_id, changes: hosts })
    const page = await proven(one)
    const offered = await offer(page)
    await database.owner.run({ text: sql, values: [one.merchant_id] })
    expect((await take(offered, { of: one })).status).toBe(404)
    expect((await look('', { of: one })).status).toBe(404)
    expect((await page.by.open(windowOf(one))).status).toBe(404)
  })
})

describe('a session that is offered', () => {
  it('opens once, for the frame that asked, at the merchant whose window offered it, and from our own origin', async () => {
    const offered = await offer(await proven())
    const refused = [
      { verifier: 'what a thief guesses' },
      { of: sister },
      { of: stranger },
      { origin: 'https://evil.example' },
      { origin: '' },
    ]
    for (const other of refused) expect((await take(offered, other)).status, JSON.stringify(other)).toBe(409)
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect((await take(offered, { headers: { 'sec-fetch-site': site } })).status, site).toBe(403)
    expect((await take(offered)).status).toBe(200)
    const again = await take(offered)
    expect([again.status, again.headers['set-cookie']]).toEqual([409, undefined])
  })

  it('is offered once after a code, with the form of the window, and never without one', async () => {
    const { page, by } = await proven()
    const form = formOf(page, 'offer')
    const post = (fields: Readonly<Record<string, string>>, action = form.action) =>
      by.post(action, new URLSearchParams(fields))
    expect((await post({ ...form.fields, csrf: 'x' })).status).toBe(403)
    expect((await post(form.fields, form.action.replace(ask, 'short'))).status).toBe(409)
    expect((await post(form.fields, form.action.replace('shop.example', 'evil.example'))).status).toBe(409)
    expect((await post(form.fields, form.action.replace(merchant.public_key, sister.public_key))).status).toBe(409)
    expect((await post(form.fields)).status).toBe(200)
    expect((await post(form.fields)).status).toBe(409)
    expect((await by.open(windowOf())).text).not.toContain('value="offer"')
    const nobody = browserOf()
    const asked = await nobody.submit(await nobody.open(windowOf()), 'phone', { phone: `0${phone}` })
    const body = new URLSearchParams({ ...formOf(asked, 'code').fields, do: 'offer' })
    expect((await nobody.post(form.action, body)).status).toBe(409)
  })

  it('is refused if the host is no longer named', async () => {
    const offered = await offer(await proven())
    await setHosts(merchant, ['other.example'])
    expect((await take(offered)).status).toBe(409)
    await setHosts(merchant, hosts.return_hosts)
    expect((await take(offered)).status).toBe(200)
  })

  it('expires after two minutes, and so does the right to offer it', async () => {
    let at = new Date()
    const cards = createCards(database.db, { now: () => at })
    const later = (ms: number) => (at = new Date(at.getTime() + ms))
    const { token: asked } = await cards.begin({ ...merchant, phone })
    const open = (await cards.prove(asked, merchant))?.token ?? ''
    expect(await cards.prove(asked, merchant)).toBe(null)
    const offered = await cards.offer(open, merchant, createHash('sha256').update(verifier).digest())
    later(120_000)
    expect(await cards.take(offered ?? '', verifier, merchant)).toBe(null)
    const next = (await cards.prove((await cards.begin({ ...merchant, phone })).token, merchant))?.token ?? ''
    later(120_000)
    expect((await cards.read(next, merchant))?.offers).toBe(false)
    expect(await cards.offer(next, merchant, Buffer.alloc(32))).toBe(null)
    later(30 * 86_400_000)
    expect(await cards.read(next, merchant)).toBe(null)
    expect(await purgeCards(database.db, at)).toBeGreaterThan(2)
  })
})

describe('the window', () => {
  it('may not be framed, changes its token with the code, and shows a planted token nothing', async () => {
    const thief = browserOf()
    const victim = browserOf()
    const form = await thief.open(windowOf())
    expect(form.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    await thief.submit(form, 'phone', { phone: `0${phone}` })
    const planted = thief.cookies.get('__Host-nuqta-card') ?? ''
    victim.cookies.set('__Host-nuqta-card', planted)
    const asked = await victim.open(windowOf())
    const seen = await victim.submit(asked, 'code', { code: codeIn(asked) })
    expect(wordsOf(seen)).toContain('2,500')
    expect(victim.cookies.get('__Host-nuqta-card')).not.toBe(planted)
    expect(shows(await thief.open(windowOf()))).toBe(false)
    expect(shows(await look(`__Host-nuqta-card=${planted}`))).toBe(false)
  })

  it('tells a shopper that there is no wallet, and offers the frame nothing', async () => {
    phone = freshPhone()
    const { page, by } = await proven()
    expect(wordsOf(page)).toContain('No points wallet yet')
    expect(page.text).not.toContain('value="offer"')
    expect(wordsOf(await by.submit(page, 'hide'))).toContain('no longer shown here')
  })

  it('names its shop in its title', async () => {
    expect(titleOf(await browserOf().open(windowOf()))).toBe(`See your points · ${merchant.name}`)
  })

  it('works for a merchant without named hosts, whose shop links to it', async () => {
    const bare = await makeMerchant(database.db, { program_id })
    const { page } = await proven(bare)
    expect(wordsOf(page)).toContain('2,500')
    expect(page.text).not.toContain('value="offer"')
  })

  it('counts its codes under the limits of all codes', async () => {
    const by = browserOf()
    let page = await by.open(windowOf())
    for (let codes = 0; codes < 4; codes += 1) {
      by.cookies.delete('__Host-nuqta-card')
      page = await by.submit(await by.open(windowOf()), 'phone', { phone: `0${phone}` })
    }
    expect(wordsOf(page)).toContain('No new code can be sent yet')
    // The wallet is refused likewise, and a number that is no number stores nothing.
    const wallet = await by.submit(await by.open(`/wallet?program=${program_id}`), 'phone', { phone: `0${phone}` })
    expect(wordsOf(wallet)).toContain('No new code can be sent yet')
    const before = await stored()
    expect((await by.submit(await by.open(windowOf()), 'phone', { phone: '12' })).status).toBe(422)
    expect(await stored()).toBe(before)
  })
})

describe('sessions of the card', () => {
  it('end with the sign-out of the wallet, with all remembered browsers, and by the card itself', async () => {
    const hidden = await framed()
    const path = `${place()}/card?${new URLSearchParams({ origin: named })}`
    const asked = { bytes: 'do=hide', headers: { ...same_origin, cookie: hidden } }
    expect(
      (await app().send('POST', path, { ...asked, headers: { ...asked.headers, 'sec-fetch-site': 'cross-site' } }))
        .status,
    ).toBe(403)
    expect(shows(await look(hidden))).toBe(true)
    const reply = await app().send('POST', path, asked)
    expect(String(reply.headers['set-cookie'])).toMatch(/__Host-nuqta-card=; Max-Age=0;.*Partitioned/)
    expect(shows(await look(hidden))).toBe(false)

    const kept = await framed()
    const by = browserOf()
    const code = await by.submit(await by.open(`/wallet?program=${program_id}`), 'phone', { phone: `0${phone}` })
    // An earning created the customer, who now agrees to the terms.
    const welcome = await by.submit(code, 'code', { code: codeIn(code) })
    const home = await by.submit(welcome, 'join', { name: 'Sara', terms: '2026-11' })
    expect(shows(await look(kept))).toBe(true)
    const { action, fields } = formOf(home, 'sign-out')
    await by.post(action, new URLSearchParams({ ...fields, do: 'forget-all' }))
    expect(shows(await look(kept))).toBe(false)
    await resetLimits(database)
    const again = await framed()
    expect(shows(await look(again))).toBe(true)
    await by.submit(home, 'sign-out')
    expect(shows(await look(again))).toBe(false)
  })

  it('are at most twenty for a customer: one more ends the oldest, and other customers keep theirs', async () => {
    const cards = createCards(database.db)
    const open = async (of: Phone) =>
      (await cards.prove((await cards.begin({ ...merchant, phone: of })).token, merchant))?.token ?? ''
    const others = await open(freshPhone())
    const tokens = []
    for (let count = 0; count < 21; count += 1) tokens.push(await open(phone))
    const alive = await Promise.all(tokens.map(async (token) => (await cards.read(token, merchant)) !== null))
    expect(alive).toEqual([false, ...Array(20).fill(true)])
    expect(await cards.read(others, merchant)).not.toBe(null)
    expect(await cards.endAll({ program_id, phone })).toBe(20)
  })

  it('end with the customer who proved the phone: the phone’s next customer is another person', async () => {
    const cookie = await framed()
    expect(shows(await look(cookie))).toBe(true)
    await database.owner.run({
      text: 'update card_session set customer_id = card_uuid where phone = $1',
      values: [phone],
    })
    expect(shows(await look(cookie))).toBe(false)
  })

  it('are stored as hashes', async () => {
    const cookie = await framed()
    const rows = await database.owner.run<{ text: string }>({
      text: 'select card_session::text as text from card_session',
      values: [],
    })
    expect(rows.some(({ text }) => text.includes(cookie.split('=')[1] ?? '-'))).toBe(false)
  })
})

async function setHosts({ merchant_id }: MadeMerchant, return_hosts: readonly string[]): Promise<void> {
  await database.owner.run({
    text: 'update merchant set return_hosts = $2 where merchant_id = $1',
    values: [merchant_id, [...return_hosts]],
  })
}

async function stored(): Promise<number> {
  const [row] = await database.owner.run<{ count: number }>({
    text: 'select count(*)::int as count from card_session',
    values: [],
  })
  return row?.count ?? 0
}
