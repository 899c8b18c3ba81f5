import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/domain/ids.ts'
import { purgeRequests, RequestLog } from '../../../src/features/requests/service.ts'
import { type App, makeMerchant, purchase, startApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { cookieOf, signedInAs } from '../../support/signed-in.ts'

// The request log of merchants shows enough to find a mistake, and no personal text.

const database = testDatabase()

type Merchant = Awaited<ReturnType<typeof makeMerchant>>
let app: App
let log: RequestLog
let shop: Merchant
let other: Merchant

beforeAll(async () => {
  log = new RequestLog({ db: database.db, count: () => undefined, onFailure: (error) => expect(error).toBeNull() })
  shop = await makeMerchant(database.db)
  other = await makeMerchant(database.db, { program_id: shop.program_id })
  app = await startApp(database, { keepRequest: log.keep, dashboard: signedInAs([{ ...shop, role: 'read_only' }]) })
})
afterAll(() => app.stop())

const secret_phone = '0598765432'
type Listed = Readonly<Record<string, unknown>>

async function list(
  query = '',
  of = shop,
): Promise<{ rows: Listed[]; next: string | null; status: number; text: string }> {
  await log.flush()
  const path = `/dashboard/api/merchants/${of.merchant_id}/requests${query}`
  const { status, body, text } = await app.send('GET', path, { headers: { cookie: cookieOf('read_only') } })
  const { data = [], next = null } = body as { data?: Listed[]; next?: string | null }
  return { rows: data, next, status, text }
}

describe('a request that was refused', () => {
  it('is listed with its fields and their kinds, without a value, and with what the API said', async () => {
    const json = {
      ...purchase({ phone_number: secret_phone, total_price: -1, metadata: { 'a name as a key': 'Noura' } }),
      [secret_phone]: 1,
      products: [{ product_name: 'Saffron for Noura', product_price: 'x', quantity: 2 }],
    }
    const reply = await app.post('/v1/orders/earning', shop.private_key, json)
    expect(reply.status).toBe(422)
    const { rows, text } = await list(`?request_id=${reply.headers['x-request-id']}`)
    expect(rows).toEqual([
      {
        request_id: reply.headers['x-request-id'],
        at: expect.stringMatching(/^20\d\d-.*Z$/),
        method: 'POST',
        route: '/api/v1/orders/earning',
        order_uuid: null,
        status: 422,
        duration_ms: expect.any(Number),
        failure: 'validation',
        message: expect.any(String),
        fields: ['total_price', 'products.0.product_price'],
        body_bytes: Buffer.byteLength(JSON.stringify(json)),
        body: {
          fields: {
            phone_number: 'text:10',
            total_price: 'number',
            order_number: expect.stringMatching(/^text:\d+$/),
            products: 'list:1',
            'products.*.product_name': 'text:17',
            'products.*.product_price': 'text:1',
            'products.*.quantity': 'number',
            metadata: 'object:1',
          },
          unknown: 1,
        },
        more: 0,
      },
    ])
    const stored = await database.owner.run<{ row: string }>({
      text: 'select r::text as row from request_log r',
      values: [],
    })
    const everything = JSON.stringify(stored) + text
    for (const value of [secret_phone, secret_phone.slice(1), 'Noura', 'Saffron', 'a name as a key', shop.private_key])
      expect(everything).not.toContain(value)
  })

  it('for the standing of its merchant is listed too', async () => {
    const closed = await makeMerchant(database.db, { program_id: shop.program_id, changes: { published: false } })
    const reply = await app.post('/v1/orders/earning', closed.private_key, purchase())
    expect(reply.status).toBe(403)
    await log.flush()
    const stored = await database.db.run({
      text: 'select failure from request_log where program_id = $1 and request_id = $2',
      values: [closed.program_id, reply.headers['x-request-id']],
    })
    expect(stored).toEqual([{ failure: 'merchant_not_published' }])
  })

  it('names the order of its path, and not the path', async () => {
    const uuid = '0193e7a1-0000-7000-8000-0000000000aa'
    const reply = await app.post(`/v1/orders/${uuid}/cancel`, shop.private_key, {})
    const { rows } = await list(`?request_id=${reply.headers['x-request-id']}`)
    expect(rows).toMatchObject([
      { route: '/api/v1/orders/:orderUuid/cancel', order_uuid: uuid, failure: 'order_not_found' },
    ])
  })
})

describe('the list', () => {
  it('never shows the public key of a checkout', async () => {
    const reply = await app.call('POST', `/v1/orders/checkout/${shop.public_key}`, { json: {} })
    const { rows, text } = await list(`?request_id=${reply.headers['x-request-id']}`)
    expect(rows).toMatchObject([{ route: '/api/v1/orders/checkout/:publicKey' }])
    expect(text).not.toContain(shop.public_key)
  })

  it('goes page by page, the newest first, by any filter', async () => {
    for (let n = 0; n < 3; n += 1) await app.get('/v1/webhooks', shop.private_key)
    const route = encodeURIComponent('/api/v1/webhooks')
    const first = await list(`?route=${route}&status=2xx&limit=2`)
    const second = await list(`?route=${route}&status=2xx&limit=2&after=${first.next}`)
    const ids = [...first.rows, ...second.rows].map(({ request_id }) => String(request_id))
    expect(ids).toEqual(ids.toSorted().reverse())
    expect([first.rows.length, second.rows.length, second.next]).toEqual([2, 1, null])
    const refused = await list('?status=4xx&failure=validation')
    expect(new Set(refused.rows.map(({ failure }) => failure))).toEqual(new Set(['validation']))
    expect((await list('?status=5xx')).rows).toEqual([])
  })

  it('shows only one merchant', async () => {
    const reply = await app.get('/v1/webhooks', other.private_key)
    expect((await list(`?request_id=${reply.headers['x-request-id']}`)).rows).toEqual([])
    expect((await list('', other)).status).toBe(404)
  })

  it('refuses an unknown filter', async () => {
    for (const query of ['?status=3xx', '?after=x', '?request_id=x', '?limit=x'])
      expect((await list(query)).status).toBe(422)
  })

  it('has no request of the dashboard', async () => {
    const { rows } = await list()
    expect(rows.filter(({ route }) => !String(route).startsWith('/api/'))).toEqual([])
  })
})

it('requests are purged after their days, and no sooner', async () => {
  const now = new Date()
  const day_ms = 86_400_000
  const insert = (age_days: number) =>
    log.keep({
      request_id: uuidV7(now.getTime() - age_days * day_ms, Buffer.alloc(16, age_days)),
      program_id: shop.program_id,
      merchant_id: shop.merchant_id,
      method: 'GET',
      route: `/api/of-${age_days}`,
      ...{ order_uuid: null, status: 200, duration_ms: 1, failure: null, fields: [], body_bytes: null, body: null },
    })
  for (const age_days of [29, 31]) insert(age_days)
  await log.flush()
  expect(await purgeRequests(database.db, now, 30)).toBe(1)
  expect((await list('?route=/api/of-29')).rows).toHaveLength(1)
})
