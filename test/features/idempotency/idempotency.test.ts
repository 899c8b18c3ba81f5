import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { purgeKeys } from '../../../src/features/idempotency/service.ts'
import { OffsetClock } from '../../../src/lib/clock.ts'
import { routes } from '../../../src/routes.ts'
import type { Reply } from '../../http/client.ts'
import {
  type App,
  type AppSettings,
  type MerchantOptions,
  makeMerchant,
  makeProgram,
  purchase,
  startApp,
  testApp,
} from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { type Endpoint, endpointOf, endpoints, type Merchant, newOrder } from '../../support/posts.ts'
import { type DatabaseProxy, startProxy } from '../../support/proxy.ts'
import { outcomeOf, readTable } from '../../support/tables.ts'
import { waitFor } from '../../support/wait.ts'

// A request can be repeated under its key, whatever happened to the first connection, process or database.
// docs/spec/api.md#idempotency-key, docs/decisions/0008-idempotency.md

const database = testDatabase()
const app = testApp(database)
/** Another process of the same deployment. */
const other = testApp(database)
/** One that reaches the database by a way that can break. */
let behind: App
let proxy: DatabaseProxy
const started: App[] = []
let program_id: number

beforeAll(async () => {
  program_id = (await makeProgram(database.db)).program_id
  proxy = await startProxy(database.url)
  behind = await startApp(database, { db: database.connectTo(proxy.url, { size: 4 }) })
})

afterAll(async () => {
  await behind.stop()
  await proxy.close()
})

/** One more, for one test. */
async function another(settings: AppSettings = {}, clock = new OffsetClock()): Promise<App> {
  const server = await startApp(database, settings, clock)
  started.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
})

const newMerchant = (options: MerchantOptions = {}) => makeMerchant(database.db, { program_id, ...options })
let numbered = 0
const freshKey = () => `key-${++numbered}`
const isReplayed = ({ headers }: Reply) => headers['idempotency-replayed'] === 'true'

async function countOf({ count }: Endpoint, { program_id, merchant_id }: Merchant): Promise<number> {
  const [row] = await database.owner.run<{ count: number }>({ text: count, values: [program_id, merchant_id] })
  return row?.count ?? 0
}

async function send(server: App, endpoint: Endpoint, merchant: Merchant, json: unknown, key: string): Promise<Reply> {
  return server.post(await endpoint.path(merchant, app()), merchant.private_key, json, { 'idempotency-key': key })
}

const keyRows = () =>
  database.owner.run<{ route: string; answer: Buffer | null; status: number | null }>({
    text: 'select route, answer, status from idempotency order by created_at',
    values: [],
  })

/** Resets keys to the state that a process leaves if it dies before it stores its answer. */
async function loseAnswers({ program_id, merchant_id }: Merchant): Promise<void> {
  await database.owner.run({
    text: `update idempotency set status = null, answer = null, leased_until = now() - interval '1 second'
      where program_id = $1 and merchant_id = $2`,
    values: [program_id, merchant_id],
  })
}

it('every POST route is tested here', () => {
  const posts = routes.filter(({ method }) => method === 'POST').map(({ path }) => path)
  expect(endpoints.map(({ row }) => row).sort()).toEqual(posts.sort())
})

const keepsSuccesses = ({ row }: Endpoint) =>
  routes.some(({ path, idempotency_keeps }) => path === row && idempotency_keeps === 'successes')

// Anyone who has read a shop's page can call such a route, so refusals are not stored.
describe.each(endpoints.filter(keepsSuccesses))(
  'a refused POST under a key, on a route that anonymous clients may call: $row',
  (endpoint) => {
    it('stores nothing for a refusal, and accepts the corrected body under the same key', async () => {
      const merchant = await newMerchant()
      const key = freshKey()
      for (const _ of [1, 2]) {
        const refused = await send(app(), endpoint, merchant, endpoint.bad, key)
        expect([refused.status, isReplayed(refused)]).toEqual([422, false])
        const rows = await database.owner.run({
          text: 'select from idempotency where merchant_id = $1',
          values: [merchant.merchant_id],
        })
        expect(rows).toEqual([])
      }
      expect(outcomeOf(await send(app(), endpoint, merchant, endpoint.body(), key))).toBe('200')
      expect(await countOf(endpoint, merchant)).toBe(1)
    })
  },
)

describe.each(endpoints)('a POST sent again under its key: $row', (endpoint) => {
  it('gets the identical answer from any process, and has one effect', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), endpoint.body()]
    const first = await send(app(), endpoint, merchant, body, key)
    expect([first.status, isReplayed(first)]).toEqual([200, false])
    for (const server of [app(), other(), app()]) {
      const again = await send(server, endpoint, merchant, body, key)
      expect([again.status, isReplayed(again), again.text]).toEqual([200, true, first.text])
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    }
    expect(await countOf(endpoint, merchant)).toBe(1)
  })

  it('is the same request if the JSON members are in another order', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), endpoint.body()]
    await send(app(), endpoint, merchant, body, key)
    const text = JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), null, 4)
    const again = await app().call('POST', await endpoint.path(merchant, app()), {
      key: merchant.private_key,
      bytes: text,
      headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    })
    expect([again.status, isReplayed(again)]).toEqual([200, true])
  })

  it('with another body is a 422 on idempotency_key and does nothing', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), endpoint.body()]
    const first = await send(app(), endpoint, merchant, body, key)
    for (const changed of [{ ...body, ...endpoint.other }, endpoint.bad, { ...body, unknown_field: 1 }]) {
      const refused = await send(app(), endpoint, merchant, changed, key)
      expect(outcomeOf(refused)).toBe('422 idempotency_key')
      expect(isReplayed(refused)).toBe(false)
    }
    expect((await send(app(), endpoint, merchant, body, key)).text).toBe(first.text)
    expect(await countOf(endpoint, merchant)).toBe(1)
  })

  it('many times at once, to two processes, has one effect and one answer', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), endpoint.body()]
    const asked = Array.from({ length: 24 }, (_, index) =>
      send(index % 2 === 0 ? app() : other(), endpoint, merchant, body, key),
    )
    const replies = await Promise.all(asked)
    const answered = replies.filter(({ status }) => status === 200)
    const waiting = replies.filter(({ status }) => status === 409)
    expect(answered.length + waiting.length).toBe(24)
    expect(answered.filter((reply) => !isReplayed(reply))).toHaveLength(1)
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1)
    for (const { headers } of waiting) expect(headers['retry-after']).toBe('1')
    expect(await countOf(endpoint, merchant)).toBe(1)
    expect(isReplayed(await send(other(), endpoint, merchant, body, key))).toBe(true)
  })

  it.skipIf(keepsSuccesses(endpoint))(
    'after a refusal of its body is refused alike, and with the body put right is another body',
    async () => {
      const merchant = await newMerchant()
      const key = freshKey()
      const first = await send(app(), endpoint, merchant, endpoint.bad, key)
      const again = await send(app(), endpoint, merchant, endpoint.bad, key)
      expect([first.status, isReplayed(first)]).toEqual([422, false])
      expect([again.status, isReplayed(again), again.text]).toEqual([422, true, first.text])
      expect(outcomeOf(await send(app(), endpoint, merchant, endpoint.body(), key))).toBe('422 idempotency_key')
      expect(await countOf(endpoint, merchant)).toBe(0)
    },
  )

  // A crash between commit and answer: the effect is committed, the answer is lost.
  it('after its commit came through but its answer was lost gets the committed answer', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), endpoint.body()]
    proxy.breakNextCommit('after the server has committed')
    const first = await send(behind, endpoint, merchant, body, key)
    // An earning finds its own commit within the request; the others answer that the result is unknown.
    expect([200, 503]).toContain(first.status)
    const again = await send(app(), endpoint, merchant, body, key)
    expect([again.status, isReplayed(again)]).toEqual([200, true])
    expect(await countOf(endpoint, merchant)).toBe(1)
  })
})

describe('the scope of a key', () => {
  it('is one endpoint of one merchant', async () => {
    const [one, two] = [await newMerchant(), await newMerchant()]
    const key = freshKey()
    for (const merchant of [one, two]) {
      for (const endpoint of ['/v1/orders/earning', '/v1/orders/checkout/:publicKey', '/v1/webhooks'].map(endpointOf)) {
        const reply = await send(app(), endpoint, merchant, endpoint.body(), key)
        expect([reply.status, isReplayed(reply)], endpoint.row).toEqual([200, false])
      }
    }
  })

  it.each(
    readTable(`
    key         | outcome
    k*1         | 200
    k*255       | 200
    k*256       | 422 idempotency_key
    k*5000      | 422 idempotency_key
  `),
  )('of length $key: $outcome', async ({ key: length = '', outcome }) => {
    const key = 'k'.repeat(Number(length.slice(2)))
    const { private_key } = await newMerchant()
    const json = { integration_active: true }
    const reply = await app().post('/v1/integration/status', private_key, json, { 'idempotency-key': key })
    expect(outcomeOf(reply)).toBe(outcome)
  })

  it('excludes blank keys, and requests other than POST', async () => {
    const { private_key: key } = await newMerchant()
    const before = (await keyRows()).length
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      await app().call(method, '/v1/webhooks/x', { key, headers: { 'idempotency-key': 'k' } })
    }
    for (const blank of ['', '   '])
      await app().post('/v1/integration/status', key, { active: true }, { 'idempotency-key': blank })
    expect(await keyRows()).toHaveLength(before)
  })

  it('excludes requests without a key: nothing is stored', async () => {
    const { private_key, public_key } = await newMerchant()
    const before = (await keyRows()).length
    await app().post('/v1/orders/earning', private_key, purchase())
    await app().post(`/v1/orders/checkout/${public_key}`, private_key, { total_price: 1, order_number: '1' })
    expect(await keyRows()).toHaveLength(before)
  })

  it('separates requests with two keys', async () => {
    const { private_key: key } = await newMerchant()
    const body = purchase()
    const first = await app().post('/v1/orders/earning', key, body, { 'idempotency-key': freshKey() })
    const second = await app().post('/v1/orders/earning', key, body, { 'idempotency-key': freshKey() })
    expect([first.status, second.status]).toEqual([200, 429])
  })
})

describe('the stored answer', () => {
  const path = '/v1/orders/earning'

  it('is never a 429: a repeated request runs', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), purchase()]
    const post = () => app().post(path, merchant.private_key, body, { 'idempotency-key': key })
    await database.owner.transaction(async (tx) => {
      await tx.run({
        text: 'select 1 as one from earning_lock where program_id = $1 and merchant_id = $2 for update',
        values: [merchant.program_id, merchant.merchant_id],
      })
      for (let tries = 0; tries < 3; tries += 1) expect((await post()).status).toBe(429)
    })
    const carriedOut = await post()
    expect([carriedOut.status, isReplayed(carriedOut)]).toEqual([200, false])
    expect(isReplayed(await post())).toBe(true)
  })

  it('is looked up before lock and deduplication: a replay is no 429 while another earning runs', async () => {
    const merchant = await newMerchant()
    const [key, body] = [freshKey(), purchase()]
    const post = () => app().post(path, merchant.private_key, body, { 'idempotency-key': key })
    const first = await post()
    await database.owner.transaction(async (tx) => {
      await tx.run({
        text: 'select 1 as one from earning_lock where program_id = $1 and merchant_id = $2 for update',
        values: [merchant.program_id, merchant.merchant_id],
      })
      const again = await post()
      expect([again.status, again.text]).toEqual([200, first.text])
    })
  })

  it('may be the 422 of a taken order number, after the lock window', async () => {
    const { private_key: key } = await newMerchant()
    const server = await another()
    const body = purchase()
    await server.post(path, key, body)
    const headers = { 'idempotency-key': freshKey() }
    expect((await server.post(path, key, body, headers)).status).toBe(429)
    server.clock.setOffset(11)
    const taken = await server.post(path, key, body, headers)
    expect([outcomeOf(taken), isReplayed(taken)]).toEqual(['422 order_number', false])
    const again = await server.post(path, key, body, headers)
    expect([again.text, isReplayed(again)]).toEqual([taken.text, true])
    expect(again.body.appended_data).toHaveProperty('order_uuid')
  })

  it('is never a refusal from before the body is read', async () => {
    const merchant = await newMerchant({ changes: { verified: false } })
    const before = (await keyRows()).length
    const headers = { 'idempotency-key': freshKey() }
    expect((await app().post(path, merchant.private_key, purchase(), headers)).status).toBe(403)
    expect((await app().post(path, 'sk_test_x', purchase(), headers)).status).toBe(400)
    const broken = { bytes: '{', headers: { ...headers, 'content-type': 'application/json' } }
    expect((await app().call('POST', '/v1/webhooks', { key: merchant.private_key, ...broken })).status).toBe(400)
    expect(await keyRows()).toHaveLength(before)
  })

  it('is sealed: the table reveals neither a webhook’s secret nor a checkout’s link', async () => {
    const { private_key, public_key } = await newMerchant()
    const headers = { 'idempotency-key': 'visible-key' }
    const webhook = await app().post('/v1/webhooks', private_key, { name: 'Main', url: 'https://a.example/' }, headers)
    const checkout = await app().post(
      `/v1/orders/checkout/${public_key}`,
      private_key,
      { total_price: 1, order_number: '1' },
      headers,
    )
    const { secret } = webhook.body.data as { secret: string }
    const { checkout_url } = checkout.body.data as { checkout_url: string }
    const [dump] = await database.owner.run<{ rows: string; answers: string }>({
      text: `select string_agg(i::text, ' ') as rows, string_agg(encode(answer, 'escape'), ' ') as answers from idempotency i`,
      values: [],
    })
    for (const hidden of [secret, secret.slice(6), checkout_url.slice(-26), 'visible-key', 'appended_data'])
      expect(`${dump?.rows} ${dump?.answers}`).not.toContain(hidden)
  })
})

describe('the retention of a key', () => {
  it('is a day of the business clock; then the key is new again', async () => {
    const clock = new OffsetClock()
    const server = await another({}, clock)
    const { private_key: key } = await newMerchant()
    const headers = { 'idempotency-key': freshKey() }
    const body = { name: 'Main', url: 'https://shop.example.com/' }
    const first = await server.post('/v1/webhooks', key, body, headers)
    clock.setOffset(86_400 - 60)
    expect((await server.post('/v1/webhooks', key, body, headers)).text).toBe(first.text)
    clock.setOffset(86_400 + 60)
    const anew = await server.post('/v1/webhooks', key, { ...body, name: 'Other' }, headers)
    expect([anew.status, isReplayed(anew)]).toEqual([200, false])
    expect(isReplayed(await server.post('/v1/webhooks', key, { ...body, name: 'Other' }, headers))).toBe(true)
    expect((await server.get('/v1/webhooks', key)).body).toMatchObject({ meta: { total: 2 } })
  })

  it('lets the maintenance purge older keys only, in batches', async () => {
    const merchant = await newMerchant()
    for (let number = 0; number < 5; number += 1)
      await app().post(
        '/v1/integration/status',
        merchant.private_key,
        { active: true },
        { 'idempotency-key': freshKey() },
      )
    const all = (await keyRows()).length
    expect(await purgeKeys(database.db, new Date(Date.now() + 86_400_000 - 600_000))).toBe(0)
    expect(await keyRows()).toHaveLength(all)
    expect(await purgeKeys(database.db, new Date(Date.now() + 3 * 86_400_000), 2)).toBe(all)
    expect(await keyRows()).toEqual([])
  })
})

/** A look-up that hangs until it is released, to stop a request in the middle. */
function hangingLookUp() {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  let arrived = () => {}
  const waiting = new Promise<void>((go) => {
    arrived = go
  })
  return {
    waiting,
    release: () => resolve([]),
    webhook: {
      allow_loopback: false,
      resolve: () => {
        arrived()
        return promise
      },
    },
  }
}

describe('a slow or dead owner', () => {
  const body = { name: 'Main', url: 'https://shop.example.com/' }

  it('keeps the key while its lease lasts: others must wait', async () => {
    const hanging = hangingLookUp()
    const slow = await another({ webhook: hanging.webhook })
    const { private_key: key } = await newMerchant()
    const headers = { 'idempotency-key': freshKey() }
    const first = slow.post('/v1/webhooks', key, body, headers)
    await hanging.waiting
    for (const server of [app(), slow]) {
      const reply = await server.post('/v1/webhooks', key, body, headers)
      expect([reply.status, reply.headers['retry-after']]).toEqual([409, '1'])
    }
    // Another body is refused at once: waiting would not help.
    const other = await app().post('/v1/webhooks', key, { ...body, name: 'Other' }, headers)
    expect(outcomeOf(other)).toBe('422 idempotency_key')
    hanging.release()
    const done = await first
    expect([done.status, isReplayed(done)]).toEqual([200, false])
    expect((await app().post('/v1/webhooks', key, body, headers)).text).toBe(done.text)
  })

  it('loses the key when its lease expires, and then has no effect: its transaction fails', async () => {
    const hanging = hangingLookUp()
    const slow = await another({ webhook: hanging.webhook, lease_ms: 100 })
    const { private_key: key } = await newMerchant()
    const headers = { 'idempotency-key': freshKey() }
    const first = slow.post('/v1/webhooks', key, body, headers)
    await hanging.waiting
    let taken: Reply | undefined
    await waitFor('the lease to be over', async () => {
      taken = await app().post('/v1/webhooks', key, body, headers)
      return taken.status !== 409
    })
    expect([taken?.status, taken?.headers['idempotency-replayed']]).toEqual([200, undefined])
    hanging.release()
    expect((await first).status).toBe(409)
    expect((await app().get('/v1/webhooks', key)).body).toMatchObject({ meta: { total: 1 } })
    expect((await slow.post('/v1/webhooks', key, body, headers)).text).toBe(taken?.text)
  })

  it('of an earning: the next owner finds the committed order, at its own rate', async () => {
    const merchant = await newMerchant()
    const earning = endpointOf('/v1/orders/earning')
    const [key, sent] = [freshKey(), purchase()]
    const first = await send(app(), earning, merchant, sent, key)
    await loseAnswers(merchant)
    await database.owner.run({
      text: 'update merchant set points_per_sar_e4 = 70000 where merchant_id = $1',
      values: [merchant.merchant_id],
    })
    const again = await send(app(), earning, merchant, sent, key)
    expect([again.status, isReplayed(again)]).toEqual([200, false])
    expect(again.body.data).toEqual(first.body.data)
    expect(await countOf(earning, merchant)).toBe(1)
    const events = await database.owner.run({
      text: 'select 1 as one from event where merchant_id = $1',
      values: [merchant.merchant_id],
    })
    expect(events).toHaveLength(1)
    expect((await send(app(), earning, merchant, sent, key)).text).toBe(again.text)
  })

  it('of a pending earning: the next owner finds the committed one too', async () => {
    const merchant = await newMerchant()
    const [key, sent] = [freshKey(), purchase({ phone_number: '500000003' })]
    const post = () => app().post('/v1/orders/earning', merchant.private_key, sent, { 'idempotency-key': key })
    const first = await post()
    expect(first.body.data).toMatchObject({ pending_client_activation: true })
    await loseAnswers(merchant)
    const again = await post()
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, first.text, false])
  })

  it('is replaced by one of several concurrent requests', async () => {
    const merchant = await newMerchant()
    const checkout = endpointOf('/v1/orders/checkout/:publicKey')
    const key = freshKey()
    await database.owner.run({
      text: `insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
        values ($1, $2, sha256(convert_to($3, 'UTF8')), 'r', sha256(convert_to($4, 'UTF8')), gen_random_uuid(), gen_random_uuid(), now(), now())`,
      values: [
        merchant.program_id,
        merchant.merchant_id,
        `/api${await checkout.path(merchant, app())}\n${key}`,
        '{"order_number":"1","total_price":100}',
      ],
    })
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        send(index % 2 === 0 ? app() : other(), checkout, merchant, checkout.body(), key),
      ),
    )
    expect(replies.filter((reply) => reply.status === 200 && !isReplayed(reply))).toHaveLength(1)
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await countOf(checkout, merchant)).toBe(1)
  })
})

// One transaction writes both rows, so neither can be lost without the other.
describe('effect and answer are committed together', () => {
  const together = readTable(`
    row                             | table
    /v1/orders/checkout/:publicKey  | checkout_session
    /v1/orders/:orderUuid/authorize | orders
    /v1/orders/:orderUuid/capture   | orders
    /v1/orders/:orderUuid/complete  | orders
    /v1/orders/:orderUuid/cancel    | orders
    /v1/orders/:orderUuid/refund    | orders
    /v1/orders/:orderUuid/status    | orders
    /v1/webhooks                    | webhook
    /v1/integration/status          | api_key
  `)

  it.each(together)('$row', async ({ row = '', table }) => {
    const merchant = await newMerchant()
    const endpoint = endpointOf(row)
    await send(app(), endpoint, merchant, endpoint.body(), freshKey())
    const rows = await database.owner.run<{ same: boolean }>({
      text: `select e.xmin = i.xmin as same from ${table} e join idempotency i using (program_id, merchant_id)
        where program_id = $1 and merchant_id = $2`,
      values: [merchant.program_id, merchant.merchant_id],
    })
    expect(rows).toEqual([{ same: true }])
  })

  it('one key for two orders is two requests', async () => {
    const merchant = await newMerchant()
    const headers = { 'idempotency-key': freshKey() }
    for (const uuid of [await newOrder(app(), merchant), await newOrder(app(), merchant)]) {
      const reply = await app().post(`/v1/orders/${uuid}/authorize`, merchant.private_key, undefined, headers)
      expect(reply).toMatchObject({ status: 200, body: { data: { uuid } } })
      expect(isReplayed(reply)).toBe(false)
    }
  })

  it('a refusal for the state of an order is stored too', async () => {
    const merchant = await newMerchant()
    const path = `/v1/orders/${await newOrder(app(), merchant)}`
    const headers = { 'idempotency-key': freshKey() }
    const first = await app().post(`${path}/capture`, merchant.private_key, undefined, headers)
    expect(first.status).toBe(400)
    await app().post(`${path}/authorize`, merchant.private_key)
    const again = await app().post(`${path}/capture`, merchant.private_key, undefined, headers)
    expect([again.status, again.text, isReplayed(again)]).toEqual([400, first.text, true])
  })
})
