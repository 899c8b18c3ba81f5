import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { day_s } from '../../src/domain/spans.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith, eventNamesOf } from '../support/orders.ts'
import { codeIn, formOf, numbersOf, type Shopper, titleOf, wordsOf } from '../support/shopper.ts'

// A remembered browser shows points and spends them without a code, within a limit (docs/spec/customers.md#remembered-browser).
// Its cookie is a key to a customer's points: most of these tests are attacks.

const database = testDatabase({ leaves: ['open holds'] })
const stage = checkoutStage(database)
const cookie = '__Host-nuqta-remembered'

const codeAsked = 'Confirm your mobile number · Shop'
const chooses = 'Use your points · Shop'
const reserved = 'Your points are reserved · Shop'

/** A customer whose browser is remembered after an order in which no points were used. */
async function remembered(points = 800) {
  const phone = freshPhone()
  await customerWith(database.db, stage.shop.merchant, { points, phone })
  const me = stage.shopper()
  await askToBeRemembered(me, phone)
  return { me, phone }
}

async function askToBeRemembered(me: Shopper, phone: Phone): Promise<void> {
  await resetLimits(database)
  const page = await stage.prove(me, (await stage.open({ phone_number: phone })).path, phone)
  await me.submit(page, 'confirm', { use: 'none', remember: 'yes' })
}

/** The page of a new order of the number that the store sends. */
async function visit(me: Shopper, phone: Phone | null, asked = {}) {
  const link = await stage.open({ ...(phone === null ? {} : { phone_number: phone }), ...asked })
  return { ...link, page: await me.open(link.path) }
}

async function rows(phone: Phone) {
  const text = `select remembered_uuid, used_at, expires_at, device, octet_length(token_hash) as bytes, remembered_browser::text as all
    from remembered_browser where phone = $1 order by used_at`
  return database.owner.run<{ remembered_uuid: string; bytes: number; all: string; expires_at: Date }>({
    text,
    values: [phone],
  })
}

describe('a remembered browser', () => {
  it('needs one screen and no code, says why, and is renewed by each use', async () => {
    const { me, phone } = await remembered()
    const [first] = await rows(phone)
    stage.app.clock.advance(day_s)
    const { page } = await visit(me, phone)
    expect(titleOf(page)).toBe(chooses)
    expect(wordsOf(page)).toContain('800 points')
    expect(numbersOf(page)).toContain('800')
    expect(wordsOf(page)).toContain(`This browser is remembered for 05•• ••• ${phone.slice(-3)}`)
    expect(page.text).not.toContain('name="remember"')
    const done = await me.submit(page, 'confirm', { use: 'part', amount: '300' })
    expect(titleOf(done)).toBe(reserved)
    expect(await stage.balanceOf(phone)).toEqual([800, 300])
    const [row] = await rows(phone)
    expect((row?.expires_at.getTime() ?? 0) - (first?.expires_at.getTime() ?? 0)).toBe(day_s * 1000)
  })

  it('keeps a token of which the database has a hash, in a cookie that no script and no other host can read or set', async () => {
    const { me, phone } = await remembered()
    const token = me.cookies.get(cookie) ?? ''
    expect(token).toMatch(/^\d+-[0-9a-z]{26}$/)
    const [row] = await rows(phone)
    expect(row?.bytes).toBe(32)
    expect(row?.all).not.toContain(token.split('-')[1])
    const page = (await visit(me, phone)).page
    const { action, fields } = formOf(page, 'confirm')
    const reply = await stage.app.call('POST', action, {
      headers: {
        cookie: [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      bytes: String(new URLSearchParams({ ...fields, use: 'none' })),
    })
    const set = (reply.headers['set-cookie'] ?? []).find((line) => line.startsWith(cookie))
    expect(set).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  it('is not made without being asked for, nor by a form that is sent after the order is confirmed', async () => {
    const phone = freshPhone()
    await customerWith(database.db, stage.shop.merchant, { points: 800, phone })
    const me = stage.shopper()
    const page = await stage.prove(me, (await stage.open()).path, phone)
    await me.submit(page, 'confirm', { use: 'none' })
    // Somebody who finds the page open on a shared computer.
    await me.submit(page, 'confirm', { use: 'none', remember: 'yes' })
    expect([await rows(phone), me.cookies.get(cookie)]).toEqual([[], undefined])
  })

  it('approves an order of 0.00, which asks for no choice', async () => {
    const { me, phone } = await remembered()
    const { page, order_uuid } = await visit(me, phone, { total_price: 0 })
    expect(page.text).not.toContain('type="radio"')
    expect(titleOf(await me.submit(page, 'confirm'))).toBe('Paid. Thank you! · Shop')
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
  })

  it('serves its own number if the store sends none', async () => {
    const { me, phone } = await remembered()
    expect(wordsOf((await visit(me, null)).page)).toContain(`remembered for 05•• ••• ${phone.slice(-3)}`)
  })

  it('serves a family, each by their own number', async () => {
    const { me, phone } = await remembered(700)
    const other = freshPhone()
    await customerWith(database.db, stage.shop.merchant, { points: 600, phone: other })
    await askToBeRemembered(me, other)
    expect(wordsOf((await visit(me, phone)).page)).toContain('Your balance 700 points')
    expect(wordsOf((await visit(me, other)).page)).toContain('Your balance 600 points')
  })

  it('is one of at most five of a customer: a sixth ends the least recently used one', async () => {
    const { me, phone } = await remembered()
    for (let browsers = 0; browsers < 5; browsers += 1) {
      stage.app.clock.advance(60)
      await askToBeRemembered(stage.shopper(), phone)
    }
    expect(await rows(phone)).toHaveLength(5)
    expect(titleOf((await visit(me, phone)).page)).toBe(codeAsked)
  })
})

describe('the limit', () => {
  it('counts 24 hours: a choice beyond it takes a code', async () => {
    const { me, phone } = await remembered()
    const first = await visit(me, phone, { total_price: 30 })
    await me.submit(first.page, 'confirm', { use: 'part', amount: '500' })
    // 300 are left and 500 may be spent; with the points that the order earns, 575 are left.
    expect(titleOf((await visit(me, phone)).page)).toBe(chooses)
    await stage.app.act(first.order_uuid, 'complete', { key: stage.shop.private_key })
    expect(await stage.balanceOf(phone)).toEqual([575, 0])
    expect(titleOf((await visit(me, phone)).page)).toBe(codeAsked)
    stage.app.clock.advance(day_s)
    expect(titleOf((await visit(me, phone)).page)).toBe(chooses)
  })

  it('also bounds the balance: above it, the page shows nothing', async () => {
    const { me, phone } = await remembered(1_001)
    const { page } = await visit(me, phone)
    expect(titleOf(page)).toBe(codeAsked)
    for (const hidden of ['1,001', '1001']) expect(numbersOf(page)).not.toContain(hidden)
    // Points that another order holds count too.
    const holding = await remembered(800)
    await holding.me.submit((await visit(holding.me, holding.phone)).page, 'confirm', { use: 'part', amount: '300' })
    await customerWith(database.db, stage.shop.merchant, { points: 201, phone: holding.phone })
    stage.app.clock.advance(day_s)
    expect(await stage.balanceOf(holding.phone)).toEqual([1_001, 300])
    expect(titleOf((await visit(holding.me, holding.phone)).page)).toBe(codeAsked)
    // The page also hides a choice that was confirmed with a smaller balance.
    const poorer = await remembered(900)
    const order = await visit(poorer.me, poorer.phone)
    await poorer.me.submit(order.page, 'confirm', { use: 'part', amount: '100' })
    await customerWith(database.db, stage.shop.merchant, { points: 5_000, phone: poorer.phone })
    await stage.app.act(order.order_uuid, 'complete', { key: stage.shop.private_key })
    const receipt = await poorer.me.open(order.path)
    expect(wordsOf(receipt)).toContain('Points used 100 points')
    expect(wordsOf(receipt)).not.toContain('Your balance now')
  })

  it('cannot be passed by many tabs at once, nor by taking back and choosing more', async () => {
    const { me, phone } = await remembered(1_000)
    const tabs = await Promise.all(Array.from({ length: 6 }, () => visit(me, phone)))
    const done = await Promise.all(tabs.map(({ page }) => me.submit(page, 'confirm', { use: 'part', amount: '400' })))
    expect(done.map(titleOf).filter((title) => title === reserved)).toHaveLength(2)
    expect(await stage.balanceOf(phone)).toEqual([1_000, 800])
    // More points come, but only 200 may still be spent.
    await customerWith(database.db, stage.shop.merchant, { points: 700, phone })
    const index = done.findIndex((page) => titleOf(page) === reserved)
    const again = await me.submit(done[index] as (typeof done)[number], 'change')
    expect(titleOf(again)).toBe(codeAsked)
    const forged = formOf(tabs[index]?.page as never, 'confirm')
    await me.post(forged.action, new URLSearchParams({ ...forged.fields, use: 'part', amount: '1000' }))
    expect(await stage.balanceOf(phone)).toEqual([1_700, 400])
  })

  it('is the program’s: raising it allows more, and 0 ends all remembered browsers', async () => {
    const set = (limit: number) =>
      database.owner.run({
        text: 'update program set remembered_limit = $2 where program_id = $1',
        values: [stage.shop.merchant.program_id, limit],
      })
    const { me, phone } = await remembered(1_500)
    const first = await visit(me, phone)
    expect(titleOf(first.page)).toBe(codeAsked)
    try {
      await set(2_000)
      expect(titleOf(await me.submit(await me.open(first.path), 'confirm', { use: 'all' }))).toBe(reserved)
      const second = await visit(me, phone)
      expect(titleOf(second.page)).not.toBe(codeAsked)
      await set(0)
      expect(titleOf(await me.open(second.path))).toBe(codeAsked)
      const proven = await stage.prove(me, second.path, phone)
      expect(proven.text).not.toContain('name="remember"')
    } finally {
      await set(1_000)
    }
  })

  it('is not used up by a choice that was taken back', async () => {
    const { me, phone } = await remembered(1_000)
    const { page } = await visit(me, phone)
    for (let times = 0; times < 3; times += 1) {
      const done = await me.submit(page, 'confirm', { use: 'part', amount: '900' })
      expect(titleOf(done)).toBe(reserved)
      expect(titleOf(await me.submit(done, 'change'))).toBe(chooses)
    }
    expect(await stage.balanceOf(phone)).toEqual([1_000, 0])
  })
})

describe('a stranger', () => {
  it('with a guessed, cut, foreign or planted cookie is asked for a code', async () => {
    const { me, phone } = await remembered()
    const token = me.cookies.get(cookie) ?? ''
    const [program = '', secret = ''] = token.split('-')
    const planted = [
      `${program}-${'0'.repeat(26)}`,
      `${program}-${secret.slice(1)}`,
      `${Number(program) + 1}-${secret}`,
      `${program}-${secret.toUpperCase()}`,
      `x.${'y.'.repeat(9)}${token}`,
      secret,
      "'; select 1; --",
    ]
    for (const value of planted) {
      const thief = stage.shopper()
      thief.cookies.set(cookie, value)
      const { page } = await visit(thief, phone)
      expect([value, titleOf(page)]).toEqual([value, codeAsked])
      expect(numbersOf(page)).not.toContain('800')
    }
  })

  it('with a stolen cookie spends no more than the limit, and nothing after the customer ends it', async () => {
    const { me, phone } = await remembered(900)
    const thief = stage.shopper()
    thief.cookies.set(cookie, me.cookies.get(cookie) ?? '')
    const first = await visit(thief, phone)
    const held = await thief.submit(first.page, 'confirm', { use: 'part', amount: '400' })
    expect(titleOf(held)).toBe(reserved)
    const second = await visit(thief, phone)
    expect(titleOf(second.page)).toBe(chooses)
    await stage.app.services.rememberedBrowsers.endAll({ program_id: stage.shop.merchant.program_id, phone })
    await thief.submit(second.page, 'confirm', { use: 'all' })
    expect(await stage.balanceOf(phone)).toEqual([900, 400])
    // The thief can no longer see or change the hold.
    const after = await thief.open(first.path)
    expect(titleOf(after)).toBe(codeAsked)
    expect(titleOf(await thief.submit(held, 'change'))).toBe(codeAsked)
    expect(await stage.balanceOf(phone)).toEqual([900, 400])
  })

  it('with another number sees nothing of the customer of this browser', async () => {
    const { me } = await remembered(800)
    const rich = freshPhone()
    await customerWith(database.db, stage.shop.merchant, { points: 650, phone: rich })
    const { page, path } = await visit(me, rich)
    expect(titleOf(page)).toBe(codeAsked)
    for (const hidden of ['800', '650']) expect(numbersOf(page)).not.toContain(hidden)
    const shown = '650.10000.5000'
    const csrf = formOf(page, 'given').fields['csrf'] ?? ''
    await me.post(path, new URLSearchParams({ csrf, do: 'confirm', use: 'all', shown }))
    expect(await stage.balanceOf(rich)).toEqual([650, 0])
  })

  it('cannot have it confirmed from another site', async () => {
    const { me, phone } = await remembered()
    const { page } = await visit(me, phone)
    const { action, fields } = formOf(page, 'confirm')
    const cookies = [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const [change, headers] of [
      [{ csrf: '' }, {}],
      [{ csrf: 'x'.repeat(43) }, {}],
      [{}, { 'sec-fetch-site': 'cross-site' }],
      [{}, { origin: 'https://evil.example' }],
    ] as const) {
      const reply = await stage.app.call('POST', action, {
        headers: { cookie: cookies, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        bytes: String(new URLSearchParams({ ...fields, ...change, use: 'all' })),
      })
      expect(reply.status).toBe(403)
    }
    expect(await stage.balanceOf(phone)).toEqual([800, 0])
    const { headers } = await me.open(action)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
  })
})

describe('it ends', () => {
  it.each([
    ['after 30 days without use', async (_: Phone) => stage.app.clock.advance(30 * day_s)],
    [
      'with the number, when the customer gets another',
      async (phone: Phone) =>
        database.owner.run({ text: 'update customer set phone = $2 where phone = $1', values: [phone, freshPhone()] }),
    ],
    [
      'when the number becomes another customer’s',
      async (phone: Phone) =>
        database.owner.run({
          text: 'update remembered_browser set customer_id = $2 where phone = $1',
          values: [phone, newUuid()],
        }),
    ],
    [
      'when the number was not proven by a code for 90 days, however often it was used',
      async (phone: Phone) =>
        database.owner.run({
          text: 'update remembered_browser set proven_at = $2 where phone = $1',
          values: [phone, new Date(stage.app.clock.now().getTime() - 90 * day_s * 1000)],
        }),
    ],
  ])('%s', async (_, end) => {
    const { me, phone } = await remembered()
    expect(titleOf((await visit(me, phone)).page)).toBe(chooses)
    await end(phone)
    const { page } = await visit(me, phone)
    expect(titleOf(page)).toBe(codeAsked)
    expect(numbersOf(page)).not.toContain('800')
  })

  it('on the page, for the person at the browser', async () => {
    const { me, phone } = await remembered()
    const { page } = await visit(me, phone)
    const forgotten = await me.submit(page, 'forget')
    expect(titleOf(forgotten)).toBe(codeAsked)
    expect([await rows(phone), me.cookies.get(cookie)]).toEqual([[], undefined])
  })

  it('in the wallet, one by one and all together', async () => {
    const { me, phone } = await remembered()
    const [mine] = await rows(phone)
    const others = [stage.shopper(), stage.shopper()]
    for (const other of others) await askToBeRemembered(other, phone)
    const owner = stage.shopper()
    await resetLimits(database)
    const home = `/wallet?program=${stage.shop.merchant.program_id}`
    const sent = await owner.submit(await owner.open(home), 'phone', { phone })
    const wallet = await owner.submit(sent, 'code', { code: codeIn(sent) })
    expect(wordsOf(wallet)).toContain('Remembered browsers')
    // Somebody else’s cannot be ended.
    const stranger = await remembered()
    const [foreign] = await rows(stranger.phone)
    await owner.submit(wallet, 'forget', { browser: foreign?.remembered_uuid ?? '' })
    expect(await rows(stranger.phone)).toHaveLength(1)
    await owner.submit(wallet, 'forget', { browser: mine?.remembered_uuid ?? '' })
    expect(await rows(phone)).toHaveLength(2)
    expect(titleOf((await visit(me, phone)).page)).toBe(codeAsked)
    const left = await owner.submit(wallet, 'forget-all')
    expect(wordsOf(left)).not.toContain('Remembered browsers')
    expect(await rows(phone)).toEqual([])
  })
})
