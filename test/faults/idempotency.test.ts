import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type CallOptions, createClient, type Reply } from '../http/client.ts'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { readTable } from '../support/tables.ts'

// A process is killed (SIGKILL) in the middle of a request with an Idempotency-Key; the client sends it again, to another.

const database = testDatabase()
const secret_key = 'one key for the server that dies and the one that lives'
const app = testApp(database, { secret_key })
const script = fileURLToPath(new URL('dying-server.ts', import.meta.url))

/** Sends a request to a server that dies of it. */
async function sendToDying(moment: string, path: string, request: CallOptions): Promise<void> {
  const child = spawn(process.execPath, [script, moment, database.url, secret_key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const { port, ca }: { port: number; ca: string } = JSON.parse(String(line.value))
  const client = createClient(port, ca)
  await expect(client.call('POST', `/api${path}`, request)).rejects.toThrow(/socket hang up|ECONNRESET/)
  client.close()
  expect(await exited).toEqual([null, 'SIGKILL'])
}

/** Sends it to the other server, as a client that waits when it is told to. */
async function sendUntilAnswered(path: string, request: CallOptions): Promise<Reply> {
  const patience = Date.now() + 10_000
  for (;;) {
    const reply = await app().call('POST', path, request)
    if (reply.status !== 409 || Date.now() > patience) return reply
    await sleep(50)
  }
}

const crashes = readTable(`
  endpoint | moment            | replayed | counts
  webhooks | before the commit | false    | webhook
  webhooks | after the commit  | true     | webhook
  checkout | before the commit | false    | checkout_session
  checkout | after the commit  | true     | checkout_session
  earning  | before the commit | false    | event
  earning  | after the commit  | false    | event
`)

describe('a server killed in the middle of a keyed request', () => {
  it.each(crashes)(
    '$endpoint, $moment: the next one answers with one effect',
    async ({ endpoint, moment = '', replayed, counts }) => {
      const merchant = await makeMerchant(database.db)
      const { path, json } = {
        webhooks: { path: '/v1/webhooks', json: { name: 'Main', url: 'https://shop.example.com/' } },
        checkout: { path: `/v1/orders/checkout/${merchant.public_key}`, json: { total_price: 1, order_number: '1' } },
        earning: { path: '/v1/orders/earning', json: purchase() },
      }[endpoint as 'webhooks' | 'checkout' | 'earning']
      const request = { key: merchant.private_key, json, headers: { 'idempotency-key': 'k' } }
      await sendToDying(moment, path, request)
      const reply = await sendUntilAnswered(path, request)
      expect([reply.status, reply.headers['idempotency-replayed'] === 'true']).toEqual([200, replayed === 'true'])
      const [row] = await database.owner.run<{ count: number }>({
        text: `select count(*)::int as count from ${counts} where program_id = $1 and merchant_id = $2`,
        values: [merchant.program_id, merchant.merchant_id],
      })
      expect(row?.count).toBe(1)
      const again = await sendUntilAnswered(path, request)
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true'])
    },
  )
})
