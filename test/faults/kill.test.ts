import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { scratch } from '../cli/command.ts'
import { dataOf, type Reply } from '../http/client.ts'
import { type MadeMerchant, type Service, startService } from '../journeys/service.ts'
import { purchase } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { restOfClient, waitFor } from '../support/wait.ts'

const { path: home } = scratch()
const long = process.env['NUQTA_TEST_LONG'] === '1'
const onCluster = inject('server').of_workers.length > 0
// A start beside the nodes of a cluster takes ten times as long.
const rounds = long ? 200 : onCluster ? 4 : 10
const customer_name = 'Noura Alqahtani'
/** On a cluster the test may not kill the database's processes, so it kills the service each time. */
const database = onCluster ? testDatabase() : undefined
const place = { home, ...(database === undefined ? {} : { database }) }
const env = { NUQTA_LOG_LEVEL: 'trace', NUQTA_LOCK_WINDOW_S: '1' }

/** One purchase of a merchant, and its known outcome. */
interface Attempt {
  readonly merchant: MadeMerchant
  readonly body: Record<string, unknown>
  /** Undefined while nothing was acknowledged. */
  uuid: string | undefined
  acknowledged: boolean
  /** True once it was answered, or its connection broke. */
  over: boolean
}

const phones = ['0541000001', '0541000002', '0541000003']

/** Earns for one merchant, one after the other, until the test stops it. Does not retry a broken request. */
async function load(
  service: Service,
  merchant: MadeMerchant,
  attempts: Attempt[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const phone_number = phones[attempts.length % phones.length]
    const attempt: Attempt = {
      merchant,
      body: purchase({ phone_number, name: customer_name, order_number: `${merchant.merchant_id}/${attempts.length}` }),
      uuid: undefined,
      acknowledged: false,
      over: false,
    }
    attempts.push(attempt)
    const reply = await service.earn(merchant.private_key, attempt.body).catch(() => undefined)
    if (reply?.status === 200) {
      attempt.uuid = String(dataOf(reply)['uuid'])
      attempt.acknowledged = true
    } else if (reply !== undefined) {
      expect([429, 503]).toContain(reply.status)
      expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    }
    attempt.over = true
    if (!attempt.acknowledged) await restOfClient()
  }
}

/** Sends the same order number again until an answer names its order, as a careful client does. */
async function sendUntilKnown(service: Service, attempt: Attempt): Promise<void> {
  await waitFor(`an answer about ${String(attempt.body['order_number'])}`, async () => {
    const reply = await service.earn(attempt.merchant.private_key, attempt.body).catch(() => undefined)
    attempt.uuid = reply === undefined ? undefined : uuidIn(reply)
    return attempt.uuid !== undefined
  })
}

function uuidIn(reply: Reply): string | undefined {
  if (reply.status === 200) return String(dataOf(reply)['uuid'])
  expect([422, 429, 503]).toContain(reply.status)
  const { order_uuid } = reply.body.appended_data as { readonly order_uuid?: string }
  return order_uuid
}

/** kill -9 of the service, whose database ends with it, or of the database, which the service starts again. */
async function kill(service: Service, what: 'service' | 'database'): Promise<Service> {
  if (what === 'database') {
    const [postmaster] = readFileSync(join(home, 'data/postgres/postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(postmaster), 'SIGKILL')
    return service
  }
  await service.end('SIGKILL')
  return startService({ ...place, env })
}

test(`nothing acknowledged is lost and nothing is awarded twice, after ${rounds} kills`, {
  timeout: long ? 7_200_000 : 1_800_000,
}, async () => {
  if (!onCluster) await openWithCluster(join(home, 'data'))
  let service = await startService({ ...place, env })
  const flags = ['--count', '6', '--program', 'Load', '--verified', '--published', '--json']
  const merchants = (await service.command(['merchant', 'create', '--name', 'Load', ...flags])).json
  const loads = merchants.map((merchant) => ({
    merchant: merchant as unknown as MadeMerchant,
    attempts: [] as Attempt[],
  }))
  const services = new Set([service])
  for (let round = 0; round < rounds; round += 1) {
    let over = false
    const known = loads.map(({ attempts }) => attempts.length)
    const running = loads.map(({ merchant, attempts }) => load(service, merchant, attempts, () => over))
    const fresh = () => loads.map(({ attempts }, index) => attempts.slice(known[index]))
    const acknowledged = () => fresh().map((own) => own.filter((attempt) => attempt.acknowledged).length)
    const total = () => acknowledged().reduce((sum, count) => sum + count, 0)
    // At a random moment of its work, when there is something to lose.
    const work = 1 + Math.floor(Math.random() * 60)
    await waitFor(`${work} acknowledged earnings`, () => total() >= work)
    const before = fresh().map((own) => own.length)
    const killed = kill(service, round % 2 === 0 || database !== undefined ? 'service' : 'database')
    // Each client has seen the service die, or come back.
    const hasMetIt = (own: readonly Attempt[], index: number) =>
      own.slice(before[index]).some((attempt) => attempt.over)
    await waitFor('every client to meet the end of it', () => fresh().every(hasMetIt))
    over = true
    await Promise.all(running)
    service = await killed
    services.add(service)
    await Promise.all(
      fresh().map(async (own) => {
        for (const attempt of own)
          await (attempt.acknowledged ? verify(service, attempt) : sendUntilKnown(service, attempt))
      }),
    )
    const verified = await service.command(['ledger', 'verify', '--json'])
    expect([verified.code, verified.json[0]]).toEqual([0, expect.objectContaining({ differences: [] })])
  }
  await expectAwardedOnce(
    service,
    loads.flatMap(({ attempts }) => attempts),
  )
  await service.end('SIGTERM')
  expectNoSecrets(
    [...services],
    loads.map(({ merchant }) => merchant),
  )
})

/** The acknowledged order is there. */
async function verify(service: Service, { merchant, body, uuid }: Attempt): Promise<void> {
  await waitFor(`the order ${uuid}`, async () => {
    const reply = await service.getOrder(merchant.private_key, uuid).catch(() => undefined)
    if (reply === undefined || reply.status === 503) return false
    expect(dataOf(reply)).toMatchObject({ uuid, order_number: body['order_number'], total_points: 1_000 })
    return true
  })
}

async function expectAwardedOnce(service: Service, attempts: readonly Attempt[]): Promise<void> {
  expect(new Set(attempts.map(({ uuid }) => uuid)).size).toBe(attempts.length)
  for (const phone of phones) {
    const [wallet] = (await service.command(['wallet', 'show', phone, '--program', 'Load', '--json'])).json
    expect(wallet?.['posted']).toBe(1_000 * attempts.filter(({ body }) => body['phone_number'] === phone).length)
  }
}

function expectNoSecrets(services: readonly Service[], merchants: readonly MadeMerchant[]): void {
  const log = services.map((service) => service.stderr()).join('')
  expect(log).toContain('"message":"request"')
  const secrets = [...merchants.flatMap(({ private_key, public_key }) => [private_key, public_key]), customer_name]
  for (const secret of [...secrets, ...phones.map((phone) => phone.slice(1))]) expect(log).not.toContain(secret)
}
