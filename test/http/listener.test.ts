import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRaw } from './client.ts'
import { newServices, rows, validPurchase } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

const limits = { silence_ms: 300, handshake_ms: 400, headers_ms: 400, request_ms: 800, keep_alive_ms: 5_000 }
let server: TestServer
let behindProxy: TestServer

beforeAll(async () => {
  server = await startServer(rows, newServices(), { limits })
  behindProxy = await startServer(rows, newServices(), { limits, trust_proxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] })
})
afterAll(async () => {
  await server.stop()
  await behindProxy.stop()
})

const envelope = expect.objectContaining({ status: false, appended_data: {} })
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].map((line) => `${line}\r\n`).join('')}\r\n`

describe('plain HTTP on the TLS port', () => {
  it('is a 400 that asks for HTTPS, whatever the client sends', async () => {
    const texts = [
      get('/healthz'),
      get('/', 'X-Forwarded-Proto: https'),
      'nonsense\r\n\r\n',
      'BREW / HTTP/1.1\r\n\r\n',
      '\0\0\0',
    ]
    for (const text of texts) {
      const reply = parseRaw(await server.rawPlain(text))
      expect([text, reply.status, reply.body]).toEqual([text, 400, envelope])
      expect(reply.body.message).toMatch(/^HTTPS is required/)
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('is accepted only from a trusted proxy, for requests that reached the proxy by HTTPS', async () => {
    const https = get('/healthz', 'X-Forwarded-Proto: https', 'Connection: close')
    expect(parseRaw(await behindProxy.rawPlain(https)).status).toBe(200)
    for (const headers of [
      [],
      ['X-Forwarded-Proto: http'],
      ['X-Forwarded-Proto: http, https'],
      ['X-Forwarded-Proto: '],
    ]) {
      const reply = parseRaw(await behindProxy.rawPlain(get('/healthz', ...headers)))
      expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(/^HTTPS is required/)])
    }
    const malformed = parseRaw(await behindProxy.rawPlain('GET / HTTP/1.1\r\nbad header\r\n\r\n'))
    expect(malformed.body.message).toMatch(/malformed/)
  })

  it('gives handlers the nearest address that is not a trusted proxy', async () => {
    const path = '/api/v1/orders/0193e7a1-4b2c-7def-8123-456789abcdef'
    const ask = async (to: TestServer, ...forwarded: string[]) => {
      const headers = ['X-Forwarded-Proto: https', `x-api-key: ${keys.good}`, 'Connection: close', ...forwarded]
      const { body } = parseRaw(await (to === server ? to.raw : to.rawPlain)(get(path, ...headers)))
      return body.data
    }
    const from = (client_address: string) => expect.objectContaining({ client_address })
    expect(await ask(behindProxy)).toEqual(from('127.0.0.1'))
    expect(await ask(behindProxy, 'X-Forwarded-For: 1.1.1.1, 203.0.113.9')).toEqual(from('203.0.113.9'))
    expect(await ask(behindProxy, 'X-Forwarded-For: 203.0.113.9, 10.1.2.3')).toEqual(from('203.0.113.9'))
    expect(await ask(behindProxy, 'X-Forwarded-For: 203.0.113.9, fd00::1')).toEqual(from('203.0.113.9'))
    expect(await ask(behindProxy, 'X-Forwarded-For: 203.0.113.9, nonsense, 10.1.2.3')).toEqual(from('10.1.2.3'))
    // Some proxies add the port. Taken for nonsense, all their clients would share one address, and its limits.
    expect(await ask(behindProxy, 'X-Forwarded-For: 203.0.113.9:51234, 10.1.2.3:80')).toEqual(from('203.0.113.9'))
    expect(await ask(behindProxy, 'X-Forwarded-For: [2001:db8::9]:51234, [fd00::1]')).toEqual(from('2001:db8::9'))
    expect(await ask(server, 'X-Forwarded-For: 203.0.113.9')).toEqual(from('127.0.0.1'))
  })

  it('fails at start for a trusted proxy that is no address', async () => {
    for (const entry of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', ''])
      await expect(startServer(rows, newServices(), { trust_proxy: [entry] })).rejects.toThrow(/not an address/)
  })
})

describe('TLS', () => {
  const handshake = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string>((resolve) => {
      const options = {
        port: server.port,
        host: 'localhost',
        ca: server.tls.ca,
        maxVersion,
        minVersion: 'TLSv1',
      } as const
      const socket = connectTls({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, () => {
        resolve(socket.getProtocol() ?? '')
        socket.destroy()
      })
      socket.on('error', () => resolve('refused'))
    })

  it('is 1.2 or later', async () => {
    expect(await handshake('TLSv1.3')).toBe('TLSv1.3')
    expect(await handshake('TLSv1.2')).toBe('TLSv1.2')
    expect(await handshake('TLSv1.1')).toBe('refused')
  })
})

describe('HTTP that no route sees', () => {
  const long = 'x'.repeat(20_000)
  const cases: readonly (readonly [string, string, number])[] = [
    ['a broken request line', 'GET\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\na: \0\r\n\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a URL that does not decode', get('/api/v1/orders/%zz'), 400],
    ['two lengths', get('/', 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['a length and chunks', get('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a negative length', get('/', 'Content-Length: -1'), 400],
    ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['headers over 16 KiB', get('/', `a: ${long}`), 431],
    ['a URL over 16 KiB', get(`/${long}`), 431],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an unknown expectation', get('/healthz', 'Expect: miracles', 'Connection: close'), 200],
    ['an upgrade', get('/healthz', 'Upgrade: h2c', 'Connection: upgrade, close'), 200],
    ['an absolute URL', get('https://localhost/healthz', 'Connection: close'), 200],
  ]

  it.each(cases)('%s is answered with the envelope', async (_name, bytes, status) => {
    const reply = parseRaw(await server.raw(bytes))
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ status: status === 200, appended_data: {} })
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['GET', '/api/v1/none', 404],
    ['DELETE', '/api/openapi.json', 405],
    ['GET', '/dashboard/api/none', 404],
  ])('%s https://shop.example%s is answered as without scheme and host', async (method, path, status) => {
    for (const target of [path, `https://shop.example${path}`]) {
      const text = `${method} ${target} HTTP/1.1\r\nHost: shop.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`
      const reply = parseRaw(await server.raw(text))
      expect([target, reply.status, reply.body]).toEqual([target, status, envelope])
    }
  })

  it('a body with a broken chunk is 400 and does not reach the handler', async () => {
    const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.good}\r\n`
    const reply = parseRaw(
      await server.raw(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`),
    )
    expect([reply.status, reply.body]).toEqual([400, envelope])
  })

  it('a malformed request behind a good one never takes the place of its answer', async () => {
    let release = () => {}
    const services = newServices()
    services.pause = new Promise((resolve) => {
      release = () => resolve()
    })
    const slow = await startServer(rows, services)
    const body = JSON.stringify(validPurchase)
    const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.good}\r\n`
    const request = `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    const answer = slow.raw(`${request}garbage\r\n\r\n`)
    await expect.poll(() => services.handled).toBe(1)
    release()
    const reply = parseRaw(await answer)
    expect([reply.status, reply.body.status, reply.headers.connection]).toEqual([200, true, 'close'])
    await slow.stop()
  })
})

describe('clients that do not hurry', () => {
  it('headers and bodies that do not arrive are answered with 408', async () => {
    const head = `POST /api/v1/orders/earning HTTP/1.1\r\nHost: x\r\nx-api-key: ${keys.good}\r\nContent-Type: application/json\r\n`
    for (const bytes of ['GET /healthz HTTP/1.1\r\n', `${head}Content-Length: 100\r\n\r\n{`]) {
      const reply = parseRaw(await server.raw(bytes))
      expect([reply.status, reply.body]).toEqual([408, envelope])
    }
  })

  it('get it over plain HTTP too, from a proxy and from others', async () => {
    for (const to of [server, behindProxy]) {
      const text = await to.rawPlain('GET /healthz HTTP/1.1\r\n')
      expect(parseRaw(text).body).toEqual(envelope)
    }
  })

  it('are cut when they stay silent or do not finish the handshake', async () => {
    for (const bytes of ['', '\x16\x03\x01']) {
      expect(await server.rawPlain(bytes)).toBe('')
    }
  })
})

describe('closing', () => {
  const connect = (to: TestServer) =>
    new Promise<TLSSocket>((resolve) => {
      const socket: TLSSocket = connectTls({ port: to.port, host: 'localhost', ca: to.tls.ca }, () => resolve(socket))
      socket.on('error', () => undefined)
    })

  it('finishes running requests with Connection: close, and cuts idle connections', async () => {
    let release = () => {}
    const services = newServices()
    services.pause = new Promise((resolve) => {
      release = () => resolve()
    })
    const stopping = await startServer(rows, services)
    const neverUsed = await connect(stopping)
    const silent = connectTcp({ port: stopping.port, host: '127.0.0.1' })
    await stopping.call('GET', '/healthz')
    const running = stopping.call('POST', '/api/v1/orders/earning', { key: keys.good, json: validPurchase })
    await expect.poll(() => services.handled).toBe(1)

    let closed = false
    const closing = stopping.server.close(10_000).then(() => {
      closed = true
    })
    await new Promise((resolve) => neverUsed.once('close', resolve))
    expect(closed).toBe(false)
    await expect(stopping.call('GET', '/healthz')).rejects.toThrow(/ECONNREFUSED/)
    release()
    const reply = await running
    expect([reply.status, reply.headers.connection]).toEqual([200, 'close'])
    await closing
    silent.destroy()
    await stopping.stop()
  })

  it('waits for a request no longer than the grace time', async () => {
    const services = newServices()
    services.pause = new Promise(() => undefined)
    const stuck = await startServer(rows, services)
    const running = stuck.call('POST', '/api/v1/orders/earning', { key: keys.good, json: validPurchase })
    running.catch(() => undefined)
    await expect.poll(() => services.handled).toBe(1)
    await stuck.server.close(200)
    await expect(running).rejects.toThrow()
    await stuck.stop()
  })

  it('is announced by /readyz while requests are still accepted', async () => {
    const announced = await startServer(rows, newServices())
    announced.server.announceStop()
    const reply = await announced.call('GET', '/readyz')
    expect([reply.status, reply.body.status, reply.headers.connection]).toEqual([503, false, 'keep-alive'])
    expect((await announced.call('GET', '/api/v1/webhooks', { key: keys.good })).status).toBe(200)
    await announced.stop()
  })

  it('after a drain, ends each kept-alive connection with its next answer', async () => {
    const draining = await startServer(rows, newServices())
    const [early, late] = [await connect(draining), await connect(draining)]
    const answerOn = (socket: TLSSocket) => {
      const heard = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())))
      socket.write(get('/healthz'))
      return heard
    }
    for (const socket of [early, late])
      expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: keep-alive/is)
    let drained = false
    const drain = draining.server.drain({ drain_ms: 0, settle_ms: 60_000 }).then(() => {
      drained = true
    })
    await expect.poll(async () => (await draining.call('GET', '/healthz')).headers.connection).toBe('close')
    for (const socket of [early, late]) {
      expect([drained, socket.readyState]).toEqual([false, 'open'])
      const closed = new Promise((resolve) => socket.once('close', resolve))
      expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
      await closed
    }
    await drain
    await draining.stop()
  })

  it('after a drain, does not wait for ever for a silent connection', async () => {
    const draining = await startServer(rows, newServices())
    const silent = await connect(draining)
    const closed = new Promise((resolve) => silent.once('close', resolve))
    await draining.server.drain({ drain_ms: 0, settle_ms: 100 })
    expect(silent.readyState).toBe('open')
    await draining.server.close(10_000)
    await closed
    await draining.stop()
  })
})
