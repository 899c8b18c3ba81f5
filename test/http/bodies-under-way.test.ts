import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { PageRow } from '../../src/http/pages/page.ts'
import { BodyBudget, type BodyBudgets, createBodyBudgets } from '../../src/http/transport/body-budget.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import type { CallOptions } from './client.ts'
import { newServices, rows, type Services, validPurchase } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

const kib = 1_024
const uuid = '0193e7a1-4b2c-7def-8123-456789abcdef'
const paths = { private: '/api/v1/orders/earning', public: `/api/v1/orders/checkout/${keys.public}` } as const
type Kind = keyof typeof paths

const services = newServices()
let server: TestServer
let budgets: BodyBudgets
const open: TLSSocket[] = []

/** Room for six large bodies of 100 KiB on either kind of route. */
async function start(limits: { readonly body_ms: number } = { body_ms: 60_000 }): Promise<void> {
  services.handled = 0
  budgets = {
    private: new BodyBudget({ max_bytes: 1_024 * kib, together_bytes: 600 * kib }),
    public: new BodyBudget({ max_bytes: 128 * kib, together_bytes: 600 * kib }),
  }
  const pages = { rows: [report], showFailure }
  server = await startServer(rows, services, { budgets, limits, trust_proxy: ['127.0.0.1'], pages })
}

/** A page that anybody may post to. */
const report: PageRow<Services> = {
  path: '/report',
  posts: 'anyone',
  async submit({ body }, { pause }) {
    await pause
    return { status: 200, body: String(body.length), headers: {} }
  },
}

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await server.stop()
  await expect.poll(() => [budgets.private.held_bytes, budgets.public.held_bytes]).toEqual([0, 0])
})

const json = { 'content-type': 'application/json' }
const sized = (bytes: number) => {
  const shell = JSON.stringify({ ...validPurchase, unknown: '' })
  return JSON.stringify({ ...validPurchase, unknown: 'x'.repeat(bytes - shell.length) })
}

/** Begins a request whose body of `bytes` never comes. Resolves once it is counted. */
async function begin(kind: Kind, bytes: number, from = '198.51.100.1'): Promise<TLSSocket> {
  const before = budgets[kind].held_bytes
  const socket = connect({ port: server.port, ca: server.tls.ca, host: 'localhost', servername: 'localhost' })
  open.push(socket)
  socket.on('error', () => undefined)
  socket.write(
    `POST ${paths[kind]} HTTP/1.1\r\nhost: x\r\nx-api-key: ${keys.good}\r\nx-forwarded-for: ${from}\r\n` +
      `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{`,
  )
  await expect.poll(() => budgets[kind].held_bytes).toBe(before + bytes)
  return socket
}

function send(kind: Kind, bytes: number, from: string) {
  const headers = { ...json, 'x-forwarded-for': from }
  return server.call('POST', paths[kind], { key: keys.good, bytes: sized(bytes), headers })
}

describe('large bodies under way', () => {
  it('are limited to four from one address, or from one IPv6 /56', async () => {
    await start()
    for (const kind of ['private', 'public'] as const) {
      for (const host of [1, 2, 3, 4]) await begin(kind, 100 * kib, `2001:db8:0:f00${host}::${host}`)
      const fifth = await send(kind, 100 * kib, '2001:db8:0:f099::1')
      expect([fifth.status, fifth.headers['retry-after'], fifth.body.status]).toEqual([429, '1', false])
      expect((await send(kind, 100 * kib, '2001:db8:0:e000::1')).status).toBe(200)
      expect((await send(kind, 100 * kib, '198.51.100.9')).status).toBe(200)
    }
    // Small bodies are not limited.
    expect((await send('private', 8 * kib, '2001:db8:0:f099::1')).status).toBe(200)
  })

  it('share one budget; anonymous clients and merchants have one each', async () => {
    await start()
    for (const host of [1, 2, 3, 4, 5, 6]) await begin('public', 100 * kib, `198.51.100.${host}`)
    const seventh = await send('public', 100 * kib, '198.51.100.7')
    expect([seventh.status, seventh.headers['retry-after']]).toEqual([503, '2'])
    expect(seventh.headers['access-control-allow-origin']).toBe('*')
    expect((await send('private', 100 * kib, '198.51.100.7')).status).toBe(200)
    expect((await send('public', 8 * kib, '198.51.100.7')).status).toBe(200)
  })

  it('of unknown length are counted with the most they can become', async () => {
    await start()
    const socket = connect({ port: server.port, ca: server.tls.ca, host: 'localhost', servername: 'localhost' })
    open.push(socket)
    const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`
    const head = `POST ${paths.public} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(head + chunk(8 * kib))
    socket.write(chunk(1))
    await expect.poll(() => budgets.public.held_bytes).toBe(64 * kib)
    socket.write(chunk(60 * kib))
    await expect.poll(() => budgets.public.held_bytes).toBe(128 * kib)
    socket.write(chunk(60 * kib))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /)
    expect(budgets.public.held_bytes).toBe(0)
  })

  it('share the budget with medium ones, which any address may send in any number; small ones are not counted', () => {
    const budget = new BodyBudget({ max_bytes: 128 * kib, together_bytes: 1_000 * kib })
    const reserve = (bytes: number, address: string) => {
      const hold = budget.hold(() => address)
      return { hold, kind: hold.reserve(bytes, bytes)?.kind }
    }
    // A merchant's busy server sends many at once from one address.
    const medium = Array.from({ length: 100 }, () => reserve(9 * kib, '198.51.100.1'))
    expect(new Set(medium.map(({ kind }) => kind))).toEqual(new Set([undefined]))
    const large = reserve(100 * kib, '198.51.100.1')
    expect([large.kind, budget.held_bytes]).toEqual([undefined, 1_000 * kib])
    // The budget is full for both sizes.
    expect(reserve(9 * kib, '198.51.100.2').kind).toBe('bodies_exhausted')
    expect(reserve(100 * kib, '198.51.100.3').kind).toBe('bodies_exhausted')
    expect(reserve(8 * kib, '198.51.100.1').kind).toBeUndefined()
    for (const { hold } of medium) {
      hold.release()
      hold.release()
    }
    expect(budget.held_bytes).toBe(100 * kib)
    const more = [1, 2, 3].map(() => reserve(100 * kib, '198.51.100.1').kind)
    expect([...more, reserve(100 * kib, '198.51.100.1').kind]).toEqual([...Array(3), 'too_many_bodies'])
    expect(reserve(64 * kib, '198.51.100.1').kind).toBeUndefined()
  })

  it('and medium ones of anonymous clients are limited by address, so that nobody takes the whole budget', () => {
    const budget = createBodyBudgets().public
    const reserve = (bytes: number, address: string) => budget.hold(() => address).reserve(bytes, bytes)?.kind
    const medium = Array.from({ length: 65 }, () => reserve(64 * kib, '198.51.100.1'))
    expect(medium).toEqual([...Array(64), 'too_many_bodies'])
    expect([reserve(8 * kib, '198.51.100.1'), reserve(64 * kib, '198.51.100.2')]).toEqual([undefined, undefined])
    expect(reserve(100 * kib, '198.51.100.1')).toBeUndefined()
  })
})

describe('the budget of a body is released once', () => {
  it('when the client disconnects half way', async () => {
    await start()
    const socket = await begin('private', 100 * kib)
    socket.destroy()
    await expect.poll(() => budgets.private.held_bytes).toBe(0)
  })

  it('when the request is answered, with any status, and not before its handler ends', async () => {
    await start()
    let finish = (): void => undefined
    services.pause = new Promise((resolve) => {
      finish = resolve
    })
    const first = send('private', 100 * kib, '198.51.100.1')
    await expect.poll(() => services.handled).toBe(1)
    expect(budgets.private.held_bytes).toBe(100 * kib)
    finish()
    delete services.pause
    expect((await first).status).toBe(200)
    expect(budgets.private.held_bytes).toBe(0)
    const padding = ' '.repeat(100 * kib)
    const bodies: [string, number][] = [
      [`{${padding}`, 400],
      [`{"unknown":${'['.repeat(70)}${padding}`, 422],
      [`{}${padding}`, 422],
    ]
    for (const [bytes, status] of bodies) {
      const reply = await server.call('POST', paths.private, { key: keys.good, bytes, headers: json })
      expect([reply.status, budgets.private.held_bytes]).toEqual([status, 0])
    }
  })

  it('when the client disconnects during the handler, but not before the handler ends', async () => {
    await start()
    let finish = (): void => undefined
    services.pause = new Promise((resolve) => {
      finish = resolve
    })
    const socket = await begin('private', 100 * kib)
    socket.write(sized(100 * kib).slice(1))
    await expect.poll(() => services.handled).toBe(1)
    socket.destroy()
    await server.call('GET', '/healthz')
    expect(budgets.private.held_bytes).toBe(100 * kib)
    finish()
    delete services.pause
    await expect.poll(() => budgets.private.held_bytes).toBe(0)
  })

  it('when the body does not arrive in time: a 408 that ends the connection', async () => {
    await start({ body_ms: 50 })
    for (const kind of ['private', 'public'] as const) {
      const socket = connect({ port: server.port, ca: server.tls.ca, host: 'localhost', servername: 'localhost' })
      open.push(socket)
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.write(
        `POST ${paths[kind]} HTTP/1.1\r\nhost: x\r\nx-api-key: ${keys.good}\r\naccept-language: ar\r\n` +
          `content-type: application/json\r\ncontent-length: ${100 * kib}\r\n\r\n{"a":`,
      )
      await once(socket, 'close')
      expect(text).toMatch(/^HTTP\/1.1 408 /)
      expect(text).toMatch(/\r\nconnection: close\r\n/i)
      expect(text).toContain('لم يصل الطلب كاملًا')
      expect(/access-control-allow-origin: \*/.test(text)).toBe(kind === 'public')
    }
  })
})

describe('forms of pages', () => {
  it('count against the budget of anonymous clients until their handler ends', async () => {
    await start()
    let finish = (): void => undefined
    services.pause = new Promise((resolve) => {
      finish = resolve
    })
    const posted = server.call('POST', '/report', { bytes: 'x'.repeat(20 * kib) })
    await expect.poll(() => budgets.public.held_bytes).toBe(20 * kib)
    finish()
    delete services.pause
    expect((await posted).text).toBe(String(20 * kib))
    expect(budgets.public.held_bytes).toBe(0)
  })

  it('that do not arrive in time are a 408, as a page', async () => {
    await start({ body_ms: 50 })
    const head = 'POST /report HTTP/1.1\r\nhost: x\r\naccept-language: ar\r\ncontent-length: 20000\r\n\r\na=1'
    const text = await server.raw(head)
    expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*content-type: text\/html/i)
    expect(text).toContain('لم يصل المحتوى في الوقت المحدد')
    expect(text).toMatch(/\r\nconnection: close\r\n/i)
  })
})

describe('the bounds of a body', () => {
  const deep = `{"unknown":${'['.repeat(65)}${']'.repeat(65)}}`
  const many = `{"products":[${'1,'.repeat(20_000)}1]}`

  it('are a 422 on `body`, after key and standing, in the language of the request', async () => {
    await start()
    const earn = (key: string, bytes: string, headers = {}) =>
      server.call('POST', paths.private, { key, bytes, headers: { ...json, ...headers } })
    expect((await earn('sk_test_other', deep)).status).toBe(400)
    expect((await earn(keys.unpublished, many)).status).toBe(403)
    expect((await earn(keys.good, deep)).body).toMatchObject({
      message: 'The given data was invalid.',
      errors: { body: ['The body must not be nested deeper than 64 levels.'] },
    })
    expect((await earn(keys.good, many, { 'accept-language': 'ar' })).body.errors).toEqual({
      body: ['يجب ألا يزيد عدد القيم في حقل محتوى الطلب على 20000.'],
    })
    const capture = `/api/v1/orders/${uuid}/capture`
    const reply = await server.call('POST', capture, { key: keys.good, bytes: deep, headers: json })
    expect(Object.keys(reply.body.errors ?? {})).toEqual(['body'])
  })

  it('allow unknown fields within them', async () => {
    await start()
    const unknown = [JSON.parse(`${'['.repeat(63)}${']'.repeat(63)}`), Array.from({ length: 19_000 }, () => 1)]
    const body = { ...validPurchase, unknown }
    expect((await server.call('POST', paths.private, { key: keys.good, json: body })).status).toBe(200)
  })

  it('of a checkout are 128 KiB, and browsers can read its errors', async () => {
    await start()
    const bodyOf = (bytes: number) => {
      const shell = JSON.stringify({ total_price: 1, order_number: '1', unknown: '' })
      return JSON.stringify({ total_price: 1, order_number: '1', unknown: 'x'.repeat(bytes - shell.length) })
    }
    const checkout = (options: CallOptions) => server.call('POST', paths.public, { headers: json, ...options })
    expect((await checkout({ bytes: bodyOf(128 * kib) })).status).toBe(200)
    const replies = [
      await checkout({ bytes: bodyOf(128 * kib + 1) }),
      await checkout({ bytes: deep }),
      await checkout({ bytes: '{' }),
      await checkout({ bytes: '{}', headers: {} }),
      await server.call('POST', '/api/v1/orders/checkout/pk_test_other', { bytes: '{}', headers: json }),
      await server.call('GET', paths.public),
    ]
    expect(replies.map(({ status }) => status)).toEqual([413, 422, 400, 415, 400, 405])
    for (const { headers } of replies) expect(headers['access-control-allow-origin']).toBe('*')
    const malformed = await server.raw(`POST ${paths.public}%ZZ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(malformed).toMatch(/^HTTP\/1.1 400 [\s\S]*access-control-allow-origin: \*/i)
    const broken = `POST ${paths.public} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`
    expect(await server.raw(broken)).toMatch(/^HTTP\/1.1 400 [\s\S]*access-control-allow-origin: \*/i)
  })
})
