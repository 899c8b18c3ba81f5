import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { type App, defaults, startApp } from '../support/api.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, TestClock } from '../support/earnings.ts'
import { codeIn, Shopper, titleOf, type Visit, wordsOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { agreed, makeWalletProgram, signIn } from '../support/wallets.ts'

// What went wrong: five requests for somebody's number, from anywhere, kept its owner from signing in for an hour, and so did
// fifteen wrong codes. Now a part of both is kept for browsers in which the number was proven before.

const database = testDatabase()
const stage = walletStage(database)
let another: App<TestClock>
let elsewhere = ''

beforeAll(async () => {
  another = await startApp(database, {}, new TestClock('2026-10-03T14:05:00.000Z'))
  elsewhere = `/wallet?program=${(await makeWalletProgram(database, 'Another', [])).program_id}`
})
afterAll(() => another.stop())

/** A browser of its own, at the other process of the service. */
const stranger = () => new Shopper(another.send, defaults.public_url, { 'accept-language': 'en' })
const isCode = (page: Visit) => page.text.includes('name="code"')
const ask = async (me: Shopper, phone: Phone, path = '/wallet') => me.submit(await me.open(path), 'phone', { phone })

/** A browser in which somebody signed in and out, too long ago for the limits to count it. */
async function customerAtHome(): Promise<{ me: Shopper; phone: Phone }> {
  const phone = freshPhone()
  await stage.customer(phone).buy(stage.cafe, 10_000)
  await agreed(database, stage.program_id, phone)
  const me = stage.visitor()
  await me.submit(await signIn(me, phone), 'sign-out')
  await resetLimits(database)
  return { me, phone }
}

describe('a customer in a browser where the number was proven before', () => {
  it('gets a code after five unknown browsers have asked for one, and signs in', async () => {
    const { me, phone } = await customerAtHome()
    const pages = []
    for (const path of ['/wallet', elsewhere, '/wallet', elsewhere, '/wallet'])
      pages.push(await ask(stranger(), phone, path))
    expect(pages.map(isCode)).toEqual([true, true, true, false, false])
    const page = await ask(me, phone)
    expect(titleOf(await me.submit(page, 'code', { code: codeIn(page) }))).toBe('Points wallet')
    // And once more, elsewhere; then the number has had its five.
    expect(isCode(await ask(me, phone, elsewhere))).toBe(true)
    expect(isCode(await ask(stranger(), phone))).toBe(false)
  })

  it('has the code accepted after unknown browsers have tried fifteen wrong ones', async () => {
    const { me, phone } = await customerAtHome()
    const texts = []
    for (let session = 0; session < 3; session += 1) {
      const other = stranger()
      const page = await ask(other, phone, session % 2 === 0 ? '/wallet' : elsewhere)
      const code = codeIn(page) === '111111' ? '222222' : '111111'
      for (let count = 0; count < 5; count += 1) texts.push(wordsOf(await other.submit(page, 'code', { code })))
    }
    expect(texts.filter((text) => text.includes('Too many wrong codes'))).toHaveLength(5)
    const page = await ask(me, phone)
    expect(titleOf(await me.submit(page, 'code', { code: codeIn(page) }))).toBe('Points wallet')
  })

  it('is nobody there: the browser opens and shows nothing without a code', async () => {
    const { me, phone } = await customerAtHome()
    expect([...me.cookies.keys()].sort()).toEqual(['__Host-nuqta-browser', '__Host-nuqta-known'])
    const page = await me.open('/wallet')
    expect(page.text).toContain('name="phone"')
    expect(page.text).not.toMatch(new RegExp(`1,000|${phone}`))
  })

  it('is known for that number alone', async () => {
    const [{ me }, { phone }] = [await customerAtHome(), await customerAtHome()]
    for (let count = 0; count < 3; count += 1) expect(isCode(await ask(stranger(), phone))).toBe(true)
    expect(isCode(await ask(me, phone))).toBe(false)
  })
})
