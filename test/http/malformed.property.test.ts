import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRaw, type Reply } from './client.ts'
import { newServices, rows, validPurchase } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

// Guarantee: any request gets the envelope with a request id, and never a 5xx.

const long = process.env['NUQTA_TEST_LONG'] === '1' ? 10 : 1
/** Without the row that always fails. */
const sampled = rows.filter((row) => row.path !== '/v1/failing')
let server: TestServer

beforeAll(async () => {
  server = await startServer(sampled, newServices(), {
    limits: { headers_ms: 2_000, request_ms: 2_000, keep_alive_ms: 2_000 },
  })
})
afterAll(() => server.stop())

function expectEnvelope(reply: Reply, method: string): void {
  expect(reply.status).toBeGreaterThanOrEqual(200)
  expect(reply.status).toBeLessThan(500)
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  if (method === 'HEAD' || reply.status === 204) return
  expect(reply.body).toMatchObject({ status: reply.status === 200, appended_data: expect.any(Object) })
  expect(typeof reply.body.message).toBe('string')
  expect(reply.body.errors !== undefined).toBe(reply.status === 422)
}

/**
 * Any but half of a pair. For its own `binary`, and in `webSegment`, fast-check lists a million characters first, which
 * takes longer than all requests.
 */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code))
/** What a segment of a path may hold, and a few other characters as `%C3%A9`. */
const segmentCharacter = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@"),
  },
  character.map(encodeURIComponent),
)
const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'v1',
    'orders',
    'earning',
    'checkout',
    'webhooks',
    keys.public,
    'refund',
    'capture',
    'healthz',
  ),
  fc.constantFrom('0193e7a1-4b2c-7def-8123-456789abcdef', '%', '%00', '%zz', '..', '.', '%2e%2e%2f', '*', ':orderUuid'),
  fc.string({ unit: segmentCharacter }),
)
const knownPath = fc.constantFrom(
  ...sampled.map(
    ({ path }) =>
      `/api${path.replace(':publicKey', keys.public).replace(/:\w+/, '0193e7a1-4b2c-7def-8123-456789abcdef')}`,
  ),
)
const query = fc.oneof(
  fc.constant(''),
  fc.constantFrom('?lang=ar', '?lang[]=x', '?lang=%ff', '?__proto__[a]=1', '?=', '?lang=ar&lang=en'),
)
const path = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: knownPath },
      fc.array(segment, { maxLength: 6 }).map((all) => `/${all.join('/')}`),
    ),
    query,
  )
  .map(([before, after]) => before + after)
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
  fc.constantFrom('TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'PURGE', 'M-SEARCH', 'LOCK', 'REPORT'),
)
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constant(keys.good) },
  fc.constantFrom('', ' ', 'x', keys.public, keys.unverified, 'é'),
)
const type = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    '',
    'text/plain',
    'application/json; charset=utf-16',
    ';',
    'a/b; c="',
    'multipart/form-data',
    'application/json, text/plain',
  ),
)
const changed = fc
  .record({
    field: fc.constantFrom(...Object.keys(validPurchase), 'metadata', 'name', '__proto__', 'constructor'),
    value: fc.jsonValue(),
  })
  .map(({ field, value }) =>
    JSON.stringify(Object.defineProperty({ ...validPurchase }, field, { value, enumerable: true })),
  )
const body = fc.oneof(
  { weight: 3, arbitrary: changed },
  fc.json(),
  fc.json().map((text) => text.slice(0, -1)),
  fc.string({ unit: character }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    '',
    '{}',
    '[]',
    'null',
    '{"total_price":1e999}',
    '\ufeff{}',
    '{"a":"\\ud800"}',
    `{"a":${'['.repeat(20_000)}`,
  ),
)

describe('malformed requests', () => {
  it(
    'get the envelope and no 5xx',
    async () => {
      const request = fc.record({ method, path, key, type, body, encoding: fc.constantFrom('identity', 'gzip', '') })
      const property = fc.asyncProperty(request, async ({ method, path, key, type, body, encoding }) => {
        const headers = { 'content-type': type, 'content-encoding': encoding }
        expectEnvelope(await server.call(method, path, { key, headers, bytes: body }), method)
      })
      await fc.assert(property, { numRuns: 4_500 * long, endOnFailure: long === 1 })
    },
    600_000 * long,
  )

  it(
    'get them even when they are hardly HTTP',
    async () => {
      const line = fc.oneof(
        fc
          .tuple(method, path, fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.9', 'HTCPCP/1.0', ''))
          .map((parts) => parts.join(' ')),
        fc.string({ maxLength: 40 }),
      )
      const header = fc.oneof(
        fc.constantFrom(
          'Host: x',
          'Host: x',
          'Content-Length: 5',
          'Content-Length: -5',
          'Content-Length: 99999999999999999999',
        ),
        fc.constantFrom(
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: gzip',
          'Expect: 100-continue',
          'Upgrade: h2c',
        ),
        fc.constantFrom(
          `x-api-key: ${keys.good}`,
          'Content-Type: application/json',
          'Connection: close',
          ' folded',
          ': empty',
          'a:\u0000b',
        ),
        fc.string({ maxLength: 30 }),
      )
      const request = fc.record({
        line,
        headers: fc.array(header, { maxLength: 6 }),
        body: fc.constantFrom('', '{}', '5\r\nabcde\r\n0\r\n\r\n', 'zz\r\n'),
      })
      const property = fc.asyncProperty(request, async ({ line, headers, body }) => {
        const text = await server.raw(`${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
        const answer = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
        const method = line.split(' ', 1)[0] ?? ''
        expectEnvelope(parseRaw(answer), method)
      })
      await fc.assert(property, { numRuns: 500 * long, endOnFailure: long === 1 })
    },
    600_000 * long,
  )
})
