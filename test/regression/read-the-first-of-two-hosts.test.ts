import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRaw } from '../http/client.ts'
import { newServices, rows } from '../http/rows.ts'
import { keys, startServer, type TestServer } from '../http/support.ts'

// What went wrong: the service read the first of two `Host` lines, although a proxy may read the second, and accepted a `Host`
// that names no host. RFC 9112 3.2 requires a 400.

let server: TestServer
beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

async function ask(
  version: string,
  ...headers: readonly string[]
): Promise<readonly [status: number, message: string]> {
  const text = [`GET /api/v1/webhooks HTTP/${version}`, ...headers, 'Connection: close', '', ''].join('\r\n')
  const { status, body } = parseRaw(await server.raw(text))
  return [status, body.message ?? '']
}

describe('a request', () => {
  const key = `x-api-key: ${keys.good}`
  const malformed = [400, expect.stringMatching(/malformed/)]
  const table: readonly (readonly [what: string, lines: string[]])[] = [
    ['with two hosts', ['1.1', 'Host: localhost', 'Host: evil.example', key]],
    ['with the same host twice', ['1.1', 'Host: localhost', 'hOST: localhost', key]],
    ['with two hosts by HTTP/1.0', ['1.0', 'Host: localhost', 'Host: evil.example', key]],
    ['without a host', ['1.1', key]],
    ['with a list of hosts', ['1.1', 'Host: localhost, evil.example', key]],
    ['with a URL as its host', ['1.1', 'Host: https://localhost/', key]],
    ['with a user in its host', ['1.1', 'Host: me@localhost', key]],
    ['with two lengths', ['1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 2', key]],
    ['with a length and in chunks', ['1.1', 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked', key]],
  ]
  test.each(table)('%s is a 400', async (_, [version = '', ...headers]) => {
    expect(await ask(version, ...headers)).toEqual(malformed)
  })

  test.each<[version: string, hosts: string[]]>([
    ['1.1', ['Host: localhost:8443']],
    ['1.1', ['Host: [::1]:8443']],
    ['1.1', ['Host:']],
    ['1.0', []],
  ])('is served by HTTP/%s with %j', async (version, hosts) => {
    expect((await ask(version, ...hosts, key))[0]).toBe(200)
  })

  test.each([
    [[key, key]],
    [[key, 'x-api-key: sk_test_other']],
    [['x-api-key: sk_test_other', key]],
    [[key, 'X-Api-Key:']],
  ])('with two keys has none: %j', async (lines) => {
    expect(await ask('1.1', 'Host: localhost', ...lines)).toEqual([400, 'Invalid or inactive API key'])
  })
})
