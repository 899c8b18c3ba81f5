import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { type OutgoingProxy, startOutgoingProxy } from '../support/outgoing-proxy.ts'
import { closedPort, type Receiver, startReceiver } from '../support/receiver.ts'
import { type ClientEnv, call, nuqta, readClientEnv, scratch, serve } from './command.ts'

// NUQTA_WEBHOOK_PROXY and NUQTA_WEBHOOK_CA, as an operator sets them for a sandbox in a closed network.

const { path: cwd } = scratch()
const name = 'hooks.example'
let proxy: OutgoingProxy
let trusted: Receiver
let unknown: Receiver
let client: ClientEnv
const env: Record<string, string> = { NUQTA_WEBHOOK_RETRY_DELAYS_S: '1' }

beforeAll(async () => {
  const [known, stranger] = [
    await ensureLocalAuthority(join(cwd, 'known'), [name]),
    await ensureLocalAuthority(join(cwd, 'stranger'), [name]),
  ]
  trusted = await startReceiver({ tls: known })
  unknown = await startReceiver({ tls: stranger })
  proxy = await startOutgoingProxy()
  const ca = join(cwd, 'known.pem')
  writeFileSync(ca, known.ca)
  Object.assign(env, {
    NUQTA_WEBHOOK_CA: ca,
    NUQTA_WEBHOOK_PROXY: proxy.url,
    NUQTA_METRICS_PORT: String(await closedPort()),
  })
  await serve([], { cwd, env })
  client = readClientEnv(join(cwd, 'data', 'sandbox.env'))
})
afterAll(async () => {
  await Promise.all([proxy.stop(), trusted.stop(), unknown.stop()])
})

/** Registers a webhook, sends it a test event, and gives the id of its delivery. */
async function sendTest(url: string): Promise<string> {
  const body = { name: 'Test', url }
  const registered = await call(client, { path: '/api/v1/webhooks', key: client.NUQTA_PRIVATE_KEY, body })
  expect(registered.status).toBe(200)
  const { json } = await nuqta(['webhooks', 'test', String(registered.body.data?.['uuid']), '--json'], { cwd, env })
  return String(json[0]?.['delivery_id'])
}

it('a receiver is reached through the proxy, and its certificate is one of the authority that was named', async () => {
  await sendTest(`https://${name}:${trusted.port}/hook`)
  const [got] = await trusted.waitFor(1)
  expect(got?.event).toBe('test')
  expect(proxy.asked).toEqual([`CONNECT ${name}:${trusted.port}`])
})

it('any other authority is as unknown as ever', async () => {
  const tls = { error: expect.stringMatching(/^TLS: /) }
  const id = await sendTest(`https://${name}:${unknown.port}/hook`)
  await expect
    .poll(async () => (await nuqta(['deliveries', 'show', id, '--json'], { cwd, env })).json, {
      timeout: 30_000,
      interval: 500,
    })
    .toMatchObject([{ state: 'failed', attempts: [tls, tls] }])
  expect(unknown.received).toEqual([])
})

it('the metrics of the running service count both', async () => {
  const answer = await fetch(`http://127.0.0.1:${env['NUQTA_METRICS_PORT']}/metrics`)
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('nuqta_webhook_'))
  for (const line of [
    'nuqta_webhook_attempts_total{outcome="delivered"} 1',
    'nuqta_webhook_attempts_total{outcome="retry"} 1',
    'nuqta_webhook_attempts_total{outcome="failed"} 1',
    'nuqta_webhook_first_byte_seconds_count 1',
    'nuqta_webhook_queue_depth 0',
    'nuqta_webhook_oldest_due_seconds 0',
  ])
    expect(lines).toContain(line)
})
