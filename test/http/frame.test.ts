import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newServices, rows, validPurchase } from './rows.ts'
import { DatabaseAway, keys, startServer, type TestServer } from './support.ts'

const services = newServices()
const uuid = '0193e7a1-4b2c-7def-8123-456789abcdef'
let server: TestServer

beforeAll(async () => {
  server = await startServer(rows, services)
})
afterAll(() => server.stop())

const invalidKey = {
  status: false,
  message: 'Invalid or inactive API key',
  appended_data: { hint: expect.any(String) },
}

describe('the envelope', () => {
  it('of a success has `data`, an empty `message` and empty `appended_data`', async () => {
    const reply = await server.call('POST', '/api/v1/orders/earning', { key: keys.good, json: validPurchase })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.body).toEqual({
      status: true,
      message: '',
      appended_data: {},
      data: { body: validPurchase, merchant_id: 7, locale: 'en' },
    })
  })

  it('carries a list as it is, and the `appended_data` of a handler', async () => {
    expect((await server.call('GET', '/api/v1/webhooks', { key: keys.good })).body.data).toEqual([])
    const json = { total_price: 1, order_number: '1' }
    const reply = await server.call('POST', `/api/v1/orders/checkout/${keys.public}`, { json })
    expect(reply.body.appended_data).toEqual({ extra: 1 })
  })

  it('has a new X-Request-Id, whatever the client sends', async () => {
    const headers = { 'x-request-id': 'mine' }
    const ids = new Set<unknown>()
    for (const path of ['/healthz', '/nowhere', '/api/v1/webhooks']) {
      const { headers: answered } = await server.call('GET', path, { headers })
      expect(answered['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      ids.add(answered['x-request-id'])
    }
    expect(ids.size).toBe(3)
  })
})

describe('the order of checks', () => {
  it('a missing, unknown, public or overlong key is 400 before any other check', async () => {
    for (const key of ['', 'x'.repeat(201)])
      expect((await server.call('POST', '/api/v1/orders/earning', { key, bytes: '{' })).body).toEqual(invalidKey)
    expect((await server.call('POST', '/api/v1/orders/earning')).body).toEqual(invalidKey)
    for (const key of ['sk_test_nobody', keys.public]) {
      const reply = await server.call('POST', '/api/v1/orders/earning', {
        key,
        bytes: 'x'.repeat(2_000_000),
        headers: { 'content-type': 'text/plain', 'accept-language': 'ar' },
      })
      expect([reply.status, reply.body]).toEqual([400, invalidKey])
    }
  })

  it('standing and flow are 403 before the body is read', async () => {
    const cases = [
      [keys.unverified, /not verified/],
      [keys.unpublished, /not published/],
      [keys.flowless, /switched off/],
    ] as const
    for (const [key, message] of cases) {
      const reply = await server.call('POST', '/api/v1/orders/earning', { key, bytes: '{' })
      expect(reply.status).toBe(403)
      expect(reply.body.message).toMatch(message)
    }
    expect((await server.call('GET', '/api/v1/webhooks', { key: keys.unverified })).status).toBe(200)
  })

  it('with a malformed uuid, a bad body is 422 and a good one 404', async () => {
    const path = '/api/v1/orders/not-a-uuid/refund'
    expect((await server.call('POST', path, { key: keys.good, json: { amount: -1 } })).status).toBe(422)
    expect((await server.call('POST', path, { key: keys.good, json: { amount: 1 } })).status).toBe(404)
    expect((await server.call('POST', path, { key: 'x', json: { amount: 1 } })).status).toBe(400)
  })

  it('a malformed uuid of any length is 404 after the key check; upper case is accepted', async () => {
    for (const id of ['earning', 'x'.repeat(5_000), '%2e%2e%2fx', `${uuid}0`]) {
      const reply = await server.call('GET', `/api/v1/orders/${id}`, { key: keys.good })
      expect([id.length, reply.status]).toEqual([id.length, 404])
      expect(reply.body.message).toMatch(/^Order not found/)
      expect((await server.call('GET', `/api/v1/orders/${id}`)).body).toEqual(invalidKey)
    }
    const reply = await server.call('DELETE', '/api/v1/webhooks/1', { key: keys.good })
    expect(reply.body.message).toMatch(/^Webhook not found/)
    const found = await server.call('GET', `/api/v1/orders/${uuid.toUpperCase()}?per_page=3`, { key: keys.good })
    expect(found.body.data).toMatchObject({ params: { orderUuid: uuid }, query: { per_page: '3' } })
  })
})

describe('paths and methods', () => {
  it('an unknown path is 404 without a key, and its body is not read', async () => {
    for (const path of ['/', '/api', '/api/v1', '/api/v1/orders/earning/', '/v1/orders/earning', '/API/v1/webhooks']) {
      const reply = await server.call('POST', path, { bytes: '{', headers: { 'content-type': 'text/html' } })
      expect([path, reply.status]).toEqual([path, 404])
      expect(reply.body.message).toMatch(/^Path not found/)
    }
  })

  it('a wrong method is 405 with Allow, unusual ones included', async () => {
    for (const method of ['GET', 'HEAD'].concat(['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH'])) {
      const reply = await server.call(method, `/api/v1/orders/${uuid}/capture?lang=en`, { key: keys.good })
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'POST'])
    }
    const list = await server.call('POST', '/api/v1/webhooks', { key: keys.good, json: {} })
    expect([list.status, list.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect((await server.call('POST', '/healthz')).headers.allow).toBe('GET, HEAD')
  })

  it('an unknown method is 405 on a known path and 404 elsewhere', async () => {
    expect(await server.raw('BREW /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 [\s\S]*\r\nallow: POST\r\n[\s\S]*"status":false/,
    )
    expect(await server.raw('BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 404 [\s\S]*"status":false/)
  })

  it('HEAD works wherever GET does', async () => {
    const reply = await server.call('HEAD', '/api/v1/webhooks', { key: keys.good })
    expect([reply.status, reply.text]).toEqual([200, ''])
    expect((await server.call('HEAD', '/api/v1/webhooks')).status).toBe(400)
  })
})

describe('CORS', () => {
  const path = `/api/v1/orders/checkout/${keys.public}`

  it('allows any origin at checkout, with Idempotency-Key', async () => {
    const reply = await server.call('OPTIONS', path, {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' })
    expect(reply.headers['access-control-allow-headers']).toMatch(/Content-Type.*Idempotency-Key/)
  })

  it('covers the errors of checkout', async () => {
    const calls = [
      server.call('POST', '/api/v1/orders/checkout/pk_test_nobody', { json: {} }),
      server.call('POST', path, { json: {} }),
      server.call('POST', path, { bytes: 'x', headers: { 'content-type': 'text/plain' } }),
      server.call('PUT', path, { json: {} }),
    ]
    const replies = await Promise.all(calls)
    expect(replies.map(({ status }) => status)).toEqual([400, 422, 415, 405])
    for (const { headers } of replies) expect(headers['access-control-allow-origin']).toBe('*')
  })

  it('covers nothing else', async () => {
    const reply = await server.call('OPTIONS', '/api/v1/orders/earning', {
      headers: { origin: 'https://shop.example' },
    })
    expect(reply.status).toBe(405)
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the locale', () => {
  it('follows the qualities of Accept-Language, and `lang` wins over it', async () => {
    const messageFor = async (path: string, language: string) =>
      (await server.call('GET', path, { headers: { 'accept-language': language } })).body.message
    expect(await messageFor('/nowhere', 'en;q=0.5, ar-SA;q=0.9')).toMatch(/المسار/)
    expect(await messageFor('/nowhere?lang=en', 'ar')).toMatch(/Path not found/)
    expect(await messageFor('/nowhere?lang=fr', 'ar')).toMatch(/المسار/)
    expect(await messageFor('/nowhere?lang=fr&lang=ar', 'en')).toMatch(/المسار/)
  })

  it('reaches handlers and validation texts', async () => {
    const path = '/api/v1/orders/earning?lang=ar'
    const echo = await server.call('POST', path, { key: keys.good, json: validPurchase })
    expect(echo.body.data).toMatchObject({ locale: 'ar' })
    const invalid = await server.call('POST', path, { key: keys.good, json: {} })
    expect(invalid.body.message).toBe('البيانات المدخلة غير صالحة.')
    expect(invalid.body.errors?.['total_price']).toEqual(['حقل المبلغ الإجمالي مطلوب.'])
  })
})

describe('an error inside', () => {
  const fail = async (failure: unknown) => {
    services.failure = failure
    return server.call('POST', '/api/v1/failing', { key: keys.good })
  }

  it('is 503 with Retry-After when the database cannot be reached, in the handler and in the key check', async () => {
    const reply = await fail(new DatabaseAway('connect ECONNREFUSED 10.0.0.1'))
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(reply.text).not.toMatch(/10\.0\.0\.1/)
    server.database.error = new DatabaseAway()
    expect((await server.call('GET', '/api/v1/webhooks', { key: keys.good })).status).toBe(503)
    server.database.error = undefined
    expect((await server.call('GET', '/api/v1/webhooks', { key: keys.good })).status).toBe(200)
  })

  it('is logged for many requests at a time that fail for the same reason, not for each', async () => {
    const path = '/api/v1/failing'
    services.failure = new DatabaseAway('connect ECONNREFUSED 10.0.0.50')
    const before = server.logged.length
    await Promise.all(Array.from({ length: 50 }, () => server.call('POST', path, { key: keys.good })))
    const logged = server.logged.slice(before).filter((line) => line.includes('"database unavailable"'))
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.length).toBeLessThan(50)
  })

  it('is 500 without internals otherwise, and its cause is logged with the request id', async () => {
    for (const error of [new Error('relation "secret_table" does not exist'), 'not even an error', null]) {
      const reply = await fail(error)
      expect([reply.status, reply.body.status]).toEqual([500, false])
      expect(reply.text).not.toMatch(/secret_table|not even/)
      const id = String(reply.headers['x-request-id'])
      expect(server.logged.some((line) => line.includes(id) && line.includes('unexpected error'))).toBe(true)
    }
    expect(server.logged.join('')).toMatch(/secret_table/)
  })

  it('of a handler is 500, even if it looks like an error of a body', async () => {
    const reply = await fail(Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 }))
    expect(reply.status).toBe(500)
  })
})

describe('health', () => {
  it('shows whether the process lives and whether it can serve', async () => {
    expect((await server.call('GET', '/healthz')).body).toMatchObject({ status: true, data: { healthy: true } })
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    server.database.ready = false
    const reply = await server.call('GET', '/readyz')
    server.database.ready = true
    expect([reply.status, reply.body.status]).toEqual([503, false])
    expect((await server.call('GET', '/healthz')).status).toBe(200)
  })
})

describe('a start', () => {
  it('does not load the compilers of schemas that no route has', () => {
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    expect(loaded.filter((path) => /[\\/]fastify[\\/]fastify\.js$/.test(path))).toHaveLength(1)
    expect(loaded.filter((path) => /[\\/](ajv|fast-json-stringify)-compiler[\\/]/.test(path))).toEqual([])
  })
})
