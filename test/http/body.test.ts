import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOptions } from './client.ts'
import { newServices, rows, validPurchase } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

const uuid = '0193e7a1-4b2c-7def-8123-456789abcdef'
let server: TestServer

beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

const json = { 'content-type': 'application/json' }
const earn = (options: CallOptions) => server.call('POST', '/api/v1/orders/earning', { key: keys.good, ...options })
const refund = (options: CallOptions) =>
  server.call('POST', `/api/v1/orders/${uuid}/refund`, { key: keys.good, ...options })
const capture = (options: CallOptions) =>
  server.call('POST', `/api/v1/orders/${uuid}/capture`, { key: keys.good, ...options })

const required = ['phone_number', 'total_price', 'products', 'order_number']

describe('bodies that cannot be read', () => {
  it('malformed JSON and invalid UTF-8 are 400', async () => {
    const latin1 = Buffer.from('{"name":"caf\xe9"}', 'latin1')
    const overlong = Buffer.from([0x22, 0xc0, 0x80, 0x22])
    for (const bytes of ['{', '{"a":1,}', 'null x', '\u0000', "{'a':1}", latin1, overlong]) {
      const reply = await earn({ bytes, headers: json })
      expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(/not valid JSON/)])
    }
  })

  it('a byte order mark is ignored', async () => {
    const reply = await earn({ bytes: `\ufeff${JSON.stringify(validPurchase)}`, headers: json })
    expect(reply.status).toBe(200)
  })

  it('a wrong, missing or misspelt content type is 415, and so is compression', async () => {
    const bytes = JSON.stringify(validPurchase)
    const wrong = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'json',
      ';',
      'application/json2',
    ]
    for (const type of wrong)
      expect([type, (await earn({ bytes, headers: { 'content-type': type } })).status]).toEqual([type, 415])
    expect((await earn({ bytes })).status).toBe(415)
    const gzipped = { ...json, 'content-encoding': 'gzip' }
    expect((await earn({ bytes: gzipSync(bytes), headers: gzipped })).status).toBe(415)
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;x'])
      expect([type, (await earn({ bytes, headers: { 'content-type': type } })).status]).toEqual([type, 200])
  })

  it('a body over 1 MiB is 413, with or without a declared length; one of 1 MiB is read', async () => {
    const sized = (bytes: number) => {
      const shell = JSON.stringify({ ...validPurchase, unknown: '' })
      return JSON.stringify({ ...validPurchase, unknown: 'x'.repeat(bytes - shell.length) })
    }
    expect((await earn({ bytes: sized(1_048_576), headers: json })).status).toBe(200)
    expect((await earn({ bytes: sized(1_048_577), headers: json })).status).toBe(413)
    const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.good}\r\nConnection: close\r\n`
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}1\r\nx\r\n0\r\n\r\n`
    expect(await server.raw(chunked)).toMatch(/^HTTP\/1.1 413 [\s\S]*"status":false/)
  })

  it('a refused body does not end the connection', async () => {
    for (const options of [
      { bytes: '{', headers: json },
      { bytes: 'x', headers: { 'content-type': 'text/plain' } },
    ]) {
      const reply = await earn(options)
      expect(reply.headers.connection).toBe('keep-alive')
    }
  })
})

describe('empty bodies and bodies that are not objects', () => {
  it('where a body is required, all required fields are reported', async () => {
    const bodies: CallOptions[] = [
      {},
      { headers: json },
      { bytes: '', headers: { 'content-type': 'text/plain' } },
      ...[[], [validPurchase], null, 'text', 5, true, {}].map((value) => ({ json: value })),
    ]
    for (const body of bodies) {
      const reply = await earn(body)
      expect(reply.status).toBe(422)
      expect(Object.keys(reply.body.errors ?? {})).toEqual(required)
    }
  })

  it('where it is optional, an empty one is accepted with or without Content-Type', async () => {
    const types = [{}, json, { 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }]
    for (const headers of types) {
      expect((await refund({ headers })).body.data).toEqual({ body: {}, params: { orderUuid: uuid } })
      expect((await refund({ headers, bytes: '' })).status).toBe(200)
      expect((await capture({ headers })).status).toBe(200)
      expect((await server.call('DELETE', `/api/v1/webhooks/${uuid}`, { key: keys.good, headers })).status).toBe(200)
      expect((await server.call('GET', '/api/v1/webhooks', { key: keys.good, headers })).status).toBe(200)
    }
  })

  it('where it is optional, a body that is no object is refused, not read as an empty one', async () => {
    for (const value of [[50], [[]], '50', 50, null]) {
      for (const reply of [await refund({ json: value }), await capture({ json: value })]) {
        expect([reply.status, reply.body.errors]).toEqual([422, { body: ['The body must be an object.'] }])
      }
    }
    expect((await refund({ bytes: '50', headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await capture({ bytes: '{', headers: json })).status).toBe(400)
  })

  it('`[]`, as PHP writes an empty object, is read as an empty object', async () => {
    for (const bytes of ['[]', ' [ ] ']) {
      expect((await refund({ bytes, headers: json })).body.data).toEqual({ body: {}, params: { orderUuid: uuid } })
      expect((await capture({ bytes, headers: json })).status).toBe(200)
    }
  })

  it('null counts as absent in optional fields, and unknown fields are left out', async () => {
    const reply = await refund({ json: { amount: null, reason: '  ', extra: 1, __proto__: { a: 1 } } })
    expect(reply.body.data).toEqual({ body: {}, params: { orderUuid: uuid } })
  })
})
