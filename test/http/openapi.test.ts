import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { object, text } from '../../src/http/api/fields.ts'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { route } from '../../src/http/api/route.ts'
import { createServer } from '../../src/http/server.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { newServices, rows } from './rows.ts'
import { formKeys, nobodySignedIn, startServer, type TestServer } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

/** Every value in a JSON document, with the keys that lead to it. */
function* values(value: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* values(inner, [...path, key])
}

describe('the API description', () => {
  const description = buildOpenApi(rows)

  it('is OpenAPI 3.1, version 1.0.0, and is served as built', async () => {
    expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    const reply = await server.call('GET', '/api/openapi.json')
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(reply.text)).toEqual(description)
  })

  it('lists every row and nothing else', () => {
    const paths: Record<string, object> = Reflect.get(description, 'paths')
    const listed = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    const expected = rows.map((row) => `${row.method.toLowerCase()} ${row.path.replace(/:(\w+)/, '{$1}')}`)
    expect(listed.sort()).toEqual(expected.sort())
  })

  it('names the statuses of each row', () => {
    const statuses = (path: string, method: string) => {
      const operation = Object.entries(description).find(([key]) => key === 'paths')?.[1][path][method]
      return Object.keys(operation.responses).join(' ')
    }
    expect(statuses('/v1/orders/earning', 'post')).toBe('200 400 403 408 409 413 415 422 429 500 503')
    expect(statuses('/v1/orders/{orderUuid}', 'get')).toBe('200 400 404 500 503')
    expect(statuses('/v1/webhooks/{uuid}', 'delete')).toBe('200 400 404 408 413 415 422 429 500 503')
  })

  it('has no broken reference and no internal marks', () => {
    const all = [...values(description)]
    const references = all.filter(([path]) => path.at(-1) === '$ref').map(([, to]) => String(to))
    expect(references.length).toBeGreaterThan(20)
    const known = new Set(all.map(([path]) => `#/${path.join('/')}`))
    expect(references.filter((to) => !known.has(to))).toEqual([])
    expect(all.filter(([path]) => path.some((key) => key.startsWith('~')))).toEqual([])
  })

  it('asks for the private key where the row does, and has unique operation ids', () => {
    const operations = [...values(description)].filter(([path]) => path.at(-1) === 'operationId').map(([, id]) => id)
    expect(new Set(operations).size).toBe(rows.length)
    expect(description).toMatchObject({
      paths: {
        '/v1/orders/earning': { post: { security: [{ private_key: [] }] } },
        '/v1/orders/checkout/{publicKey}': { post: { security: [] } },
      },
    })
  })
})

describe('the route table', () => {
  const described = { tag: 'T', summary: 'S', data: Type.Object({}), handle: async () => ({}) } as const

  it('refuses rows that contradict themselves', () => {
    type Contradiction = { flow?: 'earning'; standing?: 'published'; key?: 'public' | 'none'; cors?: 'any' }
    const make = (row: Contradiction) => () => route({ post: '/v1/x', key: 'private', ...described, ...row })
    expect(make({ flow: 'earning' })).toThrow(/published merchant/)
    expect(make({ key: 'none', standing: 'published' })).toThrow(/needs a key/)
    expect(make({ key: 'public' })).toThrow(/lacks :publicKey/)
    expect(make({ cors: 'any' })).toThrow(/private key/)
    for (const path of ['v1/x', '/v1/x/', '/v1/{x}', '/V1', '/v1//x'])
      expect(() => route({ post: path, key: 'private', ...described })).toThrow(/segments/)
    expect(() => route({ get: '/v1/x', key: 'private', body: object({ a: text() }), ...described })).toThrow(/no body/)
  })

  it('refuses the same method and path twice, at start', async () => {
    const twice = [
      route({ post: '/v1/x', key: 'private', ...described }),
      route({ post: '/v1/x', key: 'private', ...described }),
    ]
    const options = {
      tls: server.tls,
      trust_proxy: [],
      log: createLog({ level: 'silent' }),
      metrics: createMetrics(),
      rows: twice,
      deps: {
        services: {},
        authenticate: async () => null,
        forms: formKeys,
        dashboard: nobodySignedIn,
        isDatabaseUnavailable: () => false,
        ready: async () => true,
      },
    }
    await expect(createServer(options)).rejects.toThrow(/POST \/api\/v1\/x: listed twice/)
  })
})
