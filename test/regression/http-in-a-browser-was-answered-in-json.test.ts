import { afterAll, beforeAll, expect, it } from 'vitest'
import { newServices, rows } from '../http/rows.ts'
import { startServer, type TestServer } from '../http/support.ts'

// What went wrong: browsers try `http://localhost:8443` first, and a newcomer who typed `localhost:8443` met a line of JSON.

const site = 'https://points.example:8443'
let sandbox: TestServer
let production: TestServer

beforeAll(async () => {
  sandbox = await startServer(rows, newServices(), { redirect_browsers_to: site, trust_proxy: ['127.0.0.2'] })
  production = await startServer(rows, newServices(), {})
})
afterAll(async () => {
  await sandbox.stop()
  await production.stop()
})

const accept = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'

async function ask(server: TestServer, line: string, ...headers: string[]) {
  const sent = `${line} HTTP/1.1\r\n${['Host: evil.example', ...headers].join('\r\n')}\r\n\r\n`
  const [head = '', text = ''] = (await server.rawPlain(sent)).split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), location: /^location: (.*)$/im.exec(head)?.[1], text }
}

it.each([
  ['GET /', '/'],
  ['GET /docs?lang=ar', '/docs?lang=ar'],
  ['GET //evil.example/', '//evil.example/'],
  ['GET http://evil.example/', '/'],
  ['GET /apiary', '/apiary'],
  ['GET /dashboard/', '/dashboard/'],
])('%s of a browser is sent to the public address', async (line, path) => {
  expect(await ask(sandbox, line, accept)).toEqual({
    status: 307,
    location: site + path,
    text: `This address needs HTTPS: ${site}${path}\n`,
  })
})

it.each([
  ['another method', 'POST /wallet', [accept, 'Content-Length: 0']],
  ['a program', 'GET /', ['Accept: application/json']],
  ['one that says nothing', 'GET /', []],
  ['the API', 'GET /api/v1/webhooks', [accept]],
  ['the API of the dashboard', 'GET /dashboard/api/session', [accept]],
  ['a proxy that is not trusted', 'GET /', [accept, 'X-Forwarded-For: 203.0.113.9']],
])('%s is told that HTTPS is required', async (_, line, headers) => {
  const { status, location, text } = await ask(sandbox, line, ...headers)
  expect([status, location, JSON.parse(text)]).toMatchObject([400, undefined, { status: false }])
})

it('in production every client gets that answer', async () => {
  expect(await ask(production, 'GET /', accept)).toMatchObject({ status: 400, location: undefined })
})

it('has an X-Request-Id, as every answer has', async () => {
  const reply = await sandbox.rawPlain(`GET / HTTP/1.1\r\nHost: points.example\r\n${accept}\r\n\r\n`)
  expect(reply).toMatch(/^HTTP\/1\.1 307 [\s\S]*^x-request-id: [\da-f-]{36}\r$/im)
})
