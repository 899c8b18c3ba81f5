import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { createAuthenticate } from '../../../src/features/merchants/authenticate.ts'
import { createMerchants } from '../../../src/features/merchants/service.ts'
import { createSendNotices } from '../../../src/features/settlement/notices.ts'
import { doSettlementRuns } from '../../../src/features/settlement/run-job.ts'
import { createSettlementPages } from '../../../src/features/settlement/statement.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import type { PostRequest, PostResult } from '../../../src/net/post.ts'
import { defaults, testApp } from '../../support/api.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOrder } from '../../support/orders.ts'
import { makePerson, type Person } from '../../support/staff.ts'

// Previews and closes in the background, and the webhook that receives settlements.

const database = testDatabase()
const app = testApp(database)
const work = (stopping?: AbortSignal) =>
  doSettlementRuns({ db: database.db, clock: app().clock, log: { warn: () => undefined } }, stopping)

let shop: Shop
let sara: Person
let path: string
beforeAll(async () => {
  shop = await oneShop(database.db)
  sara = await makePerson(app(), 'operator')
  path = `/programs/${shop.merchant.program_id}`
})

type Data = Readonly<Record<string, unknown>>
const ask = async (method: string, below: string, json?: unknown, headers = {}) => {
  const { status, body } = await sara.call(method, `${path}${below}`, json, headers)
  return { status, data: body.data as never as Data & readonly Data[] }
}
const runs = async () => (await ask('GET', '/settlement-runs')).data

it('one preview at a time is asked for, and a process that stops leaves it to the next', async () => {
  await earningOrder(database.db, shop.merchant)
  const key = { 'idempotency-key': 'one press' }
  const [first, again] = [
    await ask('POST', '/settlement-runs', { kind: 'preview' }, key),
    await ask('POST', '/settlement-runs', { kind: 'preview' }, key),
  ]
  expect(again).toEqual(first)
  expect((await ask('POST', '/settlement-runs', { kind: 'preview' })).status).toBe(409)
  expect((await ask('POST', '/settlement-runs', { kind: 'preview', until: '2099-01-01' })).status).toBe(422)
  await work(AbortSignal.abort())
  expect(await runs()).toMatchObject([{ kind: 'preview', state: 'waiting', result: null }])
  await work()
  const { name, merchant_id } = shop.merchant
  expect(await runs()).toMatchObject([
    {
      ...{ state: 'done', step: 'adding up', done: 1, of: 1, error: null },
      result: {
        merchants: 1,
        orders: 1,
        due_amount: 5,
        tie: { ties: true },
        largest: [{ merchant_id, merchant_name: name }],
      },
    },
  ])
})

it('a run whose workers died three times fails, and so does one that the program forbids meanwhile', async () => {
  await ask('POST', '/settlement-runs', { kind: 'close' })
  await database.owner.script(`update settlement_run set attempts = 3 where state = 'due'`)
  await work()
  expect((await runs())[0]).toMatchObject({
    kind: 'close',
    state: 'failed',
    error: expect.stringContaining('three times'),
  })
  await ask('POST', '/settlement-runs', { kind: 'close' })
  const rule = (on: boolean) => database.owner.script(`update program set two_person_settlements = ${on}`)
  await rule(true)
  await work()
  await rule(false)
  expect((await runs())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('two people') })
  expect((await ask('GET', '/settlements')).data).toEqual([])
})

/** The sender of notices, with a receiver that fails first. */
function sender() {
  const posted: PostRequest[] = []
  const at = { now_ms: Date.now(), status: 500 }
  const post = async (request: PostRequest): Promise<PostResult> => {
    posted.push(request)
    return { status: at.status, response: '', retry_after: null, error: null, error_code: null, silent: false }
  }
  const send = createSendNotices({
    db: database.db,
    secrets: createSecretBox(defaults.secret_key),
    settlementPages: createSettlementPages(database.db),
    settings: { retry_delays_s: [10], timeout_s: 1 },
    now: () => at.now_ms,
    poster: { post },
  })
  return { posted, send, at }
}

/** Sets the webhook, and replaces its secret; gives the new one. */
async function setWebhook(): Promise<string> {
  const { data: set } = await ask('POST', '/webhook', { url: 'https://198.51.101.7/told' })
  const { data: rotated } = await ask('POST', '/webhook/rotate')
  const [first, secret] = [String(set['secret']), String(rotated['secret'])]
  expect([first, secret]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)])
  expect(secret).not.toBe(first)
  const masked = `****${secret.slice(-4)}`
  expect((await ask('GET', '/webhook')).data).toMatchObject({ webhook: { secret: masked }, notices: [] })
  return secret
}

it('a closed settlement goes to the webhook of its program, is retried, and can be sent again by hand', async () => {
  const { posted, send, at } = sender()
  for (const url of ['http://198.51.101.7/', 'https://10.0.0.7/told'])
    expect((await ask('POST', '/webhook', { url })).status).toBe(422)
  const secret = await setWebhook()
  await ask('POST', '/settlement-runs', { kind: 'close' })
  await work()
  const [settlement] = (await ask('GET', '/settlements')).data
  const settlement_id = settlement?.['settlement_id'] as Uuid
  at.now_ms = Date.now() + 1_000
  await send(AbortSignal.abort())
  expect(posted).toEqual([])
  await send()
  at.now_ms += 60_000
  await send()
  await send()
  expect(posted.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2'])
  expect(posted[0]).toMatchObject({
    url: 'https://198.51.101.7/told',
    headers: {
      'x-webhook-secret': secret,
      'x-webhook-event': 'settlement_closed',
      'x-webhook-id': settlement_id,
    },
  })
  const { merchant_id, program_id } = shop.merchant
  expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({
    event: 'settlement_closed',
    settlement: {
      program_id,
      merchant_id,
      settlement_id,
      orders: 1,
      due_amount: 5,
      lines: [{ kind: 'earn', points: 1_000 }],
    },
  })
  const notice = async () => ((await ask('GET', '/webhook')).data['notices'] as Data[])[0]
  expect(await notice()).toMatchObject({ settlement_id, state: 'failed', attempts: 2, error: 'the answer was 500' })
  const { merchant_name, from, until } = settlement ?? {}
  expect(await notice()).toMatchObject({ settlement: { merchant_name, merchant_name_ar: null, from, until } })
  at.status = 204
  expect((await ask('POST', `/settlements/${settlement_id}/tell`)).status).toBe(200)
  expect((await ask('POST', `/settlements/${settlement_id}/tell`)).status).toBe(409)
  await send()
  expect(await notice()).toMatchObject({ state: 'delivered', attempts: 1, error: null })

  await ask('POST', `/settlements/${settlement_id}/tell`)
  expect((await ask('DELETE', '/webhook')).status).toBe(200)
  await send()
  expect([posted.length, await notice()]).toEqual([3, expect.objectContaining({ state: 'failed' })])
})

it('a planned secret counts from its time on, and a test about a made-up settlement goes out once at a time', async () => {
  const { posted, send, at } = sender()
  at.status = 204
  const { data: set } = await ask('POST', '/webhook', { url: 'https://198.51.101.7/told' })
  const from_ms = Date.now() + 3_600_000
  const [planned, replaced] = [
    await ask('POST', '/webhook/rotate', { at: new Date(from_ms + 1_000).toISOString() }),
    await ask('POST', '/webhook/rotate', { at: new Date(from_ms).toISOString() }),
  ]
  expect((await ask('POST', '/webhook/rotate', { at: 'tomorrow' })).status).toBe(422)
  const next = String(replaced.data['secret'])
  expect(next).not.toBe(planned.data['secret'])
  const masked = `****${String(set['secret']).slice(-4)}`
  const webhook = async () => (await ask('GET', '/webhook')).data['webhook']
  expect(await webhook()).toMatchObject({ secret: masked, next_secret_from: new Date(from_ms).toISOString() })
  // Another address keeps both secrets.
  await ask('POST', '/webhook', { url: 'https://198.51.101.7/other' })
  const test = () => ask('POST', '/webhook/test')
  expect((await test()).data).toMatchObject({ event: 'test', settlement_id: null, state: 'due' })
  expect((await test()).status).toBe(409)
  at.now_ms = from_ms - 1_000
  await send()
  expect((await test()).status).toBe(200)
  at.now_ms = from_ms
  await send()
  expect(posted.map(({ url, headers }) => [url, headers['x-webhook-event'], headers['x-webhook-secret']])).toEqual([
    ['https://198.51.101.7/other', 'test', set['secret']],
    ['https://198.51.101.7/other', 'test', next],
  ])
  expect(posted[0]?.headers['x-webhook-id']).not.toBe(posted[1]?.headers['x-webhook-id'])
  expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({ event: 'test', settlement: { merchant_name: 'TEST' } })
  const { data } = await ask('GET', '/webhook')
  expect((data['notices'] as Data[]).filter(({ event }) => event === 'test')).toEqual([
    expect.objectContaining({ settlement_id: null, settlement: null }),
  ])
  expect((await ask('DELETE', '/webhook')).status).toBe(200)
  expect((await test()).status).toBe(404)
})

it('lists orders left out at all merchants, page by page, until they are taken in', async () => {
  const { disputes } = app().services
  const by = { source: 'command', name: 'Sara' } as const
  const { program_id } = shop.merchant
  const place = { environment: 'sandbox', now: app().clock.now(), verified: true, published: true } as const
  const [made] = await createMerchants(database.db, { ...place, program_id, name: 'Other', count: 1 })
  const other = await createAuthenticate(database.db)('private', made?.private_key ?? '')
  if (other === null) expect.unreachable()
  const orders: { readonly merchant_id: number; readonly order_uuid: Uuid }[] = []
  for (const at of [shop.merchant, other, shop.merchant]) {
    const { order_uuid } = await earningOrder(database.db, at)
    orders.push({ merchant_id: at.merchant_id, order_uuid })
    await disputes.begin({ program_id, merchant_id: at.merchant_id, order_uuid, by, reason: 'Denied' })
  }
  const list = async (query: string) => {
    const { body } = await sara.call('GET', `${path}/disputes${query}`)
    return { next: Reflect.get(body, 'next') as string | null, rows: body.data as never as Data[] }
  }
  const first = await list('?limit=1')
  const rest = await list(`?after=${first.next}`)
  const found = [...first.rows, ...rest.rows]
  expect(found.map(({ order_uuid }) => order_uuid)).toEqual(orders.map(({ order_uuid }) => order_uuid).toReversed())
  expect(found.map(({ merchant_name }) => merchant_name)).toEqual([shop.merchant.name, 'Other', shop.merchant.name])
  expect(found[0]).toMatchObject({ type: 'earning', reason: 'Denied' })
  expect((await sara.call('GET', `${path}/disputes?after=x`)).status).toBe(422)
  for (const order of orders) await disputes.end({ program_id, ...order, by })
  expect((await list('')).rows).toEqual([])
})
