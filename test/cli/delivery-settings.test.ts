import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { type OutgoingProxy, startOutgoingProxy } from '../support/outgoing-proxy.ts'
import { freePort } from '../support/port.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { call, runningService, scratch } from './command.ts'

// NUQTA_WEBHOOK_PROXY and NUQTA_WEBHOOK_CA, as an operator sets them for a sandbox in a closed network.

const { path: folder } = scratch()
const name = 'hooks.example'
let proxy: OutgoingProxy
let trusted: Receiver
let unknown: Receiver
const env: Record<string, string> = { NUQTA_WEBHOOK_RETRY_DELAYS_S: '1' }

beforeAll(async () => {
  const [known, stranger] = [
    await ensureLocalAuthority(join(folder, 'known'), [name]),
    await ensureLocalAuthority(join(folder, 'stranger'), [name]),
  ]
  trusted = await startReceiver({ tls: known })
  unknown = await startReceiver({ tls: stranger })
  proxy = await startOutgoingProxy()
  const ca = join(folder, 'known.pem')
  writeFileSync(ca, known.ca)
  Object.assign(env, {
    NUQTA_WEBHOOK_CA: ca,
    NUQTA_WEBHOOK_PROXY: proxy.url,
    NUQTA_METRICS_PORT: String(await freePort()),
  })
})
afterAll(async () => {
  await Promise.all([proxy.stop(), trusted.stop(), unknown.stop()])
})
// Register this hook after those above: the service starts with their settings, and stops before they do.
const { client, run } = runningService({ env })

/** Registers a webhook, sends it a test event, and gives the id of its delivery. */
async function sendTest(url: string): Promise<string> {
  const body = { name: 'Test', url }
  const registered = await call(client(), { path: '/api/v1/webhooks', key: client().NUQTA_PRIVATE_KEY, body })
  expect(registered.status).toBe(200)
  const { json } = await run('webhooks', 'test', String(registered.body.data?.['uuid']), '--json')
  return String(json[0]?.['delivery_id'])
}

it('deliveries go through the proxy, to a receiver whose certificate is of the given authority', async () => {
  await sendTest(`https://${name}:${trusted.port}/hook`)
  const [got] = await trusted.waitFor(1)
  expect(got?.event).toBe('test')
  expect(proxy.asked).toEqual([`CONNECT ${name}:${trusted.port}`])
})

it('a certificate of any other authority is refused', async () => {
  const tls = { error: expect.stringMatching(/^TLS: /) }
  const id = await sendTest(`https://${name}:${unknown.port}/hook`)
  await expect
    .poll(async () => (await run('deliveries', 'show', id, '--json')).json, {
      timeout: 120_000,
      interval: 500,
    })
    .toMatchObject([{ state: 'failed', attempts: [tls, tls] }])
  expect(unknown.received).toEqual([])
})

it('the metrics of the running service count both attempts', async () => {
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
