import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { continueAs, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'
import { wrongFor } from '../support/shopper.ts'
import { readTable } from '../support/tables.ts'

// The effort of a checkout: screens (pages with their own heading), taps, and typed digits.
// docs/decisions/0040-checkout-steps.md

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()

interface Count {
  readonly screens: string[]
  taps: number
  digits: number
}

/** Goes through a checkout as its customer would, with as little as the pages ask for. */
async function goThrough(page: Page, { phone, scripts }: { phone: string; scripts: boolean }): Promise<Count> {
  const count: Count = { screens: [], taps: 0, digits: 0 }
  const tap = async (what: string) => {
    count.taps += 1
    await press(page, what)
  }
  const type = async (field: string, digits: string) => {
    count.digits += digits.length
    await page.locator(`input[name="${field}"]`).pressSequentially(digits)
  }
  const isThere = async (selector: string) => (await page.locator(selector).count()) > 0
  for (let steps = 0; steps < 9; steps += 1) {
    await page.waitForLoadState()
    const asks = ['phone', 'given', 'code', 'join', 'confirm'].map((what) => `input[name="do"][value="${what}"]`)
    if (!(await isThere(asks.join()))) return count
    const title = await page.locator('h1').innerText()
    if (!count.screens.includes(title)) count.screens.push(title)
    await page.evaluate('document.documentElement.dataset.seen = "yes"')
    if (await isThere('input[name="phone"]')) {
      await type('phone', `0${phone}`)
      await tap('phone')
    } else if (await isThere('[data-code]')) {
      await type('code', await page.locator('[data-code]').innerText())
      if (!scripts) await tap('code')
    } else if (await isThere('input[value="given"]')) await tap('given')
    else if (await isThere('input[value="join"]')) {
      await page.locator('input[name="terms"]').check()
      count.taps += 1
      await tap('join')
    } else {
      if (await isThere('input[name="terms"]')) {
        await page.locator('input[name="terms"]').check()
        count.taps += 1
      }
      await tap('confirm')
    }
    await page.locator('html:not([data-seen])').waitFor({ state: 'attached' })
  }
  throw new Error(`the checkout does not end: ${count.screens.join(', ')}`)
}

/** Before these screens were joined a returning customer took 4 screens, 4 taps and 6 digits, and one without points the same. */
const journeys = readTable(`
  customer                         | points | total | collector | given | remembered | screens | taps | taps without scripts | digits
  returning                        | 800    | 101   | sandbox   | yes   | no         | 2       | 2    | 3                    | 6
  returning, nothing to use        | 1      | 101   | sandbox   | yes   | no         | 2       | 2    | 3                    | 6
  returning, asked for the terms   | 800    | 101   | sandbox   | yes   | no         | 2       | 3    | 4                    | 6
  returning, an order of 0.00      | 800    | 0     | sandbox   | yes   | no         | 2       | 2    | 3                    | 6
  returning, no number given       | 800    | 101   | sandbox   | no    | no         | 3       | 2    | 3                    | 16
  remembered                       | 800    | 101   | sandbox   | yes   | yes        | 1       | 1    | 1                    | 0
  remembered, the store collects   | 800    | 101   | merchant  | yes   | yes        | 1       | 1    | 1                    | 0
  remembered, an order of 0.00     | 800    | 0     | sandbox   | yes   | yes        | 1       | 1    | 1                    | 0
  new                              | 0      | 101   | sandbox   | yes   | no         | 3       | 4    | 5                    | 6
`)

describe.each([
  ['en', true],
  ['ar', false],
] as const)('in %s, scripts %s', (locale, scripts) => {
  it.each(journeys)('a customer, $customer, takes $screens screens, $taps taps and $digits digits', async (row) => {
    await resetLimits(database)
    const phone = freshPhone()
    const points = Number(row['points'])
    const agrees = row['customer'] !== 'returning, asked for the terms'
    if (points > 0) await customerWith(database.db, stage.shop.merchant, { points, phone, agrees })
    const page = await browser.open({ origin: public_url, locale, scripts })
    page.setDefaultTimeout(10_000)
    if (row['remembered'] === 'yes') await rememberIn(page, phone)
    if (row['collector'] === 'merchant') await sellBy(database.owner, stage.shop, 'merchant')
    try {
      const given = row['given'] === 'yes' ? { phone_number: phone, name: 'Noura' } : {}
      const { path } = await stage.open({ total_price: Number(row['total']), ...given })
      await page.goto(public_url + path)
      const { screens, taps, digits } = await goThrough(page, { phone, scripts })
      const most_taps = Number(row[scripts ? 'taps' : 'taps without scripts'])
      expect([screens.length, taps, digits]).toEqual([Number(row['screens']), most_taps, Number(row['digits'])])
    } finally {
      await sellBy(database.owner, stage.shop, 'sandbox')
    }
  })
})

/** Makes the browser of a page one that is remembered for a phone. */
async function rememberIn(page: Page, phone: string): Promise<void> {
  const me = stage.shopper()
  const proven = await stage.prove(me, (await stage.open({ total_price: 0 })).path, phone)
  await me.submit(proven, 'confirm', { remember: 'yes' })
  await continueAs(page.context(), me, public_url)
}

describe('the code', () => {
  async function asked(locale: 'en' | 'ar' = 'en', script = '') {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 800, phone: freshPhone() })
    const { path } = await stage.open({ phone_number: phone })
    const page = await browser.open({ origin: public_url, locale })
    const added = await page.addInitScript(script)
    await page.goto(public_url + path)
    await press(page, 'given')
    const code = await page.locator('[data-code]').innerText()
    await page.waitForLoadState()
    await added.dispose()
    return { page, code }
  }
  const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  const persian = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)))

  it.each([
    ['in Persian digits with a space', (code: string) => persian(`${code.slice(0, 3)} ${code.slice(3)}`)],
    ['as a whole Arabic message', (code: string) => `${arabic(code)} رمز استخدام نقاطك. يعمل 5 دقائق.`],
  ])('that is pasted %s is sent by itself', async (_, pasted) => {
    const { page, code } = await asked()
    await page.locator('input[name="code"]').fill(pasted(code))
    await expectHeading(page, 'Use your points')
  })

  // Only Chrome on Android reads messages: the test replaces its answer.
  const phoneOf = (answer: string) => `{
    globalThis.OTPCredential ??= class {}
    const get = ({ otp, signal }) => new Promise((done, fail) => {
      sessionStorage.setItem('asked', otp.transport.join())
      signal.addEventListener('abort', () => {
        sessionStorage.setItem('ended', 'yes')
        fail(signal.reason)
      })
      addEventListener('message-arrives', ({ detail }) => ${answer})
    })
    Object.defineProperty(navigator.credentials, 'get', { value: get })
  }`
  const arrives = (code: string) => `dispatchEvent(new CustomEvent('message-arrives', { detail: '${code}' }))`
  const kept = (page: Page, name: string) => page.evaluate<string | null>(`sessionStorage.getItem('${name}')`)

  it('that the phone offers from its message is sent by itself, also in place of digits that were typed', async () => {
    const { page, code } = await asked('ar', phoneOf('done({ code: detail })'))
    expect(await kept(page, 'asked')).toBe('sms')
    await page.locator('input[name="code"]').pressSequentially('12')
    await page.evaluate(arrives(code))
    await expectHeading(page, 'استبدال نقاطك')
  })

  it('can be typed when the customer denies access to the message, and sending it ends the request to the phone', async () => {
    const { page, code } = await asked('en', phoneOf(`fail(new DOMException('declined', 'NotAllowedError'))`))
    await page.evaluate(arrives(code))
    await page.locator('input[name="code"]').fill(code)
    await expectHeading(page, 'Use your points')
    expect(await kept(page, 'ended')).toBe('yes')
  })

  it('is not sent before its sixth digit, and a wrong one is said so once', async () => {
    const { page, code } = await asked('ar')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    const wrong = wrongFor(code)
    await page.locator('input[name="code"]').pressSequentially(wrong.slice(0, 5))
    expect(sent).toEqual([])
    await page.locator('input[name="code"]').pressSequentially(wrong.slice(5))
    await page.locator('#field-code-error').waitFor()
    expect(sent).toHaveLength(1)
  })
})

it.each(['ar', 'en'] as const)('a remembered browser has an accessible screen: %s', async (locale) => {
  const phone = await customerWith(database.db, stage.shop.merchant, { points: 800, phone: freshPhone() })
  const page = await browser.open({ origin: public_url, locale, width: 320, dark: locale === 'en' })
  await rememberIn(page, phone)
  const { path } = await stage.open({ phone_number: phone })
  await page.goto(public_url + path)
  await page.locator('form:has(input[value="forget"])').waitFor()
  await expectAccessible(page)
  await expectToFit(page)
  await screenshot(page, `checkout-remembered-${locale}`)
  await page.emulateMedia({ forcedColors: 'active' })
  await screenshot(page, `checkout-remembered-forced-${locale}`)
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  await expectToFit(page)
})
