import { afterAll, beforeAll, expect, it } from 'vitest'
import { newUuid } from '../../src/lib/ids.ts'
import { type App, makeMerchant, purchase, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { formOf, Shopper } from '../support/shopper.ts'

// What went wrong: the service looked up `{"data":{"invoice_id":"\u0000"}}` from Moyasar's webhook, which anybody may call.
// PostgreSQL refuses a text with a NUL, so the answer was a 500. These tests try every text that a stranger can send.

const database = testDatabase({ leaves: ['due deliveries'] })
const public_url = 'https://localhost:8443'
let app: App
let shop: Awaited<ReturnType<typeof makeMerchant>>

beforeAll(async () => {
  app = await startApp(database, { public_url })
  shop = await makeMerchant(database.db)
})
afterAll(() => app.stop())

const texts = ['\0', 'a\0b', '\ud800', 'é'.repeat(5_000)]
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

type Tried = readonly [what: string, status: number]

async function send(method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await app.send(method, path, { headers, ...(body === undefined ? {} : { bytes: body }) })
  return [`${method} ${path.slice(0, 80)} ${(body ?? '').slice(0, 80)}`, reply.status] as const
}

/** A stranger's input never causes a 5xx. */
const faults = (tried: readonly Tried[]) => tried.filter(([, status]) => status >= 500)

it('the webhook of a Moyasar account ignores an impossible invoice id', async () => {
  for (const invoice_id of [...texts, '', 'x'.repeat(101), 'a b', "'", 7, null, {}]) {
    const reply = await app.send('POST', '/payments/moyasar/1/webhook', {
      bytes: JSON.stringify({ data: { invoice_id } }),
      headers: json,
    })
    expect([reply.status, reply.text]).toEqual([200, 'not ours\n'])
  }
})

it('a part of an address', async () => {
  const tried: Tried[] = []
  for (const odd of ['%00', 'a%00b', '%01', '%C3%A9'.repeat(50), '%ED%A0%80', '%FF', '1%00', `${newUuid()}%00`]) {
    const pages = ['/checkout/@', '/checkout/@/return', '/widget/@', '/assets/@', '/brand/@/1/x', '/brand/1/@/x']
    const more = ['/brand/1/1/@', '/sandbox/pay/@/1', '/sandbox/pay/1/@', '/wallet/@', '/@']
    for (const path of [...pages, ...more]) tried.push(await send('GET', path.replace('@', odd)))
    const reports = [
      '/payments/@/1/1/callback',
      '/payments/moyasar/@/webhook',
      `/payments/paytabs/@/${newUuid()}/callback`,
    ]
    for (const path of [...reports, '/payments/paytabs/1/@/callback', '/checkout/@', '/sandbox/pay/1/@'])
      tried.push(await send('POST', path.replace('@', odd), 'a=1', form))
    tried.push(await send('POST', `/api/v1/orders/checkout/${odd}`, '{}', json))
    for (const path of ['/api/v1/orders/@', '/api/v1/webhooks/@', '/api/v1/webhooks?page=@&per_page=@'])
      tried.push(await send('GET', path.replaceAll('@', odd), undefined, { 'x-api-key': shop.private_key }))
  }
  expect(faults(tried)).toEqual([])
})

it('a value of a query or of a cookie', async () => {
  const tried: Tried[] = []
  const names = [
    'program',
    'at',
    'lang',
    'note',
    'until',
    'before',
    'from',
    'to',
    'period',
    'left',
    'proof',
    'tap',
    'total',
  ]
  const paths = ['/wallet', '/wallet/statement', '/wallet/data', '/terms', '/widget/playground', '/checkout/1-0']
  for (const odd of ['%00', '1%00', '%FF'])
    for (const path of [...paths, `/widget/${shop.public_key}`, '/checkout/1-0/return']) {
      tried.push(await send('GET', `${path}?${names.map((name) => `${name}=${odd}`).join('&')}`))
      for (const name of ['browser', 'lang', 'known', 'wallet', 'session'])
        tried.push(await send('GET', path, undefined, { cookie: `__Host-nuqta-${name}=${odd}` }))
    }
  const callback = `/payments/moyasar/1/${newUuid()}/callback?proof=%00`
  for (const body of ['\0', 'cart_id=%00&tran_ref=%00', '{"tran_ref":"\\u0000"}'])
    tried.push(await send('POST', callback, body, { ...form, signature: 'x' }))
  expect(faults(tried)).toEqual([])
})

/** A body whose every text, and every name of a free field, is odd in turn. */
function spoilt(body: Readonly<Record<string, unknown>>, odd: string): Record<string, unknown>[] {
  const each = Object.keys(body).map((name) => ({ ...body, [name]: odd }))
  const product = { product_name: odd, product_price: 1, quantity: 1, product_id: odd, sku: odd, image: odd }
  return [
    ...each,
    { ...body, metadata: { note: odd } },
    { ...body, metadata: { [odd]: [{ [odd]: odd }] } },
    { ...body, shipping_address: { city: odd, [odd]: 1 } },
    { ...body, products: [product] },
    { ...body, [odd]: odd },
  ]
}

it('a field of a body, or its Idempotency-Key', async () => {
  const tried: Tried[] = []
  const about = { phone_number: '0512345678', name: 'n', callback_url: 'https://shop.example/' }
  const checkout = { total_price: 100, order_number: '1', ...about }
  const rating = {
    phone_number: '0512345678',
    order_number: '1',
    product_id: '1',
    product_name: 'x',
    rating: 5,
    store_name: 'x',
  }
  const webhook = { name: 'w', url: 'https://shop.example/', events: ['order.created'], secret: 's' }
  const uuid = newUuid()
  const ways: readonly (readonly [string, Record<string, unknown>])[] = [
    [`checkout/${shop.public_key}`, checkout],
    ['earning', { ...purchase(), name: 'n', callback_url: 'https://shop.example/' }],
    ['earning/product-rating', rating],
    ['earning/store-rating', rating],
    [`${uuid}/refund`, { amount: 1, reason: 'x', products: [], reference: 'x' }],
    [`${uuid}/status`, { status: 'new', tracking_number: 'x', tracking_url: 'https://shop.example/', carrier: 'x' }],
    [`${uuid}/cancel`, { reason: 'x' }],
    ['../webhooks', webhook],
    ['../integration/status', { status: 'x' }],
  ]
  for (const odd of texts)
    for (const [route, body] of ways)
      for (const one of spoilt(body, odd)) {
        const path = route.startsWith('../') ? `/api/v1/${route.slice(3)}` : `/api/v1/orders/${route}`
        const key = { 'x-api-key': shop.private_key, 'idempotency-key': newUuid() }
        tried.push(await send('POST', path, JSON.stringify(one), { ...json, ...key }))
      }
  for (const key of ['\u0001', '\u00ff', 'é', '%00', '\\u0000'].map((text) => Buffer.from(text).toString('latin1')))
    for (const headers of [{ 'x-api-key': key }, { 'x-api-key': shop.private_key, 'idempotency-key': key }])
      try {
        tried.push(await send('POST', '/api/v1/orders/earning', JSON.stringify(purchase()), { ...json, ...headers }))
      } catch (error) {
        // Node's own client refuses to send it.
        expect(error).toMatchObject({ code: 'ERR_INVALID_CHAR' })
      }
  expect(faults(tried)).toEqual([])
})

it('a field of a form', async () => {
  const reply = await app.send('POST', `/api/v1/orders/checkout/${shop.public_key}`, {
    json: { total_price: 100, order_number: 'form' },
  })
  const path = new URL((reply.body.data as { checkout_url: string }).checkout_url).pathname
  const tried: Tried[] = []
  for (const start of [`${path}?at=number`, '/wallet', `/wallet?program=${shop.program_id}`])
    for (const odd of texts) {
      const me = new Shopper(app.send, public_url)
      const page = await me.open(start)
      const csrf = formOf(page, 'csrf').fields['csrf'] ?? ''
      const post = async (step: string, name: string) => {
        const fields = new URLSearchParams({ csrf, phone: '0512345678', name: 'n', do: step, [name]: odd })
        const { status } = await me.post(start.split('?at')[0] ?? '', fields)
        tried.push([`${start} ${step} ${name}`, status])
      }
      for (const step of ['phone', 'code', 'join', 'continue', 'confirm', 'leave', 'cancel', odd])
        for (const name of ['phone', 'code', 'name', 'points', 'terms', 'program', 'consent', 'due', 'csrf'])
          await post(step, name)
      // It takes the place of the step, whichever that is.
      await post('phone', 'do')
    }
  // Our own form is accepted when only an unused field is odd.
  expect(tried.some(([what, status]) => what.endsWith(' phone points') && status === 200)).toBe(true)
  expect(faults(tried)).toEqual([])
})
