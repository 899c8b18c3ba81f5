import { mkdtemp, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logAnswered } from '../../src/observability/access-log.ts'
import { createLog, flushLog, logStream } from '../../src/observability/log.ts'
import { createMetrics, startMetrics } from '../../src/observability/metrics.ts'
import { newServices, rows, validPurchase } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

const services = newServices()
let server: TestServer

beforeAll(async () => {
  server = await startServer(rows, services)
})
afterAll(() => server.stop())

function logging(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog({ level: 'info', stream: { write: (line) => lines.push(line) } }))
  return lines.join('')
}

describe('the log', () => {
  it('never shows secret fields, at any depth in use', () => {
    const secret = 'f3d9c1'
    const names = ['x-api-key', 'authorization', 'secret', 'otp', 'phone_number', 'private_key', 'token', 'password']
    for (const name of names) {
      const entry = { [name]: secret, a: { [name]: secret, b: { [name]: secret, c: { [name]: secret } } } }
      expect(
        logging((log) => log.info(entry, 'entry')),
        name,
      ).not.toContain(secret)
    }
  })

  it('never shows keys, phone numbers and passwords inside texts', () => {
    const texts = [
      'sk_test_01abc',
      'pk_live_01abc',
      'chsec_01abc',
      'whsec_01abc',
      '512345678',
      '+966512345678',
      '0512345678',
      'postgres://u:hunter2@h/d',
    ]
    for (const text of texts) {
      const line = logging((log) => log.error({ err: new Error(`Key (k)=(${text}) exists`) }, `about ${text}.`))
      expect(line).toContain('[redacted]')
      expect(line).not.toMatch(/01abc|12345678|hunter2/)
      expect(JSON.parse(line)).toMatchObject({ level: 'error' })
    }
  })

  it('keeps times, identifiers and durations', () => {
    const entry = { request_id: '0193e7a1-4b2c-7def-8123-512345678abc', duration_ms: 0.512345678, merchant_id: 42 }
    expect(JSON.parse(logging((log) => log.info(entry, 'request')))).toMatchObject(entry)
  })

  it('has one line for a request, with its route but without key, phone or query', async () => {
    const path = '/api/v1/orders/earning?secret_query=1'
    const reply = await server.call('POST', path, { key: keys.good, json: { ...validPurchase, total_price: -1 } })
    const lines = () => server.logged.filter((line) => line.includes(String(reply.headers['x-request-id'])))
    await expect.poll(lines).toHaveLength(1)
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
      level: 'info',
      method: 'POST',
      route: '/api/v1/orders/earning',
      status: 422,
      failure: 'validation',
      merchant_id: 7,
      client_address: '127.0.0.1',
    })
    expect(server.logged.join('')).not.toMatch(/secret_query|sk_test|512345678/)
  })

  it('has 2xx at info and 5xx at error', async () => {
    const levelOf = async (method: string, path: string) => {
      const { headers } = await server.call(method, path, { key: keys.good })
      const find = () =>
        server.logged.find((line) => line.includes(String(headers['x-request-id'])) && line.includes('"status"'))
      await expect.poll(find).toBeDefined()
      return JSON.parse(find() ?? '').level
    }
    services.failure = new Error('broken')
    expect(await levelOf('GET', '/api/v1/webhooks')).toBe('info')
    expect(await levelOf('POST', '/api/v1/failing')).toBe('error')
  })

  it('has lines of requests that are JSON like all others, and none above its level', () => {
    const answered = {
      request_id: '0193e7a1-4b2c-7def-8123-512345678abc',
      method: 'POST',
      route: '/api/v1/orders/earning',
      status: 200,
      duration_ms: 2.34,
      failure: undefined,
      is_error: false,
      merchant_id: 42,
      client_address: '::ffff:"127.0.0.1"\n',
    }
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    logAnswered(createLog({ level: 'info', stream }), answered)
    const { failure, is_error, ...facts } = answered
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...facts,
      level: 'info',
      time: expect.stringMatching(/^20\d\d-.*Z$/),
      duration_ms: 2.3,
      message: 'request',
    })
    logAnswered(createLog({ level: 'warn', stream }), answered)
    expect(lines).toHaveLength(1)
    logAnswered(createLog({ level: 'warn', stream }), {
      ...answered,
      status: 503,
      failure: 'database_unavailable',
      is_error: true,
    })
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', failure: 'database_unavailable' })
  })

  it('is whole when it has been flushed', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'nuqta-log-')), 'log')
    const log = createLog({ level: 'info', stream: logStream(file) })
    for (let n = 0; n < 1_000; n += 1) log.info({ n }, 'line')
    await flushLog(log)
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1_000)
  })
})

describe('metrics', () => {
  const fetchText = (url: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      get(url, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      }).on('error', reject)
    })

  it('count requests by route and status, never by URL', async () => {
    await server.call('GET', '/api/v1/orders/anything', { key: keys.good })
    await server.call('GET', '/made/up/path')
    await server.rawPlain('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const text = () => server.metrics.registry.metrics()
    await expect
      .poll(text)
      .toContain('nuqta_http_requests_total{method="GET",route="/api/v1/orders/:orderUuid",status="404"} 1')
    await expect.poll(text).toContain('route="unknown",status="404"')
    expect(await text()).toContain('nuqta_http_connection_errors_total{kind="https_required"} 1')
    expect(await text()).not.toMatch(/made\/up|anything/)
  })

  it('are served on a port of their own, with the health of the process', async () => {
    const { registry } = createMetrics()
    let ready: boolean | Error = true
    const isReady = async () => {
      if (ready instanceof Error) throw ready
      return ready
    }
    const at = { host: '127.0.0.1', port: 0 }
    const exposed = await startMetrics(at, { registry, isReady })
    const get = (path: string) => fetchText(`http://127.0.0.1:${exposed.port}${path}`)
    const { status, text } = await get('/metrics')
    expect(status).toBe(200)
    expect(text).toMatch(/process_cpu_user_seconds_total/)
    expect((await get('/')).status).toBe(404)
    expect([(await get('/healthz')).status, (await get('/readyz?full')).status]).toEqual([200, 200])
    for (const state of [false, new Error('away')]) {
      ready = state
      expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 503])
    }
    await expect(startMetrics({ ...at, port: exposed.port }, { registry, isReady })).rejects.toThrow(/EADDRINUSE/)
    await exposed.close()
  })
})
