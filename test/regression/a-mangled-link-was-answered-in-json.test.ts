import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageRow } from '../../src/http/pages/page.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import { newServices, rows } from '../http/rows.ts'
import { startServer, type TestServer } from '../http/support.ts'

// What went wrong: a customer who opened the link of a checkout that had lost characters within an escape met a line of JSON.

const checkout: PageRow<unknown> = {
  path: '/checkout/:token',
  show: async () => ({ status: 200, headers: {}, body: '' }),
}

let server: TestServer
beforeAll(async () => {
  server = await startServer(rows, newServices(), { pages: { rows: [checkout], showFailure } })
})
afterAll(() => server.stop())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

it.each([
  ['GET', '/checkout/1-abc%', {}, 'en'],
  ['GET', '/checkout/1-abc%?lang=ar', browser, 'ar'],
  ['GET', '/checkout/%E0%A4%A', { 'accept-language': 'ar' }, 'ar'],
  ['POST', '/checkout/%zz', browser, 'en'],
  ['GET', '/%zz', browser, 'en'],
] as const)('%s %s is refused with a page', async (method, path, headers, locale) => {
  const reply = await server.call(method, path, { headers })
  expect(reply.status).toBe(400)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(reply.headers['cache-control']).toContain('no-store')
  expect(reply.headers.connection).toBe('close')
  expect(reply.text).toContain(`<html lang="${locale}"`)
})

it.each([
  ['/api/v1/orders/%zz', browser],
  ['/dashboard/api/%zz', browser],
  ['/%zz', {}],
])('%s of a program is refused with the envelope', async (path, headers) => {
  const reply = await server.call('GET', path, { headers })
  expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ status: false, appended_data: {} })])
})
