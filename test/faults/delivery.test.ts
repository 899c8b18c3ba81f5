import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDataDirectory } from '../../src/config/data-directory.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, deliveriesOf, register, startWorker } from '../support/deliveries.ts'
import { makeMerchants, oneMerchant } from '../support/earnings.ts'
import { startProxy } from '../support/proxy.ts'
import {
  type Answer,
  answers,
  closedPort,
  type Receiver,
  type ReceiverOptions,
  startReceiver,
} from '../support/receiver.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-processes.ts'

// Whatever dies, every committed event reaches its receiver at least once, and none is sent more than four times unasked.

const long = process.env['NUQTA_TEST_LONG'] === '1'
const at_once = long ? 100_000 : 5_000
const patience_ms = long ? 1_800_000 : 180_000
const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
let merchant: Merchant
const db = () => database.db

async function receiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const started = await startReceiver(options)
  onTestFinished(() => started.stop())
  return started
}

beforeEach(async () => {
  merchant = await oneMerchant(db())
})
afterEach(() => clearQueue(database.owner))

/** A PostgreSQL of the test's own, which can be stopped and started at one address. */
async function startOwnDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-delivery-db-'))
  const dir = await openDataDirectory(folder)
  const open = () => startEmbedded(dir, { fsync: false, shared: false })
  let server: Awaited<ReturnType<typeof open>> | undefined = await open()
  const way = createServer((socket) => {
    const at = server?.connection('owner')
    const there = at === undefined ? socket.destroy() : connect(`${at.host}/.s.PGSQL.${at.port}`)
    socket.on('error', () => there.destroy()).pipe(there)
    there.on('error', () => socket.destroy()).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const { port } = way.address() as AddressInfo
  const { user, database: name } = server.connection('owner')
  const pool = new Database({ host: '127.0.0.1', port, user, database: name }, { plans: 'by_key' })
  await migrate(pool)
  const stop = async () => {
    await server?.stop()
    server = undefined
  }
  onTestFinished(async () => {
    await pool.close()
    await stop()
    way.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return {
    db: pool,
    stop,
    start: async () => {
      server = await open()
    },
  }
}

/** Attempts that arrived, by event. */
function attemptsOf(received: Receiver['received']): Map<string, number[]> {
  return new Map([...Map.groupBy(received, ({ id }) => id)].map(([id, all]) => [id, all.map(({ attempt }) => attempt)]))
}

async function queueIsEmpty(limit_ms: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await db().one<{ left: number }>({ text: 'select count(*) as left from delivery_queue', values: [] })
      expect(row?.left).toBe(0)
    },
    { timeout: limit_ms, interval: 100 },
  )
}

describe('kill -9 of a worker', () => {
  it('before, during and after the request loses nothing, and its attempts count', { timeout: 90_000 }, async () => {
    const count = 8
    // The receiver has the delivery and does not answer in time: the worker is killed meanwhile.
    const answer: Answer = (response, one) =>
      (one.path === '/during' && one.attempt === 1 ? answers.hang : answers.ok)(response, one)
    const { port, received } = await receiver({ answer })
    const base = `http://127.0.0.1:${port}`
    await register(db(), merchant, `${base}/before`, `${base}/during`, `${base}/after`)
    const events = await announceEvents(
      db(),
      merchant,
      Array.from({ length: count }, () => ({})),
    )
    const worker = await startWorkerProcess(database.url, { timeout_s: 10, lease_margin_ms: 10_000 })
    const met = (path: string) => received.filter((one) => one.path === path)
    await vi.waitFor(() => {
      expect([worker.stopped('before'), met('/during').length, worker.stopped('after')]).toEqual([count, count, count])
    }, 30_000)
    await worker.kill()
    expect(met('/before')).toEqual([])

    // The leases are those of the standard settings: 20 s, so that they are back within 30.
    startWorker(db(), { settings: { timeout_s: 10 } })
    await queueIsEmpty(30_000)
    for (const [path, attempts] of [
      ['/before', [2]],
      ['/during', [1, 2]],
      ['/after', [1, 2]],
    ] as const) {
      const byEvent = attemptsOf(met(path))
      expect([...byEvent.keys()].sort(), path).toEqual([...events].sort())
      for (const own of byEvent.values()) expect(own, path).toEqual(attempts)
    }
    const deliveries = await deliveriesOf(db(), merchant)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']))
    for (const { attempts } of deliveries)
      expect(attempts).toMatchObject([
        { attempt: 1, error: expect.stringContaining('interrupted') },
        { attempt: 2, status: 200 },
      ])
  })

  it('at random moments, again and again, while the database goes away and comes back', {
    timeout: patience_ms,
  }, async ({ annotate }) => {
    const events_of_each = long ? 2_000 : 150
    const proxy = await startProxy(database.url)
    onTestFinished(() => proxy.close())
    const kinds: Readonly<Record<string, Answer>> = {
      ok: answers.ok,
      slow: answers.after(30, answers.ok),
      'fails twice': (response, one) => (one.attempt < 3 ? answers.status(500) : answers.ok)(response, one),
      'resets once': (response, one) => (one.attempt < 2 ? answers.reset : answers.ok)(response, one),
    }
    const receivers = new Map<string, Receiver>()
    for (const [kind, answer] of Object.entries(kinds)) receivers.set(kind, await receiver({ answer }))
    await register(db(), merchant, ...[...receivers.values()].map(({ url }) => url))
    // Enough attempts to live through the kills; what counts here is that none is lost and none is uncounted.
    const settings = { retry_delays_s: [1, 1, 1], timeout_s: 2, lease_margin_ms: 1_000 }
    const workers: WorkerProcess[] = []
    for (let i = 0; i < 2; i += 1) workers.push(await startWorkerProcess(proxy.url, settings))
    const events: string[] = []
    for (let round = 0; round < 6; round += 1) {
      const fresh = Array.from({ length: events_of_each / 6 }, () => ({}))
      events.push(...(await announceEvents(db(), merchant, fresh)))
      await sleep(150 + Math.random() * 200)
      if (round === 2) {
        await proxy.down()
        await sleep(700)
        await proxy.up()
      }
      if (round % 2 === 1) {
        await workers.shift()?.kill()
        workers.push(await startWorkerProcess(proxy.url, settings))
      }
    }
    await queueIsEmpty(patience_ms)
    const lost: Record<string, number> = {}
    for (const [kind, { received }] of receivers) {
      const byEvent = attemptsOf(received)
      lost[kind] = events.filter((id) => !byEvent.has(id)).length
      expect(Math.max(...[...byEvent.values()].map((attempts) => attempts.length)), kind).toBeLessThanOrEqual(4)
    }
    for (const [kind, { received }] of receivers)
      await annotate(`${kind}: ${events.length} events, ${received.length} requests, ${lost[kind]} lost`)
    expect(lost).toEqual(Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])))
  })
})

describe('the database', () => {
  it('that is stopped and started in the middle loses nothing', { timeout: 180_000 }, async () => {
    const { db: own, stop, start } = await startOwnDatabase()
    const one = await oneMerchant(own)
    const gone = Promise.withResolvers<void>()
    const before = 50
    const { url, received, waitFor } = await receiver({
      answer: async (response, met) => {
        if (received.length > before) await gone.promise
        await answers.ok(response, met)
      },
    })
    await register(own, one, url)
    const events = await announceEvents(
      own,
      one,
      Array.from({ length: 400 }, () => ({})),
    )
    const worker = startWorker(own, { settings: { timeout_s: 20 } })
    await waitFor(before + 1)
    await stop()
    gone.resolve()
    await vi.waitFor(() => expect(worker.warned.join()).toMatch(/could not be written/), 20_000)
    expect(received.length).toBeLessThan(events.length)
    await start()
    events.push(...(await announceEvents(own, one, [{}])))
    await vi.waitFor(
      async () => {
        const states = (await deliveriesOf(own, one)).map(({ state }) => state)
        expect(states).toEqual(events.map(() => 'delivered'))
      },
      { timeout: 60_000, interval: 250 },
    )
    const byEvent = attemptsOf(received)
    expect([...byEvent.keys()].sort()).toEqual([...events].sort())
    expect(Math.max(...[...byEvent.values()].map((attempts) => attempts.length))).toBeLessThanOrEqual(4)
    await worker.stop()
  })

  it('that goes away while deliveries are under way: their results are written when it is back, none is sent twice', async () => {
    const proxy = await startProxy(database.url)
    onTestFinished(() => proxy.close())
    const gone = Promise.withResolvers<void>()
    const { url, received, waitFor } = await receiver({
      answer: async (response, one) => {
        await gone.promise
        await answers.ok(response, one)
      },
    })
    await register(db(), merchant, url)
    const through = database.connectTo(proxy.url)
    const worker = startWorker(through, { settings: { timeout_s: 20 } })
    const events = await announceEvents(
      db(),
      merchant,
      Array.from({ length: 8 }, () => ({})),
    )
    await waitFor(8)
    await proxy.down()
    gone.resolve()
    await vi.waitFor(() => expect(worker.warned.join()).toMatch(/could not be written/), 20_000)
    await proxy.up()
    await queueIsEmpty(20_000)
    expect(received.map(({ id }) => id).sort()).toEqual([...events].sort())
    await worker.stop()
  })
})

describe('an outage', () => {
  it(`after which ${at_once} events are due at once is made up for, each event once`, {
    timeout: patience_ms,
  }, async ({ annotate }) => {
    const merchants = await makeMerchants(db(), 20)
    const { url, received, waitFor } = await receiver()
    for (const one of merchants) await register(db(), one, url)
    const events: string[] = []
    for (let sent = 0; sent < at_once; sent += 500) {
      const one = merchants[(sent / 500) % merchants.length]
      if (one !== undefined)
        events.push(
          ...(await announceEvents(
            db(),
            one,
            Array.from({ length: 500 }, () => ({})),
          )),
        )
    }
    const began = performance.now()
    for (let i = 0; i < 2; i += 1) await startWorkerProcess(database.url, { timeout_s: 60 })
    await waitFor(at_once, patience_ms)
    await queueIsEmpty(60_000)
    const seconds = (performance.now() - began) / 1000
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(events))
    expect(received).toHaveLength(at_once)
    await annotate(`${at_once} due at once: ${Math.round(at_once / seconds)}/s by two workers`)
  })
})

/** One receiver of each kind that goes wrong, what its deliveries come to, and how many attempts each receives. */
const kinds: readonly (readonly [
  kind: string,
  options: ReceiverOptions | 'closed' | 'bad certificate',
  state: string,
  attempts: number,
])[] = [
  ['refuses connections', 'closed', 'failed', 0],
  ['resets connections', { answer: answers.reset }, 'failed', 4],
  ['hangs', { answer: answers.hang }, 'failed', 4],
  ['drips', { answer: answers.drip }, 'failed', 4],
  ['answers 500', { answer: answers.status(500) }, 'failed', 4],
  ['answers 301', { answer: answers.status(301, { location: 'https://example.com/' }) }, 'failed', 4],
  ['answers 410', { answer: answers.status(410) }, 'failed', 4],
  ['answers 204', { answer: answers.status(204) }, 'delivered', 1],
  ['answers without end', { answer: answers.endless }, 'delivered', 1],
  ['has an invalid certificate', 'bad certificate', 'failed', 0],
  ['is slow', { answer: answers.after(500, answers.ok) }, 'delivered', 1],
  [
    'recovers',
    { answer: (response, one) => (one.attempt < 4 ? answers.status(503) : answers.ok)(response, one) },
    'delivered',
    4,
  ],
]

describe('receivers that go wrong', () => {
  it('get four attempts at most, all side by side, and the log says how each went', { timeout: 180_000 }, async ({
    annotate,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'nuqta-delivery-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const tls = await ensureLocalAuthority(folder, [])
    const count = 5
    const merchants = await makeMerchants(db(), kinds.length)
    const met: (Receiver | undefined)[] = []
    for (const [index, [, options]] of kinds.entries()) {
      const one = merchants[index]
      if (one === undefined) throw new Error('no merchant')
      const made = options === 'closed' ? undefined : await receiver(options === 'bad certificate' ? { tls } : options)
      met.push(made)
      await register(db(), one, made?.url ?? `http://127.0.0.1:${await closedPort()}/`)
      await announceEvents(
        db(),
        one,
        Array.from({ length: count }, () => ({})),
      )
    }
    // Far above what the slow receiver takes on a machine that stalls.
    startWorker(db(), { settings: { timeout_s: 4 } })
    await queueIsEmpty(150_000)
    for (const [index, [kind, , state, attempts]] of kinds.entries()) {
      const one = merchants[index]
      const deliveries = one === undefined ? [] : await deliveriesOf(db(), one)
      expect(
        deliveries.map((delivery) => delivery.state),
        kind,
      ).toEqual(Array.from({ length: count }, () => state))
      for (const delivery of deliveries) expect(delivery.attempts.length, kind).toBe(attempts || 4)
      const byEvent = attemptsOf(met[index]?.received ?? [])
      expect(byEvent.size, kind).toBe(attempts === 0 ? 0 : count)
      for (const own of byEvent.values()) expect(own, kind).toEqual([1, 2, 3, 4].slice(0, attempts))
      const arrived = met[index]?.received.length ?? 0
      await annotate(`${kind}: ${count} events, ${arrived} requests arrived, all ${state}`)
    }
  })
})
