import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, deliveriesOf, register, startWorker } from '../support/deliveries.ts'
import { earningMerchants, oneMerchant } from '../support/earnings.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { freePort } from '../support/port.ts'
import { startProxy } from '../support/proxy.ts'
import { type Answer, answers, type Receiver, type ReceiverOptions, testReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-processes.ts'

// Whatever dies, every committed event reaches its receiver at least once, and at most four times without a replay.

const long = process.env['NUQTA_TEST_LONG'] === '1'
const at_once = long ? 100_000 : 2_000
const patience_ms = long ? 1_800_000 : 240_000
const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
let merchant: Merchant
const db = () => database.db

beforeEach(async () => {
  merchant = await oneMerchant(db())
})
afterEach(() => clearQueue(database.owner))

/** A PostgreSQL of the test's own, which can be stopped and started at one address. */
async function startOwnDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-delivery-db-'))
  const dir = await openWithCluster(folder)
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

async function queueIsEmpty(): Promise<void> {
  const count = { text: 'select count(*) as left from delivery_queue', values: [] }
  await waitFor('the queue to be empty', async () => (await db().one<{ left: number }>(count))?.left === 0, {
    limit_ms: patience_ms,
  })
}

describe('kill -9 of a worker', () => {
  it('before, during and after the request loses nothing, and its attempts count', async () => {
    const count = 8
    // The receiver has the delivery and does not answer in time: the worker is killed meanwhile.
    const answer: Answer = (response, one) =>
      (one.path === '/during' && one.attempt === 1 ? answers.hang : answers.ok)(response, one)
    const { port, received } = await testReceiver({ answer })
    const base = `http://127.0.0.1:${port}`
    await register(db(), merchant, `${base}/before`, `${base}/during`, `${base}/after`)
    const events = await announceEvents(
      db(),
      merchant,
      Array.from({ length: count }, () => ({})),
    )
    const worker = await startWorkerProcess(database.url, { timeout_s: 10, lease_margin_ms: 10_000 })
    const met = (path: string) => received.filter((one) => one.path === path)
    const moments = () => [worker.stopped('before'), met('/during').length, worker.stopped('after')]
    await waitFor('the worker to be at all three moments', () => moments().every((reached) => reached === count))
    await worker.kill()
    expect(met('/before')).toEqual([])

    // Leases have their default length: after 20 s by the clock of the next worker they are over.
    startWorker(db(), { settings: { timeout_s: 10 }, now: () => Date.now() + 20_000 })
    await queueIsEmpty()
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
    timeout: 2 * patience_ms,
  }, async () => {
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
    for (const [kind, answer] of Object.entries(kinds)) receivers.set(kind, await testReceiver({ answer }))
    await register(db(), merchant, ...[...receivers.values()].map(({ url }) => url))
    // Allow enough attempts to survive the kills: the test is that no delivery is lost and every attempt is counted.
    const settings = { retry_delays_s: [1, 1, 1], timeout_s: 2, lease_margin_ms: 1_000 }
    const workers: WorkerProcess[] = []
    for (let i = 0; i < 2; i += 1) workers.push(await startWorkerProcess(proxy.url, settings))
    const events: string[] = []
    const requests = () => [...receivers.values()].reduce((sum, { received }) => sum + received.length, 0)
    const moreRequests = (count: number) => {
      const before = requests()
      return waitFor('requests', () => requests() >= before + count || requests() >= 4 * events.length)
    }
    for (let round = 0; round < 6; round += 1) {
      const fresh = Array.from({ length: events_of_each / 6 }, () => ({}))
      events.push(...(await announceEvents(db(), merchant, fresh)))
      await moreRequests(Math.random() * events_of_each)
      if (round === 2) {
        const warned = workers.map((worker) => worker.warned())
        await proxy.down()
        await waitFor('the workers to notice', () => workers.every((worker, i) => worker.warned() > (warned[i] ?? 0)))
        await proxy.up()
      }
      if (round % 2 === 1) {
        await workers.shift()?.kill()
        workers.push(await startWorkerProcess(proxy.url, settings))
      }
    }
    await queueIsEmpty()
    const lost: Record<string, number> = {}
    for (const [kind, { received }] of receivers) {
      const byEvent = attemptsOf(received)
      lost[kind] = events.filter((id) => !byEvent.has(id)).length
      expect(Math.max(...[...byEvent.values()].map((attempts) => attempts.length)), kind).toBeLessThanOrEqual(4)
    }
    expect(lost).toEqual(Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])))
  })
})

describe('the database', () => {
  it('that is stopped and started in the middle loses nothing', async () => {
    const { db: own, stop, start } = await startOwnDatabase()
    const one = await oneMerchant(own)
    const gone = Promise.withResolvers<void>()
    const before = 50
    const {
      url,
      received,
      waitFor: arrived,
    } = await testReceiver({
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
    await arrived(before + 1)
    await stop()
    gone.resolve()
    await waitFor('a result that cannot be written', () => /could not be written/.test(worker.warned.join()))
    expect(received.length).toBeLessThan(events.length)
    await start()
    events.push(...(await announceEvents(own, one, [{}])))
    await waitFor('all to be delivered', async () => {
      const deliveries = await deliveriesOf(own, one)
      return deliveries.length === events.length && deliveries.every(({ state }) => state === 'delivered')
    })
    const byEvent = attemptsOf(received)
    expect([...byEvent.keys()].sort()).toEqual([...events].sort())
    expect(Math.max(...[...byEvent.values()].map((attempts) => attempts.length))).toBeLessThanOrEqual(4)
    await worker.stop()
  })

  it('that goes away while deliveries are under way: their results are written when it is back, none is sent twice', async () => {
    const proxy = await startProxy(database.url)
    onTestFinished(() => proxy.close())
    const gone = Promise.withResolvers<void>()
    const {
      url,
      received,
      waitFor: arrived,
    } = await testReceiver({
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
    await arrived(8)
    await proxy.down()
    gone.resolve()
    await waitFor('a result that cannot be written', () => /could not be written/.test(worker.warned.join()))
    await proxy.up()
    await queueIsEmpty()
    expect(received.map(({ id }) => id).sort()).toEqual([...events].sort())
    await worker.stop()
  })
})

describe('an outage', () => {
  it(`after which ${at_once} events are due at once ends with one delivery of each`, {
    timeout: 2 * patience_ms,
  }, async () => {
    const merchants = await earningMerchants(db(), 20)
    const { url, received, waitFor: arrived } = await testReceiver()
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
    for (let i = 0; i < 2; i += 1) await startWorkerProcess(database.url, { timeout_s: 60 })
    await arrived(at_once, patience_ms)
    await queueIsEmpty()
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(events))
    expect(received).toHaveLength(at_once)
  })
})

type Kind = readonly [
  kind: string,
  options: ReceiverOptions | 'closed' | 'bad certificate',
  state: string,
  attempts: number,
]

/** One receiver for each kind of failure, the final state of its deliveries, and the attempts that reach it. */
const kinds: readonly Kind[] = [
  ['refuses connections', 'closed', 'failed', 0],
  ['resets connections', { answer: answers.reset }, 'failed', 4],
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

const endlessKinds: readonly Kind[] = [
  ['hangs', { answer: answers.hang }, 'failed', 4],
  ['drips', { answer: answers.drip }, 'failed', 4],
]

describe('receivers that go wrong', () => {
  it.each([
    ['at once', kinds, { timeout_s: 120, count: 5 }],
    ['by never ending', endlessKinds, { timeout_s: 2, count: 2 }],
  ] as const)(
    '%s get four attempts at most, side by side, and the log says how each went',
    async (_, all, { timeout_s, count }) => {
      const folder = await mkdtemp(join(tmpdir(), 'nuqta-delivery-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const tls = await ensureLocalAuthority(folder, [])
      const merchants = await earningMerchants(db(), all.length)
      const met: (Receiver | undefined)[] = []
      for (const [index, [, options]] of all.entries()) {
        const one = merchants[index]
        if (one === undefined) throw new Error('no merchant')
        const made =
          options === 'closed' ? undefined : await testReceiver(options === 'bad certificate' ? { tls } : options)
        met.push(made)
        await register(db(), one, made?.url ?? `http://127.0.0.1:${await freePort()}/`)
        await announceEvents(
          db(),
          one,
          Array.from({ length: count }, () => ({})),
        )
      }
      startWorker(db(), { settings: { timeout_s } })
      await queueIsEmpty()
      for (const [index, [kind, , state, attempts]] of all.entries()) {
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
      }
    },
  )
})
