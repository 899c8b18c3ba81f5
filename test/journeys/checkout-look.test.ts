import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { setBrand } from '../../src/features/merchants/brand.ts'
import { expectToFit, resize, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { pngOf } from '../support/logos.ts'
import { portOfPages } from '../support/port.ts'

// The looks of the pages, where a test can measure them. Each of these was wrong once.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()

const store = 'https://shop.example'
const long_name = 'Hand-poured-candle-of-beeswax-and-cedar-No-12'
const order = {
  total_price: 101,
  order_number: '#10233',
  callback_url: `${store}/thanks`,
  products: [{ product_name: long_name, product_price: 50.5, quantity: 2 }],
  shipping_amount: 12,
  tax_amount: 13.17,
  discount_amount: 5,
}

beforeAll(async () => {
  await database.owner.run({
    text: `update merchant set name = 'De Maandag Bakery', name_ar = 'مخبز الاثنين', colour = '#ffd400',
      payment_methods = '{mada,visa,apple_pay}' where merchant_id = $1`,
    values: [stage.shop.merchant.merchant_id],
  })
  // An address is a word that fits no narrow page whole.
  await database.owner.run({
    text: `update program set operator_name = 'Mall Company', operator_contact = 'help@points.mall.example' where program_id = $1`,
    values: [stage.shop.merchant.program_id],
  })
})

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const boxes = (page: Page, selector: string): Promise<Box[]> =>
  page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return { x, y, width, height }
  })`)

const one = async (page: Page, selector: string): Promise<Box> => {
  const [box] = await boxes(page, selector)
  if (box === undefined) throw new Error(`nothing is ${selector}`)
  return box
}

/** The width of the last of these words in its place, and alone. */
const widthsOf = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate<number[]>(`(() => {
    const node = document.querySelector(${JSON.stringify(selector)}).firstChild
    const [year] = /\\d{4}/.exec(node.data)
    const range = document.createRange()
    range.setStart(node, node.data.indexOf(year))
    range.setEnd(node, node.data.indexOf(year) + 4)
    const alone = document.createElement('bdi')
    alone.dir = 'ltr'
    alone.style.display = 'inline-block'
    alone.textContent = year
    node.parentElement.after(alone)
    return [range.getBoundingClientRect().width, alone.getBoundingClientRect().width]
  })()`)

async function choosing(page: Page, locale: 'ar' | 'en', asked = {}): Promise<string> {
  const { me, path } = await stage.choosing(3000, { ...order, ...asked }, locale)
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
  return path
}

async function receipt(page: Page, locale: 'ar' | 'en'): Promise<void> {
  const { me, page: chosen } = await stage.choosing(3000, order, locale)
  const paying = await me.submit(chosen, 'confirm', { use: 'all' })
  const paid = await me.submit(paying, 'card', { card: 'succeeds' })
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + paid.path)
}

const open = (options: Partial<Parameters<typeof browser.open>[0]> = {}): Promise<Page> =>
  browser.open({ origin: public_url, leadsTo: [store], ...options })

describe('an order', () => {
  it('stands beside the choice on a desktop and below it on a phone, with prices and what was added', async () => {
    const page = await open({ device: 'desktop' })
    await choosing(page, 'en')
    const [main, aside] = [await one(page, '.beside-main'), await one(page, '.beside-order')]
    expect(aside.x).toBeGreaterThanOrEqual(main.x + main.width)
    expect((await page.locator('.beside-order').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /De Maandag Bakery Your order Hand-poured.* 2 × 50\.50 .*Discount − 5\.00 Shipping 12\.00 VAT 13\.17 Total 101\.00/,
    )
    await resize(page, { width: 390, height: 844 })
    expect((await one(page, '.beside-order')).y).toBeGreaterThan((await one(page, '.beside-main')).y)
  })

  it('with a long name does not scroll sideways, and shows the whole name of the store at 200%', async () => {
    const page = await open({ width: 320 })
    await choosing(page, 'en')
    await expectToFit(page)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await expectToFit(page)
    const [shown, whole] = await page.evaluate<[number, number]>(
      `(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])(document.querySelector('.brand-name'))`,
    )
    expect(whole - shown).toBeLessThan(10)
  })

  it('names the ways to pay, and Apple Pay only where the browser has it', async () => {
    const page = await open()
    const path = await choosing(page, 'en')
    const methods = page.locator('.methods > li:visible')
    await methods.first().waitFor()
    expect(await methods.allInnerTexts()).toEqual(['mada', 'Visa'])
    const added = await page.addInitScript(
      'globalThis.ApplePaySession = class { static canMakePayments() { return true } }',
    )
    await page.goto(public_url + path)
    await page.getByText('Apple Pay').waitFor()
    await added.dispose()
  })
})

describe('the colour of a store', () => {
  it.each([false, true])('is its own on buttons, with words that can be read, dark: %s', async (dark) => {
    const page = await open({ dark })
    await choosing(page, 'en')
    const style = await page.evaluate<string[]>(
      `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('.button-primary')))`,
    )
    expect(style).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)'])
  })
})

describe('the logos of a store', () => {
  it.each([false, true])('keep their shape, and stand on a plate where they would vanish, dark: %s', async (dark) => {
    const { merchant } = stage.shop
    const page = await open({ dark, width: 320 })
    const shown = async (selector: string) => {
      await choosing(page, 'ar')
      const look = `(({ objectFit, backgroundColor }) => [objectFit, backgroundColor])(getComputedStyle(document.querySelector('${selector}')))`
      await expectToFit(page)
      return { box: await one(page, selector), look: await page.evaluate<string[]>(look) }
    }
    const plate = dark ? 'rgb(255, 255, 255)' : 'rgba(0, 0, 0, 0)'
    try {
      await setBrand(database.db, merchant, { logo: pngOf(64, 64, 0x11) }, new Date())
      const square = await shown('img.brand-logo')
      expect([square.box.width, square.box.height, ...square.look]).toEqual([40, 40, 'contain', plate])
      await setBrand(database.db, merchant, { wide_logo: pngOf(240, 60, 0x11) }, new Date())
      const wide = await shown('.brand-wide')
      expect(wide.look).toEqual(['contain', plate])
      expect(wide.box.width / wide.box.height).toBeGreaterThan(3)
    } finally {
      await setBrand(database.db, merchant, { logo: null, wide_logo: null }, new Date())
    }
  })
})

describe('digits', () => {
  it('have the same font in an Arabic date', async () => {
    const page = await open({ locale: 'ar' })
    await receipt(page, 'ar')
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    const [among, alone] = await widthsOf(page, '.summary time')
    expect(among).toBeCloseTo(alone ?? 0, 1)
  })

  it('of Arabic pages are loaded with the page', async () => {
    const { path } = await stage.open(order)
    const { text } = await stage.shopper('ar').open(path)
    // After the stylesheet: nothing is painted without that.
    expect(text).toMatch(/rel="stylesheet".*rel="preload"[^>]*plex-latin-400/s)
  })
})

/** The widths of a box at which a bracket in it is on another line than what it holds. */
const brokenWidths = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate<number[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((box) => {
    const text = [...box.childNodes].flatMap((one) => one.nodeType === 3 ? [one] : [...one.childNodes])
    const [open, close] = ['(', ')'].map((sign) => text.find(({ data }) => data?.includes(sign)))
    const topOf = (node, sign) => {
      const range = document.createRange()
      range.setStart(node, node.data.indexOf(sign))
      range.setEnd(node, node.data.indexOf(sign) + 1)
      return Math.round(range.getBoundingClientRect().top)
    }
    return Array.from({ length: 60 }, (_, step) => 60 + step * 4).filter((width) => {
      box.style.inlineSize = width + 'px'
      return topOf(open, '(') !== topOf(close, ')')
    })
  })`)

describe('brackets', () => {
  it.each(['ar', 'en'] as const)('stay on the line of the number that they hold, %s', async (locale) => {
    const page = await open({ locale })
    await choosing(page, locale)
    expect(await brokenWidths(page, '#totals dt:has([data-live="points"])')).toEqual([])
    await receipt(page, locale)
    expect(await brokenWidths(page, '.summary dd:has(.points):has(.money)')).toEqual([])
  })
})

describe('a receipt', () => {
  it('says what was saved, can be printed, and stays after a reload where the customer stays', async () => {
    const page = await open()
    await receipt(page, 'en')
    await page.getByText('You saved').waitFor()
    await page.getByRole('button', { name: 'Print the receipt' }).waitFor()
    expect(await page.getByRole('link', { name: 'See your points' }).getAttribute('href')).toMatch(
      /^\/wallet\?program=/,
    )
    await page.getByRole('link', { name: 'Stay on this page' }).click()
    await page.getByRole('timer').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(await page.getByRole('timer').count()).toBe(0)
  })
})

describe('the mistakes of a form', () => {
  it('is a list whose bullets stand at the first line of each text', async () => {
    const page = await open({ width: 320 })
    const path = await choosing(page, 'en')
    await page.goto(`${public_url}${path}?use=part&amount=50000&unit=points`)
    const display = `getComputedStyle(document.querySelector('.notice li a')).display`
    // The marker of an inline block of several lines stands at the last of them.
    expect(await page.evaluate<string>(display)).toBe('block')
  })
})

describe('a page without a next step', () => {
  it('centres its text', async () => {
    const page = await open()
    const { me, path, order_uuid } = await stage.choosing(3000, { ...order, callback_url: null })
    await stage.app.act(order_uuid, 'cancel', { key: stage.shop.private_key })
    await continueAs(page.context(), me, public_url)
    await page.goto(public_url + path)
    const texts = `[...document.querySelectorAll('main p')].map((one) => getComputedStyle(one).textAlign)`
    expect(new Set(await page.evaluate<string[]>(texts))).toEqual(new Set(['center']))
    await page.getByText('No points were used, and nothing was charged here.').waitFor()
  })
})

describe('forced colours', () => {
  it('show which step is reached', async () => {
    const page = await open()
    await page.emulateMedia({ forcedColors: 'active' })
    const { path } = await stage.open({ ...order, phone_number: freshPhone() })
    await page.goto(public_url + path)
    const marks = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.steps > li')].map((one) => getComputedStyle(one, '::before').borderTopWidth)`,
    )
    expect(new Set(marks).size).toBe(2)
  })
})
