import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, earn, readClientEnv, type Served, scratch, serve } from '../cli/command.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

// A real service sends its spans to a stand-in of an OpenTelemetry collector. Requests contain their transactions; no span names
// a person or a key.

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

const { path: cwd } = scratch()
const spans: Span[] = []
const raw: string[] = []
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    raw.push(`${request.url} ${JSON.stringify(body)}`)
    const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
let served: Served

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  served = await serve([], { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } })
})
afterAll(() => collector.close())

test('a request, its transaction and its delivery are spans, sent at the latest at the stop', async () => {
  const client = readClientEnv(`${cwd}/data/sandbox.env`)
  const receiver = await startReceiver({ answer: answers.ok })
  const body = { name: 'Events', url: receiver.url }
  await call(client, { path: '/api/v1/webhooks?token=secret', key: client.NUQTA_PRIVATE_KEY, body })
  expect((await earn(client)).status).toBe(200)
  await receiver.waitFor(1)
  const sent = () => (name: string) => spans.find((span) => span.name === name)
  expect(await served.end('SIGTERM')).toBe(0)
  await waitFor('the spans', () => sent()('delivery') !== undefined)
  const request = sent()('POST /api/v1/orders/earning')
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const inside = spans.filter(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === request?.spanId)
  expect(inside.map(({ traceId }) => traceId)).toEqual([request?.traceId])
  expect(sent()('delivery')?.attributes).toEqual([
    { key: 'nuqta.delivery.outcome', value: { stringValue: 'delivered' } },
  ])
  expect(raw[0]).toMatch(/^\/v1\/traces /)
  expect(raw.join('')).not.toMatch(/533333333|sk_test_|pk_test_|token|127\.0\.0\.1/)
})
