import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { auditOf } from '../../support/audit.ts'
import { type Asked, signedInApp } from '../../support/dashboard-api.ts'
import { testDatabase } from '../../support/database.ts'
import { announceEvents, startWorker } from '../../support/deliveries.ts'
import { TestClock } from '../../support/earnings.ts'
import { startReceiver } from '../../support/receiver.ts'
import { secret_key } from '../../support/secret-key.ts'
import { waitFor } from '../../support/wait.ts'

const database = testDatabase({ leaves: ['ledger differences', 'due deliveries'] })
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const app = signedInApp(database, { clock, secret_key })

type Data = Record<string, unknown>

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await oneShop(database.db)
  other = await oneShop(database.db)
})

const ask = (method: string, path: string, asked?: Asked) => app.call(method, shop.merchant, path, asked)
const dataOf = async <T = Data>(method: string, path: string, asked?: Asked): Promise<T> =>
  (await ask(method, path, asked)).body.data as T

async function registered(url: string, by = ask): Promise<{ uuid: Uuid; secret: string; version: string }> {
  const { body } = await by('POST', '/webhooks', { json: { name: 'Main', url } })
  return body.data as { uuid: Uuid; secret: string; version: string }
}

async function removeAll(): Promise<void> {
  for (const { uuid } of await dataOf<{ uuid: string }[]>('GET', '/webhooks')) await ask('DELETE', `/webhooks/${uuid}`)
}

describe('the webhooks of a merchant', () => {
  it('show their secret whole once, and are recorded without it', async () => {
    const { uuid, secret } = await registered('https://198.51.101.7/hook')
    expect(secret).toMatch(/^whsec_/)
    expect(await dataOf('GET', '/webhooks')).toMatchObject([{ uuid, secret: `****${secret.slice(-4)}` }])
    const recorded = await auditOf(database, `webhook:${uuid}`)
    expect(recorded).toMatchObject([{ actor: 'owner@shop.example', action: 'webhooks.create', before: null }])
    expect(JSON.stringify(recorded)).not.toContain(secret)
  })

  it('are made once per Idempotency-Key', async () => {
    const send = () =>
      ask('POST', '/webhooks', {
        json: { name: 'Once', url: 'https://198.51.101.7/once' },
        headers: { 'idempotency-key': 'hook' },
      })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    expect(await dataOf<unknown[]>('GET', '/webhooks')).toHaveLength(2)
    await removeAll()
  })

  it('are changed unless somebody else has changed them, and deleted', async () => {
    const { uuid, version } = await registered('https://198.51.101.7/hook')
    const json = { version, name: 'Primary' }
    expect((await ask('PATCH', `/webhooks/${uuid}`, { json })).body.data).toMatchObject({ name: 'Primary' })
    expect(await ask('PATCH', `/webhooks/${uuid}`, { json })).toMatchObject({ status: 409 })
    expect((await ask('DELETE', `/webhooks/${uuid}`)).status).toBe(200)
    expect((await ask('DELETE', `/webhooks/${uuid}`)).status).toBe(404)
    expect(await auditOf(database, `webhook:${uuid}`)).toMatchObject([
      { action: 'webhooks.create' },
      { action: 'webhooks.set', before: { name: 'Main' }, after: { name: 'Primary' } },
      { action: 'webhooks.delete', before: { name: 'Primary' }, after: null },
    ])
  })

  it('have the bounds of the API: targets, names, and 20 of them', async () => {
    for (const url of ['ftp://shop.example', 'https://10.0.0.1/x', 'https://user:word@shop.example/'])
      expect((await ask('POST', '/webhooks', { json: { name: 'x', url } })).status, url).toBe(422)
    for (let n = 0; n < 20; n++) await registered(`https://198.51.101.7/${n}`)
    const refused = await ask('POST', '/webhooks', { json: { name: 'x', url: 'https://198.51.101.7/20' } })
    expect(refused).toMatchObject({ status: 422, body: { errors: { url: [expect.stringContaining('20')] } } })
    await removeAll()
  })

  it('belong to one merchant: another finds none of them, nor of their deliveries', async () => {
    const { uuid } = await registered('https://198.51.101.7/hook')
    const { delivery_id } = await dataOf('POST', `/webhooks/${uuid}/test`)
    const foreign = (method: string, path: string, asked?: Asked) => app.call(method, other.merchant, path, asked)
    const range = { since: '2026-01-01T00:00:00Z', until: '2036-01-01T00:00:00Z' }
    for (const [method, path, json] of [
      ['PATCH', `/webhooks/${uuid}`, { version: 'x', name: 'Mine' }],
      ['DELETE', `/webhooks/${uuid}`],
      ['POST', `/webhooks/${uuid}/test`],
      ['POST', `/webhooks/${uuid}/rotate`],
      ['GET', `/webhooks/${uuid}/replay?${new URLSearchParams(range)}`],
      ['POST', `/webhooks/${uuid}/replay`, range],
      ['GET', `/deliveries/${String(delivery_id)}`],
      ['POST', `/deliveries/${String(delivery_id)}/replay`],
    ] as const)
      expect((await foreign(method, path, json === undefined ? {} : { json })).status, path).toBe(404)
    expect((await foreign('GET', `/deliveries?webhook=${uuid}`)).body).toMatchObject({ data: [], next: null })
    await removeAll()
  })

  it('are changed by owners and managers alone', async () => {
    for (const [method, path] of [
      ['POST', '/webhooks'],
      ['POST', `/webhooks/${newUuid()}/replay`],
    ] as const)
      expect((await ask(method, path, { json: {}, role: 'support' })).status).toBe(403)
    expect((await ask('GET', '/webhooks', { role: 'read_only' })).status).toBe(200)
  })

  it('get a new secret at a time that was said before', async () => {
    const { uuid, secret } = await registered('https://198.51.101.7/hook')
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const rotated = await dataOf('POST', `/webhooks/${uuid}/rotate`, { json: { at } })
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), secret_from: at })
    // The machine's clock decides when the secret counts; the webhook was changed by the clock that made it.
    const changed = { created_at: '2026-02-01T09:00:00.000Z', updated_at: '2026-02-01T09:00:00.000Z' }
    expect(await dataOf('GET', '/webhooks')).toMatchObject([
      { secret: `****${secret.slice(-4)}`, next_secret_from: at, ...changed },
    ])
    const now = await dataOf<{ secret: string }>('POST', `/webhooks/${uuid}/rotate`)
    expect(await dataOf('GET', '/webhooks')).toMatchObject([
      { secret: `****${now.secret.slice(-4)}`, next_secret_from: null },
    ])
    expect((await ask('POST', `/webhooks/${uuid}/rotate`, { json: { at: 'tomorrow' } })).status).toBe(422)
    await removeAll()
  })
})

describe('the deliveries of a merchant', () => {
  interface Listed {
    readonly delivery_id: string
    readonly state: string
    readonly last_status: number | null
  }
  const listed = async (query = '') =>
    (await ask('GET', `/deliveries${query}`)).body as { data: Listed[]; next: string | null }
  const ended = async (count: number) =>
    waitFor(
      'the deliveries to end',
      async () => (await listed()).data.filter(({ state }) => state !== 'due').length >= count,
    )

  it('are listed with their last attempt, by webhook and state, a page at a time', async () => {
    const [good, bad] = [
      await startReceiver(),
      await startReceiver({ answer: (response) => void response.writeHead(500).end('no') }),
    ]
    const [first, second] = [await registered(good.url), await registered(bad.url)]
    const worker = startWorker(database.db, { settings: { retry_delays_s: [] } })
    await announceEvents(database.db, shop.merchant, [{}, {}, {}])
    await ended(6)
    await worker.stop()
    const failed = await listed('?state=failed')
    expect(failed.data).toHaveLength(3)
    expect(failed.data[0]).toMatchObject({
      ...{ webhook_uuid: second.uuid, webhook_name: 'Main', event: 'approved', attempts: 1, last_status: 500 },
    })
    expect((await listed(`?webhook=${first.uuid}`)).data.map(({ state }) => state)).toEqual(
      new Array(3).fill('delivered'),
    )
    expect((await listed(`?webhook=${first.uuid}&state=failed`)).data).toEqual([])
    expect((await listed('?state=delivered')).data).toHaveLength(3)
    expect((await listed('?state=due')).data).toEqual([])
    const all = (await listed()).data.map(({ delivery_id }) => delivery_id)
    expect(all).toEqual(all.toSorted().toReversed())
    const paged: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = await listed(`?limit=4${next === '' ? '' : `&after=${next}`}`)
      paged.push(...page.data.map(({ delivery_id }) => delivery_id))
      next = page.next
    }
    expect(paged).toEqual(all)
    const refused = await ask('GET', '/deliveries?webhook=x&after=y&state=lost')
    expect(refused).toMatchObject({
      status: 422,
      body: {
        errors: {
          webhook: [expect.stringContaining('uuid')],
          after: ['The after is no place in this list. Begin with its first page.'],
          state: [expect.stringContaining('Use one of')],
        },
      },
    })
  })

  it('are read with their attempts, answers and what was sent, to the letter', async () => {
    const { data } = await listed('?state=failed')
    const found = await dataOf<{ body: string; attempts: Data[] }>('GET', `/deliveries/${data[0]?.delivery_id}`)
    expect(found).toMatchObject({ state: 'failed', series: 1, url: expect.stringMatching(/^https?:/) })
    expect(found.attempts).toMatchObject([{ series: 1, attempt: 1, status: 500, response: expect.any(String) }])
    expect(JSON.parse(found.body)).toMatchObject({ event: 'approved', order: { order_number: expect.any(String) } })
    expect((await ask('GET', `/deliveries/${newUuid()}`)).status).toBe(404)
    expect((await ask('GET', '/deliveries/nothing')).status).toBe(404)
  })

  it('are sent again: one, once, and the answer says when it cannot be', async () => {
    const { data } = await listed('?state=failed')
    const path = `/deliveries/${data[0]?.delivery_id}/replay`
    const again = () => ask('POST', path, { headers: { 'idempotency-key': 'replay' } })
    expect(await again()).toMatchObject({ status: 200, body: { data: { delivery_id: data[0]?.delivery_id } } })
    expect((await again()).status).toBe(200)
    expect(await ask('POST', path)).toMatchObject({ status: 409 })
    expect(await dataOf('GET', `/deliveries/${data[0]?.delivery_id}`)).toMatchObject({ state: 'due', series: 2 })
    expect((await listed('?state=due')).data).toHaveLength(1)
  })

  it('are sent again for a range, after they were counted', async () => {
    const { data } = await listed('?state=failed')
    const webhook = (data[0] as unknown as { webhook_uuid: string }).webhook_uuid
    const range = { since: '2026-01-01T00:00:00Z', until: new Date(Date.now() + 60_000).toISOString() }
    const count = () => dataOf('GET', `/webhooks/${webhook}/replay?${new URLSearchParams(range)}`)
    expect(await count()).toEqual({ failed: 2, most: 10_000, more: false })
    expect(await dataOf('POST', `/webhooks/${webhook}/replay`, { json: range })).toEqual({ replayed: 2, more: false })
    expect(await count()).toMatchObject({ failed: 0 })
    const past = { since: '2026-01-01T00:00:00Z', until: '2025-01-01T00:00:00Z' }
    const refused = await ask('POST', `/webhooks/${webhook}/replay`, { json: past })
    expect(refused).toMatchObject({ status: 422, body: { errors: { until: [expect.any(String)] } } })
    expect(await auditOf(database, `webhook:${webhook}`)).toContainEqual(
      expect.objectContaining({ action: 'deliveries.replay', after: { replayed: 2 }, actor: 'owner@shop.example' }),
    )
  })

  it('are not sent again once their webhook is deleted, and no list has them then', async () => {
    const { data } = await listed('?state=delivered')
    await removeAll()
    expect(await ask('POST', `/deliveries/${data[0]?.delivery_id}/replay`)).toMatchObject({ status: 409 })
    expect((await listed()).data).toEqual([])
  })
})
