import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { continueAs } from '../support/checkout-browser.ts'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { sellBy } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { portOfPages } from '../support/port.ts'
import type { Shopper } from '../support/shopper.ts'

// Every screen of the checkout in Chromium: saves a screenshot, checks WCAG 2.2 AA, and checks narrow screens.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const port = await portOfPages()
const public_url = `https://localhost:${port}`
const stage = checkoutStage(database, { port, public_url, collector: 'sandbox', today: true })
const browser = testBrowser()

const store = 'https://shop.example'
const callback_url = `${store}/thanks`
const products = [
  { product_name: 'بن إثيوبي مختص', product_price: 38.5, quantity: 2 },
  { product_name: 'V60 filter papers', product_price: 24, quantity: 1 },
]
const order = { total_price: 101, order_number: '#10233', callback_url, products }

beforeAll(async () => {
  await database.owner.run({
    text: `update merchant set name = 'مقهى الديرة', colour = '#7a3e9d' where merchant_id = $1`,
    values: [stage.shop.merchant.merchant_id],
  })
})

/** The page that a customer has reached. */
interface Place {
  readonly me: Shopper
  readonly path: string
}

async function choosing(locale: Locale, points: number, asked = {}): Promise<Place & { order_uuid: string }> {
  return stage.choosing(points, { ...order, ...asked }, locale)
}

async function confirmed(locale: Locale, use: string, points: number, asked = {}) {
  const { me, path, order_uuid, page } = await stage.choosing(points, { ...order, ...asked }, locale)
  return {
    me,
    path,
    order_uuid,
    page: await me.submit(page, 'confirm', { use, amount: '1000' }),
  }
}

async function paidBy(locale: Locale, card: string): Promise<Place> {
  const { me, path, page } = await confirmed(locale, 'part', 3000)
  return { me, path: (await me.submit(page, 'card', { card })).path ?? path }
}

async function reserved(locale: Locale): Promise<Place> {
  await sellBy(database.owner, stage.shop, 'merchant')
  try {
    return await confirmed(locale, 'part', 3000)
  } finally {
    await sellBy(database.owner, stage.shop, 'sandbox')
  }
}

async function coded(locale: Locale): Promise<Place> {
  const { path } = await stage.open({ ...order, phone_number: freshPhone() })
  const me = stage.shopper(locale)
  await me.submit(await me.open(path), 'given')
  return { me, path }
}

async function endedBy(locale: Locale, action: string): Promise<Place> {
  const { me, path, order_uuid } = await choosing(locale, 3000)
  await stage.app.act(order_uuid, action, { key: stage.shop.private_key })
  return { me, path }
}

const unproven = async (locale: Locale, asked = {}): Promise<Place> => ({
  me: stage.shopper(locale),
  path: (await stage.open({ ...order, ...asked })).path,
})

/** Somebody who went on without points. */
async function plain(locale: Locale, asked = {}): Promise<Place> {
  const { me, path } = await unproven(locale, asked)
  await me.submit(await me.open(path), 'continue')
  return { me, path }
}

/** Every screen, and how a customer gets to it. */
const screens: Readonly<Record<string, (locale: Locale) => Promise<Place>>> = {
  'number-given': (locale) => unproven(locale, { phone_number: '0555123987' }),
  'number-asked': (locale) => unproven(locale),
  code: coded,
  'code-wrong': async (locale) => {
    const { me, path } = await coded(locale)
    const wrong = await me.submit(await me.open(path), 'code', { code: '000000' })
    return { me, path: wrong.path }
  },
  terms: (locale) => choosing(locale, 0, { name: 'سارة' }),
  choose: (locale) => choosing(locale, 3000),
  'choose-consent': async (locale) => {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 3000, agrees: false })
    const { me, path } = await unproven(locale)
    await stage.prove(me, path, phone)
    return { me, path }
  },
  'choose-whole': (locale) => choosing(locale, 1_112_508),
  'choose-wrong': async (locale) => {
    const { me, path } = await choosing(locale, 3000)
    return { me, path: `${path}?use=part&amount=5000` }
  },
  'choose-nothing': async (locale) => {
    const { me, path } = await choosing(locale, 0)
    await me.submit(await me.open(path), 'join', { name: 'سارة', terms: '2026-11' })
    return { me, path }
  },
  'choose-part': async (locale) => {
    const { me, path } = await choosing(locale, 3000)
    return { me, path: `${path}?use=part&amount=1000` }
  },
  'choose-riyals': async (locale) => {
    const { me, path } = await choosing(locale, 3000)
    return { me, path: `${path}?use=part&amount=15.50&unit=sar` }
  },
  'choose-changed': async (locale) => {
    const { me, path } = await choosing(locale, 1_112_508)
    return { me, path: `${path}?use=all&note=changed` }
  },
  'choose-none': async (locale) => {
    const { me, path } = await choosing(locale, 3000)
    return { me, path: `${path}?use=none` }
  },
  'choose-free': (locale) => choosing(locale, 3000, { total_price: 0 }),
  payment: async (locale) => confirmed(locale, 'part', 3000),
  failed: (locale) => paidBy(locale, 'declined'),
  waiting: (locale) => paidBy(locale, 'slow'),
  reserved,
  receipt: (locale) => paidBy(locale, 'succeeds'),
  'receipt-elsewhere': async (locale) => {
    const { path } = await paidBy(locale, 'succeeds')
    return { me: stage.shopper(locale), path: path.replace(/\?.*/, '') }
  },
  elsewhere: async (locale) => ({ ...(await confirmed(locale, 'part', 3000)), me: stage.shopper(locale) }),
  'code-late': async (locale) => {
    const { me, path } = await coded(locale)
    return { me, path: `${path}?note=too_many_codes&until=${Date.now() + 3_000_000}` }
  },
  'code-late-alone': async (locale) => {
    const { me, path } = await unproven(locale, { callback_url: null, total_price: 0 })
    return { me, path: `${path}?note=too_many_codes&until=${Date.now() + 3_000_000}` }
  },
  'join-first': async (locale) => {
    const { me, path } = await unproven(locale, { phone_number: '0555123987' })
    return { me, path: `${path}?at=join` }
  },
  'plain-payment': async (locale) => plain(locale),
  'plain-left': async (locale) => {
    const { me, path } = await plain(locale)
    return { me, path: `${path}?at=left` }
  },
  'plain-cancelled': async (locale) => {
    const { me, path } = await plain(locale)
    await me.submit(await me.submit(await me.open(path), 'resume'), 'card', { card: 'cancel' })
    return { me, path }
  },
  'plain-store': async (locale) => {
    await sellBy(database.owner, stage.shop, 'merchant')
    try {
      return await plain(locale, { callback_url: null })
    } finally {
      await sellBy(database.owner, stage.shop, 'sandbox')
    }
  },
  'choose-too-little': async (locale) => {
    const { me, path } = await choosing(locale, 1)
    return { me, path }
  },
  'choose-fewer': async (locale) => {
    const { me, path } = await choosing(locale, 777)
    return { me, path }
  },
  'other-tab': async (locale) => {
    const { me, path } = await confirmed(locale, 'part', 3000)
    return { me, path: `${path}?note=changed` }
  },
  closed: (locale) => endedBy(locale, 'complete'),
  cancelled: (locale) => endedBy(locale, 'cancel'),
  unknown: async (locale) => ({ me: stage.shopper(locale), path: '/checkout/1-00000000000000000000000000' }),
}

/** Browsers are opened for a few screens each. */
const groups = [
  ['number-given', 'number-asked', 'code', 'code-wrong', 'terms', 'elsewhere'],
  ['choose', 'choose-consent', 'choose-whole', 'choose-wrong', 'choose-nothing'],
  ['choose-part', 'choose-riyals', 'choose-changed', 'choose-none', 'choose-free'],
  ['payment', 'other-tab', 'failed', 'waiting'],
  ['code-late', 'code-late-alone', 'join-first', 'choose-too-little', 'choose-fewer'],
  ['plain-payment', 'plain-left', 'plain-cancelled', 'plain-store'],
  ['reserved', 'receipt', 'receipt-elsewhere', 'closed', 'cancelled', 'unknown'],
]

/** Together these screens have every kind of part; on a desktop the others differ from a phone only in width. */
const held_against_axe_in_dark = [
  'code-wrong',
  'code-late',
  'plain-cancelled',
  'choose-consent',
  'choose-wrong',
  'choose-riyals',
  'failed',
  'waiting',
  'reserved',
  'unknown',
]

it('has every screen in a group', () => {
  expect(groups.flat().sort()).toEqual(Object.keys(screens).sort())
})

async function show(page: Page, name: string, locale: Locale): Promise<void> {
  await resetLimits(database)
  const { me, path } = await (screens[name] as (typeof screens)[string])(locale)
  await continueAs(page.context(), me, public_url)
  await page.goto(public_url + path)
}

describe.each([
  ['phone', 'ar', false],
  ['desktop', 'en', true],
] as const)('on a %s, %s', (device, locale, dark) => {
  it.each(groups.map((names) => [names]))('%j', async (names) => {
    const page = await browser.open({ origin: public_url, device, locale, dark, leadsTo: [store] })
    for (const name of names) {
      await show(page, name, locale)
      await screenshot(page, `checkout-${name}-${device}-${locale}`)
      if (!dark || held_against_axe_in_dark.includes(name)) await expectAccessible(page)
      await expectToFit(page)
      expect(await page.locator('h1').count()).toBe(1)
    }
  })
})
