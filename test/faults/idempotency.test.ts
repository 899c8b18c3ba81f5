import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { MadeMerchant } from '../../src/features/merchants/service.ts'
import { type CallOptions, createClient, type Reply } from '../http/client.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { localAuthority } from '../support/authority.ts'
import { testDatabase } from '../support/database.ts'
import { readTable } from '../support/tables.ts'
import { waitFor } from '../support/wait.ts'
import type { DyingServer } from './dying-server.ts'

// A process is killed (SIGKILL) in the middle of a request with an Idempotency-Key; the client sends it again, to another.

const database = testDatabase()
const secret_key = 'one key for the server that dies and the one that lives'
const app = testApp(database, { secret_key })
const script = fileURLToPath(new URL('dying-server.ts', import.meta.url))

/** Sends a request that kills its server. */
async function sendToDying(moment: string, path: string, request: CallOptions): Promise<void> {
  const tls = await localAuthority()
  const dying: DyingServer = { moment, url: database.url, secret_key, tls }
  const child = spawn(process.execPath, [script, JSON.stringify(dying)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const client = createClient(Number(line.value), tls.ca)
  await expect(client.call('POST', `/api${path}`, request)).rejects.toThrow(/socket hang up|ECONNRESET/)
  client.close()
  expect(await exited).toEqual([null, 'SIGKILL'])
}

/** Sends it to the other server, as a client that obeys Retry-After. */
async function sendUntilAnswered(path: string, request: CallOptions): Promise<Reply> {
  let reply: Reply | undefined
  await waitFor('an answer other than 409', async () => {
    reply = await app().call('POST', path, request)
    return reply.status !== 409
  })
  if (reply === undefined) throw new Error('no answer')
  return reply
}

/** The order of a refund or a cancellation. */
async function orderFor(endpoint: string | undefined, merchant: MadeMerchant): Promise<string> {
  const { private_key: key, public_key } = merchant
  if (endpoint === 'cancel') {
    const made = await app().post(`/v1/orders/checkout/${public_key}`, key, { total_price: 100, order_number: '1' })
    return (made.body.data as { order_uuid: string }).order_uuid
  }
  if (endpoint !== 'refund') return ''
  const earned = await app().post('/v1/orders/earning', key, purchase())
  return (earned.body.data as { uuid: string }).uuid
}

const crashes = readTable(`
  endpoint | moment            | replayed | counts
  webhooks | before the commit | false    | webhook
  webhooks | after the commit  | true     | webhook
  checkout | before the commit | false    | checkout_session
  checkout | after the commit  | true     | checkout_session
  refund   | before the commit | false    | order_refund
  refund   | after the commit  | true     | order_refund
  cancel   | before the commit | false    | event
  cancel   | after the commit  | true     | event
  earning  | before the commit | false    | event
  earning  | after the commit  | false    | event
`)

describe('a server killed in the middle of a keyed request', () => {
  it.each(crashes)(
    '$endpoint, $moment: the next one answers with one effect',
    async ({ endpoint, moment = '', replayed, counts }) => {
      const merchant = await makeMerchant(database.db)
      const order_uuid = await orderFor(endpoint, merchant)
      const { path, json } = {
        webhooks: { path: '/v1/webhooks', json: { name: 'Main', url: 'https://shop.example.com/' } },
        checkout: { path: `/v1/orders/checkout/${merchant.public_key}`, json: { total_price: 1, order_number: '1' } },
        // Refund a part: only the key prevents a second refund.
        refund: { path: `/v1/orders/${order_uuid}/refund`, json: { amount: 10 } },
        cancel: { path: `/v1/orders/${order_uuid}/cancel`, json: {} },
        earning: { path: '/v1/orders/earning', json: purchase() },
      }[endpoint as 'webhooks' | 'checkout' | 'refund' | 'cancel' | 'earning']
      const request = { key: merchant.private_key, json, headers: { 'idempotency-key': 'k' } }
      await sendToDying(moment, path, request)
      const reply = await sendUntilAnswered(path, request)
      expect([reply.status, reply.headers['idempotency-replayed'] === 'true']).toEqual([200, replayed === 'true'])
      const [row] = await database.owner.run<{ count: number }>({
        text: `select count(*)::int as count from ${counts} where program_id = $1`,
        values: [merchant.program_id],
      })
      expect(row?.count).toBe(1)
      const again = await sendUntilAnswered(path, request)
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true'])
    },
  )
})
