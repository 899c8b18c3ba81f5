import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseRaw } from './client.ts'
import { newServices, rows } from './rows.ts'
import { startServer, type TestServer } from './support.ts'

let servers: TestServer[]
beforeAll(async () => {
  const trust_proxy = ['127.0.0.2']
  const limits = { headers_ms: 400 }
  servers = [
    await startServer(rows, newServices(), { hsts: true, trust_proxy, limits }),
    await startServer(rows, newServices()),
  ]
})
afterAll(async () => {
  for (const server of servers) await server.stop()
})

const get = (path: string, headers = 'Host: localhost\r\n') =>
  `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

const requests: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ['a success', get('/healthz'), 200],
  ['an unknown path', get('/nowhere'), 404],
  ['a bad key', get('/api/v1/webhooks'), 400],
  ['a preflight', get('/api/v1/orders/checkout/x').replace('GET', 'OPTIONS'), 204],
  ['a request without a host', get('/healthz', ''), 400],
  ['a path that cannot be decoded', get('/%zz'), 400],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\n\r\n', 405],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ['headers that never arrive', 'GET / HTTP/1.1\r\n', 408],
]

it.each(requests)('the answer to %s has HSTS in production', async (_, bytes, status) => {
  const [production, sandbox] = servers
  const secure = parseRaw((await production?.raw(bytes)) ?? '')
  expect([secure.status, secure.headers['strict-transport-security']]).toEqual([status, 'max-age=63072000'])
  if (status === 408) return
  const plain = parseRaw((await sandbox?.raw(bytes)) ?? '')
  expect([plain.status, plain.headers['strict-transport-security']]).toEqual([status, undefined])
})

it('an answer without encryption has no HSTS, since browsers must ignore it', async () => {
  for (const bytes of [get('/healthz'), 'nonsense\r\n\r\n']) {
    const reply = parseRaw((await servers[0]?.rawPlain(bytes)) ?? '')
    expect([reply.status, reply.headers['strict-transport-security']]).toEqual([400, undefined])
  }
})
