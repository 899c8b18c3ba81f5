import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, type Receiver, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'
import { type ClientEnv, call, earn, runningService } from './command.ts'

// The webhook commands of an operator, beside a running service that delivers to receivers on this machine.

// The last test waits for one of its two deliveries.
const { cwd, client, run } = runningService({
  env: { NUQTA_WEBHOOK_RETRY_DELAYS_S: '1' },
  leaves: ['due deliveries'],
})
let env: ClientEnv
let receiver: Receiver
let secure: Receiver
let webhook = ''
let secret = ''

interface Delivery {
  readonly delivery_id: string
  readonly state: string
  readonly event: string
  readonly webhook_uuid: string
  readonly attempts: readonly {
    readonly status: number | null
    readonly response: string | null
    readonly series: number
  }[]
}

async function command(...args: string[]): Promise<Delivery[]> {
  const { code, json, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return json as unknown as Delivery[]
}

async function register(url: string): Promise<Record<string, unknown>> {
  const body = { name: 'Test', url }
  const { status, body: answer } = await call(env, { path: '/api/v1/webhooks', key: env.NUQTA_PRIVATE_KEY, body })
  expect(status).toBe(200)
  return answer.data ?? {}
}

beforeAll(async () => {
  receiver = await startReceiver()
  env = client()
  const registered = await register(receiver.url)
  webhook = String(registered['uuid'])
  secret = String(registered['secret'])
  const tls = (name: string) => readFileSync(join(cwd, 'data', 'tls', name), 'utf8')
  secure = await startReceiver({ tls: { cert: tls('server.pem'), key: tls('server.key') } })
})
afterAll(async () => {
  await receiver.stop()
  await secure.stop()
})

describe('deliveries', () => {
  it('reach a receiver on this machine, and are listed and shown', async () => {
    const { body } = await earn(env)
    const [got] = await receiver.waitFor(1)
    expect(got).toMatchObject({ event: 'approved', order_uuid: body.data?.['uuid'], secret })
    await waitFor('the result', async () => (await command('deliveries', 'list', '--state', 'delivered')).length === 1)
    const [listed] = await command('deliveries', 'list', '--webhook', webhook)
    expect(listed).toMatchObject({
      state: 'delivered',
      event: 'approved',
      webhook_uuid: webhook,
      attempts: [{ status: 200 }],
    })
    expect(await command('deliveries', 'show', listed?.delivery_id ?? '')).toEqual([listed])
    expect(await command('deliveries', 'list', '--merchant', 'Demo Store', '--state', 'failed')).toEqual([])
    const { stdout } = await run('deliveries', 'show', listed?.delivery_id ?? '')
    expect(stdout).toMatch(/1\.1 {2}\S+ {2}\d+ ms {2}200\n {4}ok/)
  })

  it('reach a receiver with a certificate of the local authority', async () => {
    const { uuid } = await register(secure.url)
    const [sent] = await command('webhooks', 'test', String(uuid))
    expect(sent).toMatchObject({ event: 'test', webhook_uuid: uuid })
    const [got] = await secure.waitFor(1)
    expect(got).toMatchObject({ event: 'test' })
  })

  it('are replayed after a failure: one, or all of a webhook since a time', async () => {
    receiver.answer = answers.status(500)
    await earn(env)
    const failed = () => command('deliveries', 'list', '--webhook', webhook, '--state', 'failed')
    await waitFor('a failure', async () => (await failed()).length === 1)
    const [one] = await failed()
    expect(one?.attempts.map(({ status }) => status)).toEqual([500, 500])
    await command('deliveries', 'replay', one?.delivery_id ?? '')
    await waitFor('another failure', async () => (await failed())[0]?.attempts.length === 4)
    receiver.answer = answers.ok
    expect(await command('deliveries', 'replay', '--webhook', webhook, '--since', '2026-01-01')).toHaveLength(1)
    const shown = () => command('deliveries', 'show', one?.delivery_id ?? '')
    await waitFor('the success', async () => (await shown())[0]?.state === 'delivered')
    const [again] = await shown()
    expect(again?.attempts.map(({ series, status }) => [series, status])).toEqual([
      [1, 500],
      [1, 500],
      [2, 500],
      [2, 500],
      [3, 200],
    ])
    expect(await command('deliveries', 'replay', '--webhook', webhook, '--since', '2026-01-01')).toEqual([])
  })
})

describe('the webhook of a program', () => {
  const told = async (...args: string[]) => {
    const [shown] = (await command('program', 'webhook', 'Default', ...args)) as unknown as Record<string, string>[]
    return shown
  }
  const isOurs = (given: string | undefined, known = '') =>
    given?.length === known.length && timingSafeEqual(Buffer.from(given), Buffer.from(known))

  it('receives a test and a settlement over HTTPS, each with the secret that counts', async () => {
    const { length: before } = secure.received
    const set = await told('--url', secure.url)
    await told('--rotate', '--at', '2099-01-01')
    expect(await told('--test')).toMatchObject({ next_secret_from: '2099-01-01T00:00:00.000Z' })
    const [test] = (await secure.waitFor(before + 1)).slice(before)
    expect([test?.event, isOurs(test?.secret, set?.['secret'])]).toEqual(['test', true])
    const now = await told('--rotate')
    const [closed] = (await command('settlement', 'close')) as unknown as Record<string, unknown>[]
    const [got] = (await secure.waitFor(before + 2)).slice(before + 1)
    expect([got?.event, isOurs(got?.secret, now?.['secret'])]).toEqual(['settlement_closed', true])
    expect(isOurs(got?.secret, set?.['secret'])).toBe(false)
    expect(got?.id).toBe(closed?.['settlement_id'])
    expect((await run('program', 'webhook', 'Default', '--at', '2099-01-01')).code).toBe(2)
    await told('--remove')
    expect((await run('program', 'webhook', 'Default', '--test')).code).toBe(1)
  })
})

describe('webhooks rotate', () => {
  it('prints a new secret, which deliveries carry from then on', async () => {
    const [rotated] = (await command('webhooks', 'rotate', webhook)) as unknown as Record<string, string>[]
    expect(rotated).toMatchObject({ uuid: webhook, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated?.['secret']).not.toBe(secret)
    await earn(env)
    await waitFor('the new secret', () => receiver.received.at(-1)?.secret === rotated?.['secret'])
    const path = `/api/v1/webhooks/${webhook}`
    const { body } = await call(env, { path, key: env.NUQTA_PRIVATE_KEY })
    expect(body.data?.['secret']).toBe(`****${rotated?.['secret']?.slice(-4)}`)
  })
})

it.each([
  [['deliveries', 'show', 'x'], 1, /is not the id of a delivery/],
  [['deliveries', 'show', '0193e7a1-4b2c-7def-8123-456789abcd01'], 1, /There is no delivery/],
  [['deliveries', 'replay'], 2, /Give the id of a delivery, or --webhook and --since/],
  [['deliveries', 'replay', '--webhook', '0193e7a1-4b2c-7def-8123-456789abcd01'], 2, /--since/],
  [['deliveries', 'list', '--state', 'lost'], 2, /due, delivered, failed/],
  [['webhooks', 'test', '0193e7a1-4b2c-7def-8123-456789abcd01'], 1, /There is no webhook/],
  [['webhooks', 'rotate', 'x'], 1, /is not the uuid of a webhook/],
] as const)('%j says what is wrong', async (args, code, says) => {
  const ended = await run(...args)
  expect(ended.code).toBe(code)
  expect(ended.stderr).toMatch(says)
})
