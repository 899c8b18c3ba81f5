import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectToFit,
  screenshot,
  testBrowser,
  useOnce,
  type VisitOptions,
} from '../support/browser.ts'
import { continueAs, enterCode, expectHeading, press } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { paymentsOf, sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith, eventNamesOf } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'

// Whole journeys through the checkout in Chromium: on phones and desktops, in Arabic and English, with and without scripts.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()
const store = 'https://shop.example'
const order = { total_price: 101, order_number: '#10233', callback_url: `${store}/thanks` }

const visit = (options: Partial<VisitOptions> = {}) =>
  browser.open({ origin: public_url, leadsTo: [store], ...options })

/** A page that offers a customer's 3,000 points. */
async function choosing(options: Partial<VisitOptions> = {}, points = 3000) {
  const { me, path, phone, order_uuid } = await stage.choosing(points, order, options.locale)
  const page = await visit(options)
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  return { page, path, phone, order_uuid, url: public_url + path }
}

async function chooseSome(page: Page, points: string): Promise<void> {
  await page.locator('label:has(.choice-title)', { hasText: /Use some|استبدال جزء/ }).click()
  await page.locator('input[name="amount"]').fill(points)
}

async function payBy(page: Page, card: string): Promise<void> {
  await page.locator(`input[name="card"][value="${card}"] + label`).click()
  await press(page, 'card')
}

/** The test moves the clock of the page's scripts. */
async function stopTime(page: Page): Promise<void> {
  useOnce(page)
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1_000)
}

const receipt = { en: 'Paid. Thank you!', ar: 'تم الدفع، شكرًا لك' } as const

describe('all steps, from the number to the receipt', () => {
  it.each([
    ['phone', 'ar', true],
    ['phone', 'en', false],
    ['desktop', 'ar', false],
    ['desktop', 'en', true],
  ] as const)('on a %s, %s, scripts %s', async (device, locale, scripts) => {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 3000, phone: freshPhone() })
    const { path, order_uuid } = await stage.open({ ...order, phone_number: phone })
    const page = await visit({ device, locale, scripts })
    await page.goto(public_url + path)
    await press(page, 'given')
    await enterCode(page)
    await chooseSome(page, locale === 'ar' ? '١٬٠٠٠' : '1,000')
    await expectToFit(page)
    await press(page, 'confirm')
    await payBy(page, 'succeeds')
    await expectHeading(page, receipt[locale])
    expect(await page.title()).toBe(`${receipt[locale]} · Shop`)
    expect(await stage.balanceOf(phone)).toEqual([2960, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved'])
    await page.locator('a.button-primary').click()
    await page.waitForURL(/^https:\/\/shop\.example\/thanks\?order_uuid=.*&order_status=approved&reference_number=\w+$/)
  })

  it.each([true, false])('by the keyboard alone, scripts %s', async (scripts) => {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 3000, phone: freshPhone() })
    const { path } = await stage.open({ ...order, phone_number: phone })
    const page = await visit({ device: 'desktop', scripts })
    const focusOn = async (selector: string): Promise<void> => {
      for (let times = 0; times < 25; times++) {
        if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`the keyboard does not reach ${selector} of ${await page.title()}`)
    }
    await page.goto(public_url + path)
    await focusOn('form button')
    await page.keyboard.press('Enter')
    await page.locator('[data-code]').waitFor()
    // The field takes the focus by itself, so that the code can be typed at once.
    await page.locator('input[name="code"]:focus').waitFor()
    await page.keyboard.type(await page.locator('[data-code]').innerText())
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Use your points')
    await focusOn('input[name="use"]')
    await page.keyboard.press('ArrowDown')
    await focusOn('input[name="amount"]')
    await page.keyboard.type('500')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Sandbox payment')
    await focusOn('form button')
    await page.keyboard.press('Enter')
    await expectHeading(page, receipt.en)
    expect(await stage.balanceOf(phone)).toEqual([3485, 0])
  })
})

describe('the number', () => {
  it('can be changed, and the code is asked for again', async () => {
    const { path } = await stage.open({ ...order, phone_number: freshPhone() })
    const page = await visit({ locale: 'ar' })
    await page.goto(public_url + path)
    await press(page, 'given')
    await page.locator('a', { hasText: 'تغيير الرقم' }).click()
    await page.locator('input[name="phone"]').fill('123')
    await press(page, 'phone')
    await page.locator('.wrong').waitFor()
    await screenshot(page, 'checkout-number-wrong-phone-ar')
    await expectAccessible(page)
    expect(await page.title()).toMatch(/^خطأ: /)
    await page.locator('input[name="phone"]').fill('٠٥٥ ٩٩٩ ٨٨٧٧')
    await press(page, 'phone')
    await page.locator('[data-code]').waitFor()
    expect(await page.locator('.lead').innerText()).toContain('877')
    await enterCode(page)
    await expectHeading(page, 'أهلًا بك')
  })

  it('gets a new code when the time has come, which is counted down', async () => {
    const { path } = await stage.open({ ...order, phone_number: freshPhone() })
    const page = await visit()
    await stopTime(page)
    await page.goto(public_url + path)
    await press(page, 'given')
    const again = page.locator('form[data-resend-at] button')
    await page.locator('form[data-resend-at] button:disabled').waitFor()
    expect(await page.locator('[data-resend-text]').innerText()).toMatch(/in .?0:[0-3]\d/)
    await page.clock.runFor(31_000)
    expect(await again.isDisabled()).toBe(false)
    expect(await page.locator('[data-resend-text]').count()).toBe(0)
  })
})

it('a new customer joins, and the points that waited come with it', async () => {
  const phone = '500000003'
  const earning = {
    phone_number: phone,
    total_price: 40,
    order_number: 'E-1',
    products: [{ product_name: 'A', product_price: 40, quantity: 1 }],
  }
  await stage.app.call('POST', '/api/v1/orders/earning', { key: stage.shop.private_key, json: earning })
  const { path } = await stage.open({ ...order, phone_number: phone, name: 'نورة' })
  const page = await visit({ locale: 'ar' })
  await page.goto(public_url + path)
  await press(page, 'given')
  await enterCode(page)
  await expectHeading(page, 'أهلًا بك')
  expect(await page.locator('input[name="name"]').inputValue()).toBe('نورة')
  await press(page, 'join')
  await page.locator('[role="alert"]').waitFor()
  await screenshot(page, 'checkout-terms-wrong-phone-ar')
  await expectAccessible(page)
  await page.locator('[role="alert"]:focus').waitFor()
  await page.locator('input[name="terms"]').check()
  await press(page, 'join')
  await expectHeading(page, 'استبدال نقاطك')
  expect(await page.locator('.headline-value').innerText()).toContain('400')
})

describe('the choice', () => {
  const chooses = (page: Page, text: RegExp) => page.locator('label:has(.choice-title)', { hasText: text }).click()
  const sumsOf = async (page: Page) => (await page.locator('#totals').innerText()).replace(/\s+/g, ' ')
  const buttonOf = async (page: Page) => (await page.locator('form#choice button').innerText()).replace(/\s+/g, ' ')

  it.each([
    { locale: 'en', unit: 'points', typed: '3', value: '0.01', due: '100.99', used: '2' },
    { locale: 'ar', unit: 'points', typed: '١٠٠٠', value: '5.00', due: '96.00', used: '1,000' },
    { locale: 'en', unit: 'sar', typed: '5', value: '5.00', due: '96.00', used: '1,000' },
    { locale: 'ar', unit: 'sar', typed: '٥٫٥٠', value: '5.50', due: '95.50', used: '1,100' },
  ] as const)('updates its sums while the customer types: $locale, $unit, $typed', async (row) => {
    const { locale, unit, typed, value, due, used } = row
    const { page } = await choosing({ locale })
    await page.locator('#totals').waitFor()
    expect(await sumsOf(page)).toContain('86.00')
    await chooses(page, /Keep my points|الاحتفاظ/)
    expect(await sumsOf(page)).toContain('101.00')
    await chooses(page, /Use some|استبدال جزء/)
    await page.locator('#totals').waitFor({ state: 'hidden' })
    await page.locator('select[name="unit"]').selectOption(unit)
    await page.locator('input[name="amount"]').pressSequentially(typed)
    await page.locator('#totals').waitFor()
    for (const shown of [await sumsOf(page), (await page.locator('.live').innerText()).replace(/\s+/g, ' ')]) {
      expect(shown).toContain(value)
      expect(shown).toContain(due)
    }
    expect(await sumsOf(page)).toContain(`(${used})`)
    expect(await buttonOf(page)).toContain(due)
    await screenshot(page, `checkout-choose-live-phone-${locale}-${unit}`)
    // More points than the customer has: the page says so at once, and promises nothing.
    await page.locator('input[name="amount"]').fill('3001')
    await page.locator('[data-says^="too_many"]:visible').waitFor()
    expect(await page.locator('.live').innerText()).toContain(unit === 'sar' ? '15.00' : '3,000')
    expect(await page.locator('#totals').isVisible()).toBe(false)
    // In the other language it is still there, and the server says the same.
    await page.locator('a.language').click()
    await page.locator('p.wrong[id="field-amount-error"]').waitFor()
    await page.waitForLoadState()
    expect(await page.locator('input[name="amount"]').inputValue()).toBe('3001')
    expect(await page.locator('.field-wrong').count()).toBe(1)
    // The server calculates the same.
    await page.locator('input[name="amount"]').fill(typed)
    // Its finding was about what was typed before.
    expect(await page.locator('.field-wrong').count()).toBe(0)
    await press(page, 'confirm')
    await page.locator('input[name="card"]').first().waitFor()
    expect(await page.locator('main').innerText()).toContain(due)
  })

  it('is filled in by a quarter, half and all, in the unit that is chosen', async () => {
    const { page } = await choosing()
    await chooses(page, /Use some/)
    const amount = page.locator('input[name="amount"]')
    const fill = (name: string) => page.locator('.shortcuts a', { hasText: name }).click()
    await fill('A quarter')
    expect(await amount.inputValue()).toBe('750')
    await page.locator('select[name="unit"]').selectOption('sar')
    await fill('Half')
    expect(await amount.inputValue()).toBe('7.50')
    await fill('All')
    expect(await amount.inputValue()).toBe('15.00')
    expect(await sumsOf(page)).toContain('86.00')
    await press(page, 'confirm')
    await page.locator('input[name="card"]').first().waitFor()
  })

  it('of all, where points pay for everything, ends at once', async () => {
    const { page, phone } = await choosing({ locale: 'ar', scripts: false }, 50_000)
    await press(page, 'confirm')
    await expectHeading(page, receipt.ar)
    expect(await stage.balanceOf(phone)).toEqual([29_800, 0])
  })

  it('of none, where the store collects, is confirmed and leads back', async () => {
    await sellBy(database.owner, stage.shop, 'merchant')
    try {
      const { page, phone } = await choosing({ locale: 'en' })
      await page.locator('label:has(.choice-title)', { hasText: 'Keep my points' }).click()
      await press(page, 'confirm')
      await expectHeading(page, 'Your choice is confirmed')
      expect(await stage.balanceOf(phone)).toEqual([3000, 0])
      await page.locator('a[data-return="now"]').click()
      await page.waitForURL(/^https:\/\/shop\.example\/thanks\?.*order_status=new/)
    } finally {
      await sellBy(database.owner, stage.shop, 'sandbox')
    }
  })
})

describe('the payment', () => {
  it('that is declined is tried again, and another card pays', async () => {
    const { page, phone, order_uuid } = await choosing({ locale: 'ar' })
    await chooseSome(page, '1000')
    await press(page, 'confirm')
    await payBy(page, 'declined')
    await expectHeading(page, 'لم تتم عملية الدفع')
    await press(page, 'resume')
    await payBy(page, 'challenge')
    await page.locator('button[name="passed"][value="yes"]').click()
    await expectHeading(page, receipt.ar)
    expect((await paymentsOf(database.db, order_uuid)).map(({ state }) => state)).toEqual(['failed', 'paid'])
    expect(await stage.balanceOf(phone)).toEqual([2960, 0])
  })

  it.each([true, false])('that is slow is found without being asked, scripts %s', async (scripts) => {
    const { page, phone } = await choosing({ scripts })
    await chooseSome(page, '1000')
    await press(page, 'confirm')
    await payBy(page, 'slow')
    await expectHeading(page, 'Waiting for your payment')
    stage.app.clock.advance(16)
    await expectHeading(page, receipt.en)
    expect(await stage.balanceOf(phone)).toEqual([2960, 0])
  })

  it('is followed by the return to the store, unless the customer stays', async () => {
    const { page } = await choosing({}, 50_000)
    await stopTime(page)
    await press(page, 'confirm')
    await expectHeading(page, receipt.en)
    expect(await page.locator('[role="timer"]').innerText()).toBe('0:15')
    await page.clock.runFor(5_000)
    expect(await page.locator('[role="timer"]').innerText()).toBe('0:10')
    // Who reads on is not led away, and who cannot see the countdown is told of it.
    await page.keyboard.press('Tab')
    await page.clock.runFor(12_000)
    expect(await page.locator('[role="timer"]').innerText()).toBe('0:03')
    expect(await page.locator('main [role="status"]').last().textContent()).toMatch(
      /^You will be taken back .* 15 seconds/,
    )
    const [url = ''] = page.url().split('?')
    await page.locator('a[data-return="never"]').click()
    await page.clock.runFor(60_000)
    expect(page.url()).toBe(url)
    expect(await page.locator('[data-return-after]').count()).toBe(0)
    // A reload stays, too.
    await page.reload()
    await page.clock.runFor(60_000)
    await expectHeading(page, receipt.en)
    expect(page.url()).toBe(url)
    await page.goto(`${url}?at=done`)
    await page.clock.runFor(16_000)
    await page.waitForURL(/^https:\/\/shop\.example\/thanks\?/)
  })
})

describe('two clicks, two tabs, and the way back', () => {
  it('a form that is pressed twice is sent once', async () => {
    const { page, phone } = await choosing()
    await chooseSome(page, '1000')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.locator('form#choice button').dblclick()
    await expectHeading(page, 'Sandbox payment')
    expect(sent).toHaveLength(1)
    expect(await stage.balanceOf(phone)).toEqual([3000, 1000])
  })

  it('a second tab shows what the first has confirmed, and pays the same payment', async () => {
    const { page, url, phone, order_uuid } = await choosing()
    const second = await page.context().newPage()
    await second.goto(url)
    await chooseSome(second, '2000')
    await chooseSome(page, '1000')
    await press(page, 'confirm')
    await expectHeading(page, 'Sandbox payment')
    await press(second, 'confirm')
    await expectHeading(second, 'Payment')
    expect(await second.locator('.notice-info').innerText()).toContain('confirmed in another tab')
    expect(await second.locator('main').innerText()).toContain('1,000 points')
    await press(second, 'resume')
    await payBy(second, 'succeeds')
    await expectHeading(second, receipt.en)
    // The first tab’s page of the provider has been used.
    await payBy(page, 'succeeds')
    await expectHeading(page, receipt.en)
    expect((await paymentsOf(database.db, order_uuid)).map(({ state }) => state)).toEqual(['paid'])
    expect(await stage.balanceOf(phone)).toEqual([2960, 0])
  })

  it('going back shows how things stand now, never what was', async () => {
    const { page, phone } = await choosing()
    await chooseSome(page, '1000')
    await press(page, 'confirm')
    await expectHeading(page, 'Sandbox payment')
    await page.goBack()
    await expectHeading(page, 'Payment')
    await press(page, 'resume')
    await payBy(page, 'succeeds')
    await expectHeading(page, receipt.en)
    await page.goBack()
    await page.goBack()
    await expectHeading(page, receipt.en)
    expect(await stage.balanceOf(phone)).toEqual([2960, 0])
  })
})

describe('meanwhile', () => {
  it.each([true, false])(
    'the store cancels: the customer sees that, and keeps all points, scripts %s',
    async (scripts) => {
      const { page, phone, order_uuid } = await choosing({ locale: 'ar', scripts })
      await chooseSome(page, '1000')
      await stage.app.act(order_uuid, 'cancel', { key: stage.shop.private_key })
      await press(page, 'confirm')
      await expectHeading(page, 'ألغى المتجر هذا الطلب')
      expect(await stage.balanceOf(phone)).toEqual([3000, 0])
    },
  )

  it.each(['ar', 'en'] as const)(
    'the time is over: the customer sees that, and keeps all points, %s',
    async (locale) => {
      const { page, phone } = await choosing({ locale })
      await chooseSome(page, '1000')
      stage.app.clock.advance(1_800)
      await press(page, 'confirm')
      await expectHeading(page, { ar: 'انتهت مهلة إتمام الطلب', en: 'This checkout has expired' }[locale])
      await screenshot(page, `checkout-expired-phone-${locale}`)
      await expectAccessible(page)
      expect(await stage.balanceOf(phone)).toEqual([3000, 0])
    },
  )
})

it.each(['ar', 'en'] as const)('every step fits 320 pixels with text of twice the size: %s', async (locale) => {
  const { page, url } = await choosing({ locale, width: 320 })
  for (const step of ['', '?use=part&amount=9000', '?use=part&amount=1000', '?use=none']) {
    await page.goto(url + step)
    await expectToFit(page)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await expectToFit(page)
    await screenshot(page, `checkout-large-${locale}${step.replace(/\W+/g, '-')}`)
  }
})
