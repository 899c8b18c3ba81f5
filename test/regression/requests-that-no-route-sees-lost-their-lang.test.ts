import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRaw } from '../http/client.ts'
import { newServices, rows } from '../http/rows.ts'
import { keys, startServer, type TestServer } from '../http/support.ts'

// A URL that does not decode, a body with a broken chunk and plain HTTP were refused in English although the query asked
// for Arabic: only routes read `lang` (docs/spec/api.md#locale).

let server: TestServer
beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

const get = (path: string, language = 'en') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: ${language}\r\nConnection: close\r\n\r\n`
const arabic = /[\u0600-\u06ff]/

it.each([
  ['/api/v1/orders/%zz?lang=ar', true],
  ['/api/v1/orders/%zz?page=2&lang=fr&lang=ar', true],
  ['/api/v1/orders/%zz?lang=', false],
  ['/api/v1/orders/%zz', false],
  ['/api/v1/orders/%zz/lang=ar', false],
])('%s is refused in its language', async (path, in_arabic) => {
  const { status, body } = parseRaw(await server.raw(get(path)))
  expect(status).toBe(400)
  expect(arabic.test(body.message ?? '')).toBe(in_arabic)
})

it('`lang` wins over Accept-Language there too', async () => {
  const { body } = parseRaw(await server.raw(get('/api/v1/orders/%zz?lang=en', 'ar')))
  expect(body.message).toMatch(/^The HTTP request is malformed/)
})

it('plain HTTP is refused in the language of the query', async () => {
  const { status, body } = parseRaw(await server.rawPlain(get('/api/v1/webhooks?lang=ar')))
  expect(status).toBe(400)
  expect(body.message).toMatch(arabic)
})

it.each([
  ['?lang=ar', 'en'],
  ['', 'ar'],
])('a broken chunk behind %s is refused in the language of its request', async (query, language) => {
  const lines = [
    `POST /api/v1/orders/earning${query} HTTP/1.1`,
    'Host: localhost',
    `Accept-Language: ${language}`,
    `x-api-key: ${keys.good}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  const { status, body } = parseRaw(await server.raw(`${lines.join('\r\n')}\r\n\r\nzz\r\n`))
  expect(status).toBe(400)
  expect(body.message).toMatch(arabic)
})
