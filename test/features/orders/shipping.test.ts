import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLibreTranslate } from '../../../src/providers/translation/libretranslate.ts'
import type { Translator } from '../../../src/providers/translation/port.ts'
import { never, testStandIn } from '../../providers/stand-in.ts'
import { appAtNoon, oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder, eventsOf, replacingOrder, rowOf } from '../../support/orders.ts'

// docs/spec/orders.md#update-shipping

const database = testDatabase()
const secret = 'translation-key-that-nobody-may-see'
const standIn = testStandIn()
const translator: Translator = {
  translate: (label, signal) => createLibreTranslate({ url: standIn().url, key: secret }).translate(label, signal),
}
// A busy machine must not look like a translator that takes too long.
const app = appAtNoon(database, { translator, translation_budget_ms: 60_000 })
const hurried = appAtNoon(database, { translator, translation_budget_ms: 100 })
let shop: Shop
let labels = 0

beforeAll(async () => {
  shop = await oneShop(database.db)
})
beforeEach(() => {
  standIn().answer = ({ body }) => {
    const { q, target } = body as { q: string; target: string }
    return { body: { translatedText: `${q} in ${target}` } }
  }
})

/** A label that no other test translates. */
function freshLabel(): string {
  labels += 1
  return `Label ${labels}`
}

async function freshOrder(): Promise<string> {
  return (await replacingOrder(database.db, shop.merchant, { phone: null })).order_uuid
}

async function update(order_uuid: string, json: object, lang = 'en', by = app) {
  const reply = await by.act(order_uuid, `status?lang=${lang}`, { key: shop.private_key, json })
  return { status: reply.status, data: reply.body.data as Record<string, unknown> }
}

describe('the shipping status', () => {
  it('changes from any value to any, the same included; each update fires its event', async () => {
    const order_uuid = await freshOrder()
    const values = ['delivered', 'new', 'new', 'cancelled', 'ready_shipping']
    for (const status of values) {
      expect((await update(order_uuid, { status })).data).toMatchObject({ status, order_status: 'new' })
    }
    const events = await eventsOf(database.db, order_uuid)
    expect(events.map(({ payload }) => payload['status'])).toEqual(values)
  })

  it.each([
    ['new', 'New', 'جديد'],
    ['license_in_progress', 'License in progress', 'الترخيص قيد الإجراء'],
    ['ready_shipping', 'Ready for shipping', 'جاهز للشحن'],
    ['delivery_is_in_progress', 'Out for delivery', 'قيد التوصيل'],
    ['delivered', 'Delivered', 'تم التوصيل'],
    ['cancelled', 'Cancelled', 'ملغي'],
  ])('%s is labelled %s and %s', async (status, en, ar) => {
    const order_uuid = await freshOrder()
    expect((await update(order_uuid, { status })).data).toMatchObject({ status_label: en, custom_status: null })
    expect((await update(order_uuid, { status }, 'ar')).data).toMatchObject({ status_label: ar })
  })

  it('is updated the same way for earning orders, and in any financial state', async () => {
    const { order_uuid } = await earningOrder(database.db, shop.merchant, { clock: app.clock })
    await app.actBy(shop, order_uuid, 'refund')
    expect((await update(order_uuid, { status: 'delivered' })).data).toMatchObject({
      status: 'delivered',
      order_status: 'fully_refunded',
    })
  })
})

describe('labels', () => {
  it('are stored as sent when both are sent, and nothing is translated', async () => {
    const order_uuid = await freshOrder()
    const { data } = await update(order_uuid, { name_ar: 'قيد التجهيز', name_en: 'Being prepared' })
    expect(data).toMatchObject({
      status: 'new',
      status_label: 'Being prepared',
      custom_status: { ar: 'قيد التجهيز', en: 'Being prepared' },
    })
    expect(standIn().received).toEqual([])
  })

  it('are completed by a translation when one is sent; all three fields update together', async () => {
    const order_uuid = await freshOrder()
    const [english, arabic] = [freshLabel(), freshLabel()]
    expect((await update(order_uuid, { name_en: english })).data).toMatchObject({
      custom_status: { en: english, ar: `${english} in ar` },
    })
    expect((await update(order_uuid, { status: 'delivered', name_ar: arabic }, 'ar')).data).toMatchObject({
      status: 'delivered',
      status_label: arabic,
      custom_status: { ar: arabic, en: `${arabic} in en` },
    })
    expect(standIn().received.map(({ body }) => body)).toEqual([
      { q: english, source: 'en', target: 'ar', format: 'text', api_key: secret },
      { q: arabic, source: 'ar', target: 'en', format: 'text', api_key: secret },
    ])
  })

  it('stay until they are replaced, and win over the canonical label', async () => {
    const order_uuid = await freshOrder()
    await update(order_uuid, { name_ar: 'أ', name_en: 'A' })
    expect((await update(order_uuid, { status: 'delivered' })).data).toMatchObject({
      status: 'delivered',
      status_label: 'A',
      custom_status: { ar: 'أ', en: 'A' },
    })
  })

  it('are in the event in both languages; status_label is in the locale of the program', async () => {
    const order_uuid = await freshOrder()
    await update(order_uuid, { status: 'ready_shipping', name_ar: 'أ', name_en: 'A' }, 'ar')
    const [event] = await eventsOf(database.db, order_uuid)
    expect(event).toMatchObject({
      name: 'shipping_status_updated',
      payload: { status: 'ready_shipping', status_label: 'A', custom_status: { ar: 'أ', en: 'A' }, type: 'replacing' },
    })
  })
})

describe('a translation', () => {
  const translatedTo = async (name_en: string, by = app) =>
    (await update(await freshOrder(), { name_en }, 'en', by)).data['custom_status']

  it('is cached for 30 days of business time, by text and language', async () => {
    const label = freshLabel()
    for (let times = 0; times < 3; times += 1) {
      expect(await translatedTo(label)).toEqual({ en: label, ar: `${label} in ar` })
    }
    expect(standIn().received.length).toBe(1)
    await update(await freshOrder(), { name_ar: label })
    expect(standIn().received.length).toBe(2)
    app.clock.advance(30 * 86_400 - 1)
    await translatedTo(label)
    expect(standIn().received.length).toBe(2)
    app.clock.advance(1)
    standIn().answer = { body: { translatedText: 'Better' } }
    expect(await translatedTo(label)).toEqual({ en: label, ar: 'Better' })
    expect(await translatedTo(label)).toEqual({ en: label, ar: 'Better' })
    expect(standIn().received.length).toBe(3)
  })

  it.each([
    ['fails', { status: 500 }],
    ['is refused', { status: 403, body: { error: 'Invalid API key' } }],
    ['is limited', { status: 429, body: {} }],
    ['cannot be read', { body: 'oops' }],
    ['does not come within its budget', { after: never }, hurried],
    ['is longer than a label', { body: { translatedText: 'x'.repeat(121) } }],
  ])('that %s is replaced by the text itself, and is tried again the next time', async (_, answer, by = app) => {
    const label = freshLabel()
    standIn().answer = answer
    expect(await translatedTo(label, by)).toEqual({ en: label, ar: label })
    standIn().answer = { body: { translatedText: 'now' } }
    expect(await translatedTo(label)).toEqual({ en: label, ar: 'now' })
  })

  it('is not asked for when the order does not exist', async () => {
    const { status } = await update('0193e7a1-4b2c-7def-8123-456789abcdef', { name_en: freshLabel() })
    expect(status).toBe(404)
    expect(standIn().received).toEqual([])
  })

  it('never leaves a key in the log', async () => {
    for (const answer of [{ status: 403 }, { cut: true }, { body: '' }]) {
      standIn().answer = answer
      await translatedTo(freshLabel())
    }
    expect(app.logged.length).toBeGreaterThan(0)
    expect(app.logged.join('')).not.toContain(secret)
  })

  it('never locks an order while it is under way', async () => {
    const order_uuid = await freshOrder()
    const updated = Promise.withResolvers<void>()
    standIn().answer = { after: updated.promise, body: { translatedText: 'slow' } }
    const slow = update(order_uuid, { name_en: freshLabel() })
    await expect.poll(() => standIn().received.length).toBe(1)
    expect((await update(order_uuid, { status: 'delivered' })).status).toBe(200)
    expect(await rowOf(database.db, order_uuid)).toMatchObject({ shipping_status: 'delivered', label_ar: null })
    updated.resolve()
    expect((await slow).data).toMatchObject({ status: 'delivered', custom_status: { ar: 'slow' } })
  })
})
