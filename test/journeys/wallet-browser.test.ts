import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import type { Phone } from '../../src/domain/phone.ts'
import {
  expectAccessible,
  expectToFit,
  hasScripts,
  resize,
  screenshot,
  testBrowser,
  type VisitOptions,
} from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, freshPhone, inProgram } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { liveWithPoints } from '../support/wallets.ts'

// The wallet in a real Chromium: on a phone and on a desk, in both languages, with scripts and without.

const database = testDatabase({ leaves: ['open holds', 'due messages'] })
const stage = walletStage(database)
const browser = testBrowser()
const rich = '551234567' as Phone

beforeAll(async () => {
  const { app, clock, cafe, books } = stage
  const stores = [cafe, books]
  await liveWithPoints(app.services, { phone: rich, name: 'نورة القحطاني', clock, stores })
  for (let count = 1; count <= 45; count += 1) await stage.customer(many).buy(cafe, 1_250 * count, `A-${count}`)
})
const many = freshPhone()

const origin = () => `https://localhost:${stage.app.port}`
const titleOf = (page: Page) => page.textContent('h1')
const codeOf = async (page: Page) => (await page.textContent('[data-code]')) ?? ''

function open(options: Omit<VisitOptions, 'origin'>): Promise<Page> {
  return browser.open({ origin: origin(), ...options })
}

/** Sends the form that has this field, or does this. */
async function send(page: Page, what: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  if (what === 'code' && hasScripts(page)) return sendCode(page, fields['code'] ?? '')
  for (const [name, value] of Object.entries(fields)) await page.fill(`#field-${name}`, value)
  await page.click(`form:has(input[name="do"][value="${what}"]) button`)
}

/** A code sends itself at its sixth digit. */
async function sendCode(page: Page, code: string): Promise<void> {
  await page.waitForLoadState()
  const left = page.waitForEvent('framenavigated')
  await page.fill('#field-code', code)
  await left
  await page.waitForLoadState()
}

/** Opens the wallet in a browser in which the phone has been proven already. */
async function enter(page: Page, phone: Phone, path = '/wallet'): Promise<void> {
  const me = await stage.signedIn(phone)
  const cookies = [...me.cookies].map(([name, value]) => ({ name, value, url: origin() }))
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, secure: true, httpOnly: true })))
  await page.goto(`${origin()}${path}`)
}

async function waiting(): Promise<Phone> {
  const phone = freshPhone()
  const merchant = inProgram(stage.cafe, { activation: 'required' })
  await stage.app.services.earn(earningOf(merchant, { phone, total: 12_000 }))
  return phone
}

/** Checks the current page: saves a screenshot, and expects no finding of axe and no sideways scrolling. */
function looking(page: Page, suffix: string, looks: boolean) {
  return async (name: string): Promise<void> => {
    await expectToFit(page)
    if (!looks) return
    await screenshot(page, `wallet-${name}-${suffix}`)
    await expectAccessible(page)
  }
}

const words = {
  en: { joined: 'Your wallet is open', missing: 'Enter your name.', left: 'You are signed out.', hello: 'Hello Sara' },
  ar: { joined: 'محفظتك مفتوحة الآن', missing: 'أدخل اسمك.', left: 'تم تسجيل خروجك.', hello: 'أهلًا Sara' },
} as const satisfies Record<Locale, object>

describe('from the number to the wallet and out again', () => {
  it.each([
    ['phone', 'ar', true, true],
    ['desktop', 'en', true, true],
    ['phone', 'en', false, false],
    ['desktop', 'ar', false, false],
  ] as const)('on a %s in %s, scripts: %s', async (device, locale, scripts, looks) => {
    const page = await open({ device, locale, scripts })
    const look = looking(page, `${device}-${locale}`, looks)
    const phone = await waiting()
    await page.goto(`${origin()}/wallet`)
    await look('1-number')
    await send(page, 'phone', { phone: '05512' })
    expect(await page.inputValue('#field-phone')).toBe('05512')
    await look('2-number-wrong')
    await send(page, 'phone', { phone: `0${phone}` })
    const code = await codeOf(page)
    // A script disables the button; a click waits for the new page, not for its scripts.
    await page.waitForLoadState()
    expect(await page.isDisabled('form:has(input[value="resend"]) button')).toBe(scripts)
    await look('3-code')
    await send(page, 'code', { code: code === '111111' ? '222222' : '111111' })
    await look('4-code-wrong')
    await send(page, 'code', { code })
    await look('5-join')
    await page.click('main form button')
    await expect.poll(() => page.textContent('main')).toContain(words[locale].missing)
    await look('6-join-wrong')
    await page.check('#field-terms')
    await send(page, 'join', { name: 'Sara' })
    expect(await titleOf(page)).toContain(words[locale].hello)
    expect(await page.textContent('main')).toContain(words[locale].joined)
    expect(await page.textContent('.hero')).toContain('1,200')
    await look('7-joined')
    await send(page, 'sign-out')
    expect(await page.textContent('main')).toContain(words[locale].left)
    await look('8-signed-out')
  })
})

describe('a wallet with a history', () => {
  it.each([
    ['phone', 'ar', false],
    ['desktop', 'en', false],
    ['phone', 'en', true],
  ] as const)('reads well on a %s in %s, dark: %s', async (device, locale, dark) => {
    const page = await open({ device, locale, dark })
    const look = looking(page, `${device}-${locale}${dark ? '-dark' : ''}`, true)
    await enter(page, rich)
    expect(await page.textContent('.hero')).toContain('1,319')
    expect(await page.locator('.list li').count()).toBe(14)
    await look('home')
    await page.goto(`${origin()}/wallet/statement?from=2026-10-01&to=2026-10-31`)
    await look('statement')
    if (dark) return
    await page.goto(`${origin()}/wallet/data`)
    await look('data')
    await page.goto(`${origin()}/terms`)
    await look('terms')
  })

  it('leads to older movements and back, and to other days', async () => {
    const page = await open({ locale: 'ar' })
    const look = looking(page, 'phone-ar', true)
    await enter(page, many)
    // Not below twenty rows.
    const tops = `['form:has([value="sign-out"])', '.list'].map((one) => document.querySelector(one).getBoundingClientRect().top)`
    const [signOut = 0, rows = 0] = await page.evaluate<number[]>(tops)
    expect(signOut).toBeLessThan(rows)
    await page.click('text=حركات أقدم')
    await expect.poll(() => titleOf(page)).toBe('حركة النقاط')
    await look('older')
    await page.click('text=حركات أقدم')
    await page.locator('text=حركات أقدم').waitFor({ state: 'detached' })
    await page.click('text=أحدث الحركات')
    await page.click('text=كشف النقاط')
    await page.click('text=هذه السنة')
    await expect.poll(() => page.textContent('[aria-current="true"]')).toBe('هذه السنة')
    await page.click('summary')
    await page.fill('#field-from', '2026-11-05')
    await page.fill('#field-to', '2026-11-04')
    await page.click('form.period button')
    await expect.poll(() => page.textContent('[role="alert"]')).toContain('هذان التاريخان لا يشكّلان فترة')
    await look('statement-wrong')
  })

  it('has pages for an expired sign-in, an empty wallet, a negative balance, and a wrong link', async () => {
    const { services } = stage.app
    const spender = stage.customer(freshPhone(), 'هدى')
    const order = await spender.buy(stage.cafe, 10_000)
    await spender.reserve(stage.books, { total: 500, points: 1_000 })
    await services.refundOrder(stage.cafe, order, { amount_halalas: null, reason: null })
    const page = await open({ locale: 'ar' })
    const look = looking(page, 'phone-ar', true)
    await enter(page, spender.phone)
    await look('below-zero')
    await services.walletSessions.endAll({ program_id: stage.program_id, phone: spender.phone })
    await page.reload()
    await expect.poll(() => page.textContent('main')).toContain('انتهت جلستك السابقة')
    await look('ended')
    await enter(page, '500000002' as Phone)
    expect(await page.textContent('main')).toContain('لا توجد حركات بعد')
    await look('empty')
    await page.goto(`${origin()}/wallet?program=999`)
    await look('unknown')
  })
})

describe('every customer', () => {
  it('can use the keyboard alone: it reaches every control in order, with a visible focus', async () => {
    const page = await open({ device: 'desktop' })
    await page.goto(`${origin()}/wallet`)
    await page.keyboard.press('Tab')
    expect(await page.textContent(':focus')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(`0${rich}`)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#field-code:focus')
    await page.keyboard.type(await codeOf(page))
    await page.keyboard.press('Enter')
    await page.waitForSelector('.hero')
    await page.waitForLoadState()
    const seen: string[] = []
    while (seen.at(-1) !== 'Sign out' && seen.length < 30) {
      await page.keyboard.press('Tab')
      seen.push((await page.textContent(':focus'))?.trim() ?? '')
      const [outline, top, bottom] = await page.evaluate<[number, number, number]>(
        `(({ top, bottom }, style) => [parseFloat(style.outlineWidth), top, innerHeight - bottom])(document.activeElement.getBoundingClientRect(), getComputedStyle(document.activeElement))`,
      )
      expect([outline > 1, top >= 0, bottom >= 0], seen.at(-1)).toEqual([true, true, true])
    }
    expect(seen).toEqual(['Skip to the content', 'العربية', 'Wallet', 'Statement', 'My data', 'Sign out'])
    await page.keyboard.press('Enter')
    await page.waitForSelector('#field-phone')
  })

  it('may have a narrow screen, and text of twice the size', async () => {
    const page = await open({ locale: 'ar', width: 320 })
    for (const [path, name] of [
      ['/wallet', 'home'],
      ['/wallet/statement?from=2026-10-16&to=2026-11-30', 'statement'],
    ] as const) {
      await enter(page, rich, path)
      await looking(page, 'narrow-ar', true)(name)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await expectToFit(page)
      await screenshot(page, `wallet-${name}-narrow-ar-200`)
    }
  })

  it('may use two tabs: one code serves both, and signing out in one is signing out', async () => {
    const page = await open({})
    await page.goto(`${origin()}/wallet`)
    await send(page, 'phone', { phone: `0${rich}` })
    const tab = await page.context().newPage()
    await tab.goto(`${origin()}/wallet`)
    const code = await codeOf(tab)
    await send(page, 'code', { code })
    await send(tab, 'code', { code })
    for (const each of [page, tab]) expect(await each.textContent('.hero')).toContain('1,319')
    await send(page, 'sign-out')
    await tab.click('text=Statement')
    await expect.poll(() => titleOf(tab)).toBe('Sign in to your points wallet')
    await tab.goBack()
    expect(await tab.locator('.hero').count()).toBe(0)
  })

  it('can switch the language on any page', async () => {
    const page = await open({ locale: 'ar' })
    await enter(page, rich, '/wallet/statement?from=2026-10-01&to=2026-10-31')
    await page.click('text=English')
    await expect.poll(() => titleOf(page)).toBe('Statement of points')
    expect(await page.inputValue('#field-to')).toBe('2026-10-31')
    await page.click('text=Wallet')
    await expect.poll(() => titleOf(page)).toContain('Hello')
  })
})

describe('a statement on paper', () => {
  it.each(['ar', 'en'] as const)('fits A4, without what can only be pressed: %s', async (locale) => {
    const page = await open({ device: 'desktop', locale })
    await enter(page, rich, '/wallet/statement?from=2026-10-01&to=2026-11-30')
    await page.getByRole('button', { name: 'PDF' }).waitFor()
    expect(await sheetsOf(page)).toEqual({ sheets: 1, size: 'A4' })
    const boxes = (await page.locator('td.numeric:last-child .figure').all()).map((one) => one.boundingBox())
    const ends = (await Promise.all(boxes)).map((box) => box && Math.round(box.x + box.width))
    expect(new Set(ends).size).toBe(1)
    await page.emulateMedia({ media: 'print' })
    await resize(page, { width: 680, height: 971 }) // what the margins leave of A4
    await expectToFit(page)
    await screenshot(page, `wallet-statement-paper-${locale}`)
    for (const hidden of ['[data-print]', '.banner', '.language', '.pages', '.statement-period', 'footer'])
      expect(await page.isVisible(hidden), hidden).toBe(false)
    for (const shown of ['h1', 'table', '.sheet-head']) expect(await page.isVisible(shown), shown).toBe(true)
  })

  it('of many movements continues over several sheets', async () => {
    const page = await open({ device: 'desktop', locale: 'ar' })
    await enter(page, many, '/wallet/statement')
    expect(await sheetsOf(page)).toEqual({ sheets: 2, size: 'A4' })
  })
})

async function sheetsOf(page: Page): Promise<{ sheets: number; size: string }> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map(Number).map(Math.round).join('x'),
  )
  return {
    sheets: [...pdf.matchAll(/\/Type \/Page\b/g)].length,
    size: boxes.every((box) => box === '595x842') ? 'A4' : boxes.join(' '),
  }
}
