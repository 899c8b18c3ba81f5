import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { type CallOptions, createClient, type Reply } from '../http/client.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { localAuthority } from '../support/authority.ts'
import { testDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait.ts'
import type { DyingServer } from './dying-server.ts'

// A process is killed (SIGKILL) in the middle of a request with an Idempotency-Key; the client sends it again, to another.

const database = testDatabase()
const secret_key = 'one key for the server that dies and the one that lives'
const app = testApp(database, { secret_key })
const script = fileURLToPath(new URL('dying-server.ts', import.meta.url))

interface Keyed {
  readonly path: string
  readonly request: CallOptions
}

/** Sends requests to a server that dies when all of them have come to the moment. */
async function sendToDying(moment: string, sent: readonly Keyed[]): Promise<void> {
  const tls = await localAuthority()
  const dying: DyingServer = { moment, requests: sent.length, url: database.url, secret_key, tls }
  const child = spawn(process.execPath, [script, JSON.stringify(dying)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const client = createClient(Number(line.value), tls.ca)
  const broken = /socket hang up|ECONNRESET/
  await Promise.all(
    sent.map(({ path, request }) => expect(client.call('POST', `/api${path}`, request), path).rejects.toThrow(broken)),
  )
  client.close()
  expect(await exited).toEqual([null, 'SIGKILL'])
}

/** Sends it to the other server, as a client that obeys Retry-After. */
async function sendUntilAnswered({ path, request }: Keyed): Promise<Reply> {
  let reply: Reply | undefined
  await waitFor('an answer other than 409', async () => {
    reply = await app().call('POST', path, request)
    return reply.status !== 409
  })
  if (reply === undefined) throw new Error('no answer')
  return reply
}

/** The order of a refund or a cancellation. */
async function orderFor(endpoint: Endpoint, merchant: MadeMerchant): Promise<string> {
  const { private_key: key, public_key } = merchant
  if (endpoint === 'cancel') {
    const made = await app().post(`/v1/orders/checkout/${public_key}`, key, { total_price: 100, order_number: '1' })
    return (made.body.data as { order_uuid: string }).order_uuid
  }
  if (endpoint !== 'refund') return ''
  const earned = await app().post('/v1/orders/earning', key, purchase())
  return (earned.body.data as { uuid: string }).uuid
}

/** A request with an `Idempotency-Key`, of a merchant of its own. */
async function keyed(endpoint: Endpoint): Promise<Keyed & { readonly program_id: number }> {
  const merchant = await makeMerchant(database.db)
  const order_uuid = await orderFor(endpoint, merchant)
  const { path, json } = {
    webhooks: { path: '/v1/webhooks', json: { name: 'Main', url: 'https://shop.example.com/' } },
    checkout: { path: `/v1/orders/checkout/${merchant.public_key}`, json: { total_price: 1, order_number: '1' } },
    // Refund a part: only the key prevents a second refund.
    refund: { path: `/v1/orders/${order_uuid}/refund`, json: { amount: 10 } },
    cancel: { path: `/v1/orders/${order_uuid}/cancel`, json: {} },
    earning: { path: '/v1/orders/earning', json: purchase() },
  }[endpoint]
  const request = { key: merchant.private_key, json, headers: { 'idempotency-key': 'k' } }
  return { path, request, program_id: merchant.program_id }
}

/** What each request adds a row to. An earning is found again by its number, the others by their stored answers. */
const counts = {
  webhooks: 'webhook',
  checkout: 'checkout_session',
  refund: 'order_refund',
  cancel: 'event',
  earning: 'event',
} as const
type Endpoint = keyof typeof counts
const endpoints = Object.keys(counts) as Endpoint[]

describe.each(['before the commit', 'after the commit'])('a server killed in keyed requests %s', (moment) => {
  let sent: ReadonlyMap<Endpoint, Awaited<ReturnType<typeof keyed>>>
  beforeAll(async () => {
    const made = await Promise.all(endpoints.map(async (endpoint) => [endpoint, await keyed(endpoint)] as const))
    sent = new Map(made)
    await sendToDying(moment, [...sent.values()])
  })

  it.each(endpoints)('%s: the next one answers with one effect', async (endpoint) => {
    const one = sent.get(endpoint)
    if (one === undefined) throw new Error('the request was not sent')
    const reply = await sendUntilAnswered(one)
    const replayed = moment === 'after the commit' && endpoint !== 'earning'
    expect([reply.status, reply.headers['idempotency-replayed'] === 'true']).toEqual([200, replayed])
    const [row] = await database.owner.run<{ count: number }>({
      text: `select count(*)::int as count from ${counts[endpoint]} where program_id = $1`,
      values: [one.program_id],
    })
    expect(row?.count).toBe(1)
    const again = await sendUntilAnswered(one)
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true'])
  })
})
