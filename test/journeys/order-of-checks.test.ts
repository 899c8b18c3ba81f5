import { createConnection } from 'node:net'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { type Client, dataOf, parseRaw, type Reply } from '../http/client.ts'
import { type MerchantOptions, makeMerchant, makeProgram, purchase } from '../support/api.ts'
import { createCheckedClient } from '../support/checked-client.ts'
import { testDatabase } from '../support/database.ts'
import { cellsOf, earning_path, longLockWindow, type MadeMerchant, type Service, startService } from './service.ts'

const database = testDatabase()
const { path: home } = scratch()
let service: Service
let merchant: MadeMerchant
let other: MadeMerchant
let order: Record<string, unknown>
let keys: Record<string, string>

beforeAll(async () => {
  service = await startService({ home, database, env: longLockWindow })
  const make = (name: string, options: MerchantOptions = {}) => makeMerchant(database.db, { name, ...options })
  merchant = await make('Good')
  other = await make('Other')
  const old = await make('Renewed')
  await service.command(['keys', 'regenerate', 'Renewed'])
  const unpublished = { published: false, earning_on: false }
  const otherFlowsOff = { checkout_on: false, product_rating_on: false, store_rating_on: false }
  keys = {
    good: merchant.private_key,
    other: other.private_key,
    unverified: (await make('Unverified', { changes: { verified: false, ...unpublished } })).private_key,
    unpublished: (await make('Unpublished', { changes: unpublished })).private_key,
    'flow off': (await make('Flowless', { changes: { earning_on: false } })).private_key,
    'other flows off': (await make('Narrow', { changes: otherFlowsOff })).private_key,
    'switched off': (await make('Dark', { changes: { verified: false }, key_status: false })).private_key,
    regenerated: old.private_key,
    public: merchant.public_key,
    unknown: `sk_test_${'0'.repeat(26)}`,
    live: merchant.private_key.replace('sk_test_', 'sk_live_'),
    'in capitals': merchant.private_key.toUpperCase(),
    'with a word before': `Bearer ${merchant.private_key}`,
    twice: `${merchant.private_key}, ${merchant.private_key}`,
    cut: merchant.private_key.slice(0, -1),
    longer: `${merchant.private_key}0`,
    'very long': 'x'.repeat(8_000),
    empty: '',
    spaces: '   ',
    accented: 'sk_test_\u00e9\u00e9',
    injected: "' or '1'='1",
  }
  order = dataOf(await service.earn(merchant.private_key, purchase()))
})
afterAll(async () => {
  await service.end('SIGTERM')
})

const big = 'x'.repeat(1_048_577)

/** A body, and its content type. */
const bodies: Readonly<Record<string, () => { readonly bytes: string; readonly type: string }>> = {
  valid: () => ({ bytes: JSON.stringify(purchase()), type: 'application/json' }),
  'bad field': () => ({ bytes: JSON.stringify(purchase({ total_price: -1 })), type: 'application/json' }),
  repeated: () => ({
    bytes: JSON.stringify(purchase({ order_number: order['order_number'] })),
    type: 'application/json',
  }),
  'repeated and bad': () => ({
    bytes: JSON.stringify(purchase({ order_number: order['order_number'], total_price: -1 })),
    type: 'application/json',
  }),
  malformed: () => ({ bytes: '{', type: 'application/json' }),
  'wrong type': () => ({ bytes: JSON.stringify(purchase()), type: 'text/plain' }),
  'wrong type, malformed': () => ({ bytes: '{', type: 'text/plain' }),
  'too big': () => ({ bytes: big, type: 'application/json' }),
  'too big, wrong type': () => ({ bytes: big, type: 'text/plain' }),
  none: () => ({ bytes: '', type: '' }),
}

const messages: Readonly<Record<string, string>> = {
  key: '400 Invalid or inactive API key',
  unverified: '403 The merchant is not verified yet. Ask the program operator to verify it.',
  unpublished: '403 The merchant is not published. Ask the program operator to publish it.',
  flow: '403 This flow is switched off for the merchant. Ask the program operator to switch it on.',
  type: '415 The content type is not supported. Send JSON, uncompressed, with Content-Type: application/json.',
  big: '413 The body is too large. Send at most 1 MiB, and at most 128 KiB to open a checkout.',
  json: '400 The body is not valid JSON. Send one JSON object, encoded in UTF-8.',
  shape: '422 The given data was invalid.',
  repeated:
    '429 This order number was sent moments ago. Await the answer to the first request; if its order exists, appended_data names it.',
  order: '404 Order not found. Check the order uuid and that the key belongs to the same merchant.',
  path: '404 Path not found. Check it against the API description at /api/openapi.json.',
  method: '405 Method not allowed on this path. Use one that the Allow header lists.',
  https: '400 HTTPS is required. Send the request again with https:// in the URL.',
  ok: '200 ',
}

const said = ({ status, body }: Reply): string => `${status} ${body.message}`

/** Two failures at once, and the one that the earning endpoint reports: key | body | answer. */
const pairs = cellsOf(`
  good               | valid                  | ok
  other flows off    | valid                  | ok
  good               | bad field              | shape
  good               | repeated               | repeated
  good               | repeated and bad       | shape
  good               | malformed              | json
  good               | wrong type             | type
  good               | wrong type, malformed  | type
  good               | too big                | big
  good               | too big, wrong type    | type
  good               | none                   | shape
  absent             | valid                  | key
  absent             | bad field              | key
  absent             | malformed              | key
  absent             | wrong type             | key
  absent             | too big                | key
  absent             | none                   | key
  unknown            | valid                  | key
  unknown            | malformed              | key
  unknown            | too big                | key
  public             | valid                  | key
  public             | bad field              | key
  regenerated        | valid                  | key
  regenerated        | bad field              | key
  switched off       | valid                  | key
  switched off       | malformed              | key
  live               | valid                  | key
  in capitals        | valid                  | key
  with a word before | valid                  | key
  twice              | valid                  | key
  cut                | valid                  | key
  longer             | valid                  | key
  very long          | valid                  | key
  empty              | valid                  | key
  spaces             | valid                  | key
  injected           | valid                  | key
  accented           | valid                  | key
  unverified         | valid                  | unverified
  unverified         | bad field              | unverified
  unverified         | malformed              | unverified
  unverified         | wrong type             | unverified
  unverified         | too big                | unverified
  unpublished        | valid                  | unpublished
  unpublished        | bad field              | unpublished
  unpublished        | none                   | unpublished
  flow off           | valid                  | flow
  flow off           | bad field              | flow
  flow off           | malformed              | flow
  flow off           | wrong type             | flow
  flow off           | too big                | flow
`)

function keyHeader(name: string): Record<string, string> {
  const key = keys[name]
  return key === undefined ? {} : { 'x-api-key': key }
}

describe('the order of checks on an earning', () => {
  test.each(pairs)('key %s, body %s', async (key = '', kind = '', expected = '') => {
    const body = bodies[kind]?.()
    if (body === undefined) throw new Error(`no body is called ${kind}`)
    const headers = { ...keyHeader(key), ...(body.type === '' ? {} : { 'content-type': body.type }) }
    const reply = await service.client.call('POST', earning_path, { headers, bytes: body.bytes })
    expect(said(reply)).toBe(messages[expected])
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    if (reply.status !== 200) expect(reply.body).not.toHaveProperty('data')
  })

  test('the message about a key is the same literal in Arabic', async () => {
    const { body } = await service.client.call('POST', `${earning_path}?lang=ar`, { json: {} })
    expect(body.message).toBe('Invalid or inactive API key')
  })

  test('a key anywhere but in its header is no key', async () => {
    const key = merchant.private_key
    const places = [
      { path: `${earning_path}?x-api-key=${key}&api_key=${key}` },
      { path: earning_path, headers: { authorization: `Bearer ${key}` } },
      { path: earning_path, headers: { cookie: `x-api-key=${key}` } },
      { path: earning_path, headers: { 'x-api-keys': key, 'api-key': key } },
    ]
    for (const { path, headers = {} } of places) {
      expect(said(await service.client.call('POST', path, { json: { api_key: key }, headers }))).toBe(messages['key'])
    }
  })

  test('a key sent in two headers is none, whichever comes first', async () => {
    const bytes = `GET /api/v1/orders/${order['uuid']} HTTP/1.1\r\nhost: x\r\nx-api-key: ${merchant.private_key}\r\nX-API-KEY: ${keys['unknown']}\r\nconnection: close\r\n\r\n`
    expect(said(parseRaw(await service.client.raw(bytes)))).toBe(messages['key'])
  })
})

/** Key | order | answer. */
const reads = cellsOf(`
  good         | own               | ok
  good         | in capitals       | ok
  unverified   | own               | order
  unpublished  | own               | order
  flow off     | own               | order
  other        | own               | order
  good         | absent            | order
  good         | malformed         | order
  good         | earning           | order
  good         | reference number  | order
  good         | in braces         | order
  good         | with a space      | order
  good         | without dashes    | order
  good         | urn               | order
  good         | nil               | order
  good         | NUL               | order
  good         | long              | order
  good         | integer id        | order
  unknown      | own               | key
  unknown      | malformed         | key
  absent       | absent            | key
  switched off | own               | key
  public       | own               | key
`)

describe('the order of checks on reading an order', () => {
  test.each(reads)('key %s, uuid %s', async (key = '', kind = '', expected = '') => {
    const uuid = String(order['uuid'])
    const uuids: Readonly<Record<string, string>> = {
      own: uuid,
      'in capitals': uuid.toUpperCase(),
      absent: '0193e7a1-0000-7000-8000-000000000000',
      malformed: 'x',
      earning: 'earning',
      'reference number': String(order['reference_number']),
      'in braces': `%7B${uuid}%7D`,
      'with a space': `${uuid}%20`,
      'without dashes': uuid.replaceAll('-', ''),
      urn: `urn:uuid:${uuid}`,
      nil: '00000000-0000-0000-0000-000000000000',
      NUL: `${uuid}%00`,
      long: 'a'.repeat(7_000),
      'integer id': String(order['id']),
    }
    const path = `/api/v1/orders/${uuids[kind]}`
    const reply = await service.client.call('GET', path, { headers: keyHeader(key) })
    expect(said(reply)).toBe(messages[expected])
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    if (expected !== 'ok') expect(reply.text).not.toContain(uuid)
  })

  test('merchants of one program do not see each other either', async () => {
    const { program_id } = await makeProgram(database.db)
    const [left, right] = [
      await makeMerchant(database.db, { program_id }),
      await makeMerchant(database.db, { program_id }),
    ]
    const { uuid } = dataOf(await service.earn(left.private_key, purchase({ order_number: 'shared' })))
    expect((await service.getOrder(right.private_key, uuid)).status).toBe(404)
    expect((await service.getOrder(left.private_key, uuid)).status).toBe(200)
    expect((await service.earn(right.private_key, purchase({ order_number: 'shared' }))).status).toBe(200)
  })

  test('a query and a body change nothing', async () => {
    const options = { key: merchant.private_key, json: { total_price: 1 } }
    const path = `/api/v1/orders/${String(order['uuid'])}?order_status=new&lang=en`
    expect(said(await service.client.call('GET', path, options))).toBe(messages['ok'])
  })
})

/** Method | path | answer | `Allow`. UUID stands for the order's uuid. */
const paths = cellsOf(`
  PUT     | /api/v1/orders/earning             | method | POST
  PATCH   | /api/v1/orders/earning             | method | POST
  DELETE  | /api/v1/orders/earning             | method | POST
  OPTIONS | /api/v1/orders/earning             | method | POST
  PURGE   | /api/v1/orders/earning             | method | POST
  POST    | /api/v1/orders/UUID                | method | GET, HEAD
  PUT     | /api/v1/orders/UUID                | method | GET, HEAD
  DELETE  | /api/v1/orders/UUID                | method | GET, HEAD
  OPTIONS | /api/v1/orders/UUID                | method | GET, HEAD
  TRACE   | /api/v1/orders/UUID                | method | GET, HEAD
  POST    | /healthz                           | method | GET, HEAD
  GET     | /nowhere                           | path   |
  GET     | /api                               | path   |
  GET     | /api/v1                            | path   |
  GET     | /api/v1/orders                     | path   |
  GET     | /api/v1/orders/                    | order  |
  POST    | /api/v1/orders/earning/            | path   |
  POST    | /api/v1/orders/Earning/x           | path   |
  POST    | /api/v1//orders/earning            | path   |
  POST    | /API/v1/orders/earning             | path   |
  POST    | /v1/orders/earning                 | path   |
  POST    | /api/v2/orders/earning             | path   |
  GET     | /api/v1/orders/UUID/items          | path   |
  GET     | /api/v1/../v1/orders/UUID          | path   |
  OPTIONS | /nowhere                           | path   |
  GET     | /api/v1/orders/%2e%2e              | order  |
  GET     | /api/v1/orders/a%2Fb               | order  |
`)

describe('paths and methods', () => {
  test.each(paths)('%s %s', async (method = '', path = '', expected = '', allow = '') => {
    const options = { key: merchant.private_key }
    const reply = await service.client.call(method, path.replace('UUID', String(order['uuid'])), options)
    expect(said(reply)).toBe(messages[expected])
    expect(reply.headers.allow ?? '').toBe(allow)
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('HEAD answers as GET would, without the body', async () => {
    const head = (uuid: unknown, key: string) => service.client.call('HEAD', `/api/v1/orders/${uuid}`, { key })
    const found = await head(order['uuid'], merchant.private_key)
    expect([found.status, found.text]).toEqual([200, ''])
    expect((await head('x', merchant.private_key)).status).toBe(404)
    expect((await head(order['uuid'], 'x')).status).toBe(400)
    expect(found.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('each answer has a request id of its own, whatever the client sends', async () => {
    const headers = { 'x-request-id': 'mine' }
    const replies = await Promise.all([1, 2, 3].map(() => service.client.call('GET', '/healthz', { headers })))
    expect(new Set([...replies.map((reply) => reply.headers['x-request-id']), 'mine']).size).toBe(4)
  })
})

describe('who may earn', () => {
  test('a sandbox phone that is never activated is answered with the pending payload', async () => {
    const key = service.keys.private_key
    const body = purchase({ phone_number: '0500000003', total_price: 12.5 })
    const reply = await service.earn(key, body)
    expect(dataOf(reply)).toEqual({
      pending_client_activation: true,
      pending_earning_order: {
        id: expect.any(Number),
        merchant_order_number: body['order_number'],
        total_price: 12.5,
        total_points: 125,
      },
    })
    const again = await service.earn(key, body)
    expect(said(again)).toBe(messages['repeated'])
    expect(again.body.appended_data).toEqual({})
  })

  test('where activation is required, an unknown phone waits and a known one does not', async () => {
    const { private_key } = await service.merchant('Strict shop', ['--program', 'Strict'])
    await service.earn(private_key, purchase({ phone_number: '0511110001' }))
    await service.command(['program', 'set', 'Strict', '--activation', 'required'])
    const known = dataOf(await service.earn(private_key, purchase({ phone_number: '0511110001' })))
    expect(known).toMatchObject({ order_status: 'approved' })
    const unknown = dataOf(await service.earn(private_key, purchase({ phone_number: '0511110002' })))
    expect(unknown).toMatchObject({ pending_client_activation: true })
    const shown = await service.command(['wallet', 'show', '0511110002', '--program', 'Strict', '--json'])
    expect(shown.json[0]).toMatchObject({ customer_status: 'invited', posted: 0 })
  })
})

describe('transport', () => {
  test('plain HTTP is refused in the envelope, whatever the request', async () => {
    for (const path of [earning_path, '/healthz', '/nowhere']) {
      const bytes = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-proto: https\r\ncontent-length: 2\r\n\r\n{}`
      const reply = parseRaw(await service.client.rawPlain(bytes))
      expect(said(reply)).toBe(messages['https'])
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('TLS 1.1 is refused; 1.2 and 1.3 are spoken', async () => {
    const spoken = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<string>((resolve) => {
        const { ca, port } = service
        const ciphers = 'DEFAULT@SECLEVEL=0'
        const range = { minVersion: version, maxVersion: version, ciphers } as const
        const socket = connect({ port, ca, servername: 'localhost', ...range }, () => {
          resolve(String(socket.getProtocol()))
          socket.destroy()
        })
        socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
      })
    expect(await spoken('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
    expect(await spoken('TLSv1.2')).toBe('TLSv1.2')
    expect(await spoken('TLSv1.3')).toBe('TLSv1.3')
  })

  test('bytes that are neither HTTP nor TLS do no harm', async () => {
    for (const bytes of ['\x00'.repeat(100), 'SSH-2.0-x\r\n', '\x16\x03\x01\xff\xff', 'GET / HTTP/9.9\r\n\r\n']) {
      await new Promise<void>((resolve) => {
        const socket = createConnection(service.port, '127.0.0.1', () => socket.end(bytes, 'latin1'))
        socket.once('error', () => resolve())
        socket.once('close', () => resolve())
        socket.resume()
      })
    }
    expect((await service.getOrder(merchant.private_key, order['uuid'])).status).toBe(200)
  })
})

describe('a proxy in front that is trusted', () => {
  let behind: Service
  let client: Client
  beforeAll(async () => {
    const env = { NUQTA_TRUST_PROXY: '127.0.0.1' }
    behind = await startService({ home, name: 'behind', database, env })
    client = createCheckedClient(behind.port, behind.ca)
  })
  afterAll(async () => {
    client.close()
    await behind.end('SIGTERM')
  })

  /** `X-Forwarded-Proto` over plain HTTP | answer. */
  const protos = cellsOf(`
    https       | ok
    HTTPS       | ok
    https,https | ok
    http        | https
    http, https | https
    https, http | https
                | https
    ws          | https
  `)
  test.each(protos)('plain HTTP with X-Forwarded-Proto %s', async (proto = '', expected = '') => {
    const forwarded = proto === '' ? '' : `x-forwarded-proto: ${proto}\r\n`
    const head = `GET /api/v1/orders/${order['uuid']} HTTP/1.1\r\nhost: x\r\nx-api-key: ${merchant.private_key}\r\n`
    const reply = parseRaw(await client.rawPlain(`${head}${forwarded}connection: close\r\n\r\n`))
    expect(said(reply)).toBe(messages[expected])
  })

  test('TLS works beside it', async () => {
    const path = `/api/v1/orders/${String(order['uuid'])}`
    expect(said(await client.call('GET', path, { key: merchant.private_key }))).toBe(messages['ok'])
  })
})
