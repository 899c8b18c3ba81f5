import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enqueueEvents } from '../../../src/db/outbox.ts'
import type { Transaction } from '../../../src/db/transaction.ts'
import { eventNames } from '../../../src/domain/events.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import { maskedSecret } from '../../../src/domain/webhook-secret.ts'
import { replayDelivery, replayFailed, sendTest } from '../../../src/features/webhooks/log.ts'
import { findWebhook } from '../../../src/features/webhooks/queries.ts'
import { rotateSecret } from '../../../src/features/webhooks/rotation.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { testDatabase } from '../../support/database.ts'
import {
  announceEvents,
  clearQueue,
  deliveriesOf,
  eventRow,
  keptWebhook,
  register,
  secrets,
  startWorker,
} from '../../support/deliveries.ts'
import { oneMerchant } from '../../support/earnings.ts'
import { answers, testReceiver } from '../../support/receiver.ts'
import { waitFor as waitUntil } from '../../support/wait.ts'

// These events name orders that do not exist: the tests are about their delivery.
const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
let merchant: Merchant
const db = () => database.db

beforeEach(async () => {
  merchant = await oneMerchant(db())
})
afterEach(() => clearQueue(database.owner))

/** Waits until a merchant's deliveries are as expected, the newest first. */
async function waitForDeliveries(expected: readonly object[], limit_ms = 120_000): Promise<void> {
  await vi.waitFor(async () => expect(await deliveriesOf(db(), merchant)).toMatchObject(expected), limit_ms)
}

/** A worker with a clock that the test moves. */
function startLater(settings: { readonly retry_delays_s?: readonly number[] } = {}) {
  let ahead_ms = 0
  startWorker(db(), { settings, now: () => Date.now() + ahead_ms, random: () => 0.5 })
  return {
    passes(ms: number): void {
      ahead_ms += ms
    },
  }
}

/** From the last attempt of the only delivery to its next one, as stored. */
async function waitInMinutes(): Promise<number> {
  const [delivery] = await deliveriesOf(db(), merchant)
  const last = delivery?.attempts.at(-1)
  return Math.round((Date.parse(delivery?.due_at ?? '') - Date.parse(last?.started_at ?? '')) / 60_000)
}

async function queueLength(tx: Transaction): Promise<number | undefined> {
  const row = await tx.one<{ length: number }>({ text: 'select count(*) as length from delivery_queue', values: [] })
  return row?.length
}

async function collect<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of from) all.push(one)
  return all
}

describe('a delivery', () => {
  it('carries the envelope and the headers of the specification', async () => {
    const { url, waitFor } = await testReceiver()
    const [webhook] = await register(db(), merchant, url)
    startWorker(db())
    const order_uuid = newUuid()
    const [event_id] = await announceEvents(db(), merchant, [{ order_uuid }])
    const [got] = await waitFor(1)
    expect(got).toMatchObject({ id: event_id, attempt: 1, event: 'approved', secret: webhook?.secret, path: '/hook' })
    expect(got?.headers['content-type']).toBe('application/json')
    expect(Object.keys(got?.body ?? {})).toEqual(['event', 'order', 'timestamp'])
    expect(got?.body).toMatchObject({ event: 'approved', order: { id: order_uuid, total_price: 100 } })
    expect(got?.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    await waitForDeliveries([
      { state: 'delivered', attempts: [{ attempt: 1, status: 200, response: 'ok', error: null }] },
    ])
  })

  it('is made of every event that the specification names', async () => {
    const { url, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    startWorker(db())
    await announceEvents(
      db(),
      merchant,
      eventNames.map((name) => ({ name })),
    )
    const got = await waitFor(eventNames.length)
    expect(got.map(({ event }) => event).sort()).toEqual([...eventNames].sort())
    for (const { event, body } of got) expect(body.event).toBe(event)
  })

  it('goes to every webhook of the merchant, with one id and a secret for each, and to nobody else', async () => {
    const [first, second, stranger] = [await testReceiver(), await testReceiver(), await testReceiver()]
    const other = await oneMerchant(db())
    await register(db(), other, stranger.url)
    const made = await register(db(), merchant, first.url, second.url)
    startWorker(db())
    const [event_id] = await announceEvents(db(), merchant, [{}])
    const got = [...(await first.waitFor(1)), ...(await second.waitFor(1))]
    expect(got.map(({ id }) => id)).toEqual([event_id, event_id])
    expect(got.map(({ secret }) => secret)).toEqual(made.map(({ secret }) => secret))
    await waitForDeliveries([{ state: 'delivered' }, { state: 'delivered' }])
    expect(stranger.received).toEqual([])
  })

  it('is not made where the event was not committed', async () => {
    const { url, received } = await testReceiver()
    await register(db(), merchant, url)
    startWorker(db())
    const announcing = db().transaction(async (tx) => {
      enqueueEvents(tx, merchant.program_id, new Date(), [eventRow(merchant, {})])
      // The delivery exists in this transaction, which is then rolled back.
      expect(await queueLength(tx)).toBe(1)
      throw new Error('enough')
    })
    await expect(announcing).rejects.toThrow('enough')
    const [event_id] = await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([{ state: 'delivered', event_id }])
    expect(received.map(({ id }) => id)).toEqual([event_id])
  })

  it('starts at once in the process that committed its event, without waiting for the next poll', async () => {
    const { url, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    // A worker's first poll may find the first delivery; the next poll is ten minutes later.
    startWorker(db(), { settings: { poll_ms: 600_000 } })
    for (const count of [1, 2, 3]) {
      await announceEvents(db(), merchant, [{}])
      await waitFor(count)
      await waitForDeliveries(Array.from({ length: count }, () => ({ state: 'delivered' })))
    }
  })

  it('is found by a worker of another process', async () => {
    const { url, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    startWorker(database.connect({ plans: 'by_key' }))
    await announceEvents(db(), merchant, [{}])
    await waitFor(1)
    await waitForDeliveries([{ state: 'delivered' }])
  })

  it('is sent once, however many workers look for it', async () => {
    const { url, received, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    await announceEvents(
      db(),
      merchant,
      Array.from({ length: 300 }, () => ({})),
    )
    for (let i = 0; i < 4; i += 1)
      startWorker(database.connect({ plans: 'by_key', size: 3 }), { settings: { poll_ms: 10, timeout_s: 600 } })
    await waitFor(300)
    await waitForDeliveries(Array.from({ length: 300 }, () => ({ state: 'delivered' })))
    expect(received).toHaveLength(300)
  })
})

describe('attempts', () => {
  it('are four at most, with the waits between them; then the delivery has failed', async () => {
    const { url, received } = await testReceiver({ answer: answers.status(500) })
    await register(db(), merchant, url)
    const later = startLater({ retry_delays_s: [600, 1_200, 1_800] })
    const [event_id] = await announceEvents(db(), merchant, [{}])
    for (const attempt of [1, 2, 3]) {
      await waitForDeliveries([{ state: 'due', attempts: Array.from({ length: attempt }, () => ({ status: 500 })) }])
      expect(await waitInMinutes()).toBe(attempt * 10)
      later.passes(attempt * 600_000)
    }
    await waitForDeliveries([{ state: 'failed', attempts: [1, 2, 3, 4].map((attempt) => ({ attempt, status: 500 })) }])
    expect(received.map(({ id, attempt }) => ({ id, attempt }))).toEqual(
      [1, 2, 3, 4].map((attempt) => ({ id: event_id, attempt })),
    )
  })

  it('end with the first that succeeds', async () => {
    const { url, received } = await testReceiver({ answer: answers.firstly(2, answers.reset, answers.status(204)) })
    await register(db(), merchant, url)
    startWorker(db())
    await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([{ state: 'delivered', attempts: [{ status: null }, { status: null }, { status: 204 }] }])
    expect(received).toHaveLength(3)
  })

  it('wait for as long as Retry-After asks', async () => {
    const { url, waitFor } = await testReceiver({
      answer: answers.firstly(1, answers.status(429, { 'retry-after': '1800' }), answers.ok),
    })
    await register(db(), merchant, url)
    const later = startLater()
    await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([{ state: 'due', attempts: [{ status: 429 }] }])
    expect(await waitInMinutes()).toBe(30)
    later.passes(1_800_000)
    await waitFor(2)
  })

  it('are logged with the first 16 KiB of the answer', async () => {
    const { url } = await testReceiver({ answer: answers.endless })
    await register(db(), merchant, url)
    startWorker(db())
    await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([{ state: 'delivered' }])
    const [delivery] = await deliveriesOf(db(), merchant)
    expect(delivery?.attempts[0]?.response).toBe('x'.repeat(16_384))
  })

  it('cost nothing while the stored secrets cannot be opened: then nothing is sent, and it is tried later', async () => {
    const { url, received } = await testReceiver()
    await register(db(), merchant, url)
    const wrong = startWorker(db(), { secrets: createSecretBox('another key of the tests, as after a mistake') })
    await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([
      { state: 'due', attempts: [{ attempt: 1, error: expect.stringContaining('NUQTA_SECRET_KEY') }] },
    ])
    await wrong.stop()
    await database.owner.script(`update delivery_queue set due_at = timestamptz '2026-01-01Z'`)
    startWorker(db())
    await waitForDeliveries([{ state: 'delivered', attempts: [{ attempt: 1, status: 200, error: null }] }])
    expect(received).toHaveLength(1)
  })
})

describe('the events of one order', () => {
  it('arrive in their order, one after the other, also when several workers share them', async () => {
    const { url, received, waitFor } = await testReceiver({ answer: answers.after(5, answers.ok) })
    await register(db(), merchant, url)
    for (let i = 0; i < 3; i += 1)
      startWorker(database.connect({ plans: 'by_key', size: 3 }), { settings: { poll_ms: 10, timeout_s: 600 } })
    const orders = Array.from({ length: 10 }, () => newUuid())
    const names = ['authorized', 'shipping_status_updated', 'captured', 'refunded'] as const
    for (const name of names)
      await announceEvents(
        db(),
        merchant,
        orders.map((order_uuid) => ({ order_uuid, name })),
      )
    await waitFor(orders.length * names.length)
    for (const order_uuid of orders) {
      const own = received.filter((one) => one.order_uuid === order_uuid)
      expect(own.map(({ event }) => event)).toEqual(names)
    }
  })

  it('that were committed together arrive in their order', async () => {
    const { url, received, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    startWorker(db(), { settings: { poll_ms: 60_000 } })
    const order_uuid = newUuid()
    await announceEvents(db(), merchant, [
      { order_uuid, name: 'approved' },
      { order_uuid, name: 'completed' },
    ])
    await waitFor(2)
    expect(received.map(({ event }) => event)).toEqual(['approved', 'completed'])
  })

  it('are not held back by a retry: a later one goes out while an earlier one waits for its second attempt', async () => {
    const { url, received, waitFor } = await testReceiver({
      answer: answers.firstly(1, answers.status(500), answers.ok),
    })
    await register(db(), merchant, url)
    const later = startLater({ retry_delays_s: [60, 60, 60] })
    const order_uuid = newUuid()
    await announceEvents(db(), merchant, [
      { order_uuid, name: 'approved' },
      { order_uuid, name: 'completed' },
    ])
    await waitFor(2)
    await waitForDeliveries([{ state: 'delivered' }, { state: 'due', attempts: [{}] }])
    later.passes(72_000)
    await waitFor(3)
    expect(received.map(({ event, attempt }) => [event, attempt])).toEqual([
      ['approved', 1],
      ['completed', 1],
      ['approved', 2],
    ])
  })
})

describe('a lease', () => {
  it('is over within 30 s by the standard settings, and its attempt is counted before it is made', async () => {
    const { url, waitFor, stop } = await testReceiver({ answer: answers.hang })
    await register(db(), merchant, url)
    const began = Date.now()
    startWorker(db(), { settings: { timeout_s: 10 } })
    await announceEvents(db(), merchant, [{}])
    await waitFor(1)
    const row = await db().one<{ attempts: number; leased_until: Date }>({
      text: 'select attempts, leased_until from delivery_queue where program_id = $1',
      values: [merchant.program_id],
    })
    expect(row?.attempts).toBe(1)
    expect(row?.leased_until.getTime()).toBeLessThanOrEqual(Date.now() + 30_000)
    expect(row?.leased_until.getTime()).toBeGreaterThan(began + 10_000)
    await stop()
  })

  it('that ran out is taken over; the interrupted attempt counts and is logged', async () => {
    const { url, received } = await testReceiver({ answer: answers.ok })
    await register(db(), merchant, url)
    await announceEvents(db(), merchant, [{}])
    await leave({ attempts: 2, leased_ago_s: 1 })
    startWorker(db())
    await waitForDeliveries([
      {
        state: 'delivered',
        attempts: [
          { attempt: 2, status: null, error: expect.stringContaining('interrupted') },
          { attempt: 3, status: 200 },
        ],
      },
    ])
    expect(received.map(({ attempt }) => attempt)).toEqual([3])
  })

  it('of a fourth attempt that ran out ends the delivery: there is no fifth', async () => {
    const { url, received } = await testReceiver()
    await register(db(), merchant, url)
    await announceEvents(db(), merchant, [{}])
    await leave({ attempts: 4, leased_ago_s: 1 })
    startWorker(db())
    await waitForDeliveries([
      { state: 'failed', attempts: [{ attempt: 4, error: expect.stringContaining('interrupted') }] },
    ])
    expect(received).toEqual([])
  })

  it('that still runs is left alone', async () => {
    const { url, received } = await testReceiver()
    await register(db(), merchant, url)
    await announceEvents(db(), merchant, [{}])
    await leave({ attempts: 1, leased_ago_s: -60 })
    startWorker(db())
    const [other] = await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([
      { event_id: other, state: 'delivered' },
      { state: 'due', attempts: [] },
    ])
    expect(received.map(({ id }) => id)).toEqual([other])
  })

  it('that was taken over from a live worker: a delivery that the receiver confirmed counts as delivered', async () => {
    const given = Promise.withResolvers<void>()
    const { url, waitFor } = await testReceiver({
      answer: async (response, one) => {
        await given.promise
        await answers.ok(response, one)
      },
    })
    await register(db(), merchant, url)
    const one = { settings: { retry_delays_s: [], timeout_s: 60 } }
    startWorker(db(), one)
    await announceEvents(db(), merchant, [{}])
    await waitFor(1)
    // Another worker whose clock is far ahead gives the only attempt up.
    startWorker(database.connect({ plans: 'by_key' }), { ...one, now: () => Date.now() + 3_600_000 })
    await waitForDeliveries([{ state: 'failed', attempts: [{ error: expect.stringContaining('interrupted') }] }])
    given.resolve()
    await waitForDeliveries([{ state: 'delivered', attempts: [{ attempt: 1, status: 200, error: null }] }])
  })

  /** As if a worker had taken the merchant's deliveries and ended. */
  async function leave({ attempts, leased_ago_s }: { attempts: number; leased_ago_s: number }): Promise<void> {
    await database.owner.run({
      text: 'update delivery_queue set attempts = $2, leased_until = $3 where program_id = $1',
      values: [merchant.program_id, attempts, new Date(Date.now() - leased_ago_s * 1000)],
    })
  }
})

describe('a clock that was set back', () => {
  it('leaves nothing due or leased for longer than the service would have made it', async () => {
    const { url, waitFor } = await testReceiver()
    await register(db(), merchant, url)
    await announceEvents(db(), merchant, [{}, {}])
    const [due, leased] = await deliveriesOf(db(), merchant)
    const text = 'update delivery_queue set due_at = $2, attempts = $3, leased_until = $4 where delivery_id = $1'
    const later = new Date(Date.now() + 86_400_000)
    await database.owner.run({ text, values: [due?.delivery_id, later, 0, null] })
    await database.owner.run({ text, values: [leased?.delivery_id, new Date(), 1, later] })
    // Simulate a minute of running.
    startLater().passes(61_000)
    await waitFor(2)
  })
})

describe('a webhook', () => {
  it('that was deleted receives nothing any more, and what was due for it ends', async () => {
    const { url, received } = await testReceiver()
    await register(db(), merchant, url)
    await announceEvents(db(), merchant, [{}])
    await database.owner.run({ text: 'delete from webhook where program_id = $1', values: [merchant.program_id] })
    startWorker(db())
    await waitForDeliveries([{ state: 'failed', attempts: [{ error: 'not sent: the webhook has been deleted' }] }])
    expect(received).toEqual([])
  })

  it('can be sent a test event, which only it receives', async () => {
    const [first, second] = [await testReceiver(), await testReceiver()]
    const [webhook] = await register(db(), merchant, first.url, second.url)
    startWorker(db())
    const { delivery_id } = await sendTest(db(), await keptWebhook(db(), webhook), new Date())
    const [got] = await first.waitFor(1)
    expect(got).toMatchObject({ event: 'test', secret: webhook?.secret, body: { order: { order_number: 'TEST' } } })
    await waitForDeliveries([{ delivery_id, event: 'test', state: 'delivered' }])
    expect(second.received).toEqual([])
  })

  it('gets a new secret at once', async () => {
    const { url, waitFor } = await testReceiver()
    const [webhook] = await register(db(), merchant, url)
    startWorker(db())
    const { secret } = await rotateSecret(db(), secrets, {
      webhook: await keptWebhook(db(), webhook),
      changed_at: new Date(),
    })
    expect(secret).not.toBe(webhook?.secret)
    await announceEvents(db(), merchant, [{}])
    const [got] = await waitFor(1)
    expect(got?.secret).toBe(secret)
    await waitForDeliveries([{ state: 'delivered' }])
  })

  it('gets a new secret at the moment that was chosen, and the switch is recorded', async () => {
    const { url, waitFor } = await testReceiver()
    const [webhook] = await register(db(), merchant, url)
    const later = startLater()
    const at_ms = Date.now() + 600_000
    const rotated = await rotateSecret(db(), secrets, {
      webhook: await keptWebhook(db(), webhook),
      at_ms,
      changed_at: new Date(),
    })
    expect(rotated.secret_from).toBe(new Date(at_ms).toISOString())
    await announceEvents(db(), merchant, [{}])
    await waitFor(1)
    await waitForDeliveries([{ state: 'delivered' }])
    later.passes(600_000)
    await announceEvents(db(), merchant, [{}])
    const got = await waitFor(2)
    expect(got.map(({ secret }) => secret)).toEqual([webhook?.secret, rotated.secret])
    const shown = await db().one(findWebhook(merchant, webhook?.webhook_uuid ?? newUuid()))
    if (shown === undefined) throw new Error('no webhook')
    expect([at_ms - 1, at_ms].map((ms) => maskedSecret(shown, new Date(ms)).slice(-4))).toEqual([
      webhook?.secret.slice(-4),
      rotated.secret.slice(-4),
    ])
    // The next rotation starts from the secret that is current then.
    await database.owner.run({
      text: `update webhook set next_secret_at = now() - interval '1 second' where program_id = $1`,
      values: [merchant.program_id],
    })
    const again = await rotateSecret(db(), secrets, {
      webhook: await keptWebhook(db(), webhook),
      changed_at: new Date(),
    })
    const rows = await db().run({
      text: 'select old_last4, new_last4, effective_at from webhook_rotation where program_id = $1 order by rotation_uuid',
      values: [merchant.program_id],
    })
    expect(rows).toMatchObject([
      { old_last4: webhook?.secret.slice(-4), new_last4: rotated.secret.slice(-4), effective_at: new Date(at_ms) },
      { old_last4: rotated.secret.slice(-4), new_last4: again.secret.slice(-4) },
    ])
    await waitForDeliveries([{ state: 'delivered' }, { state: 'delivered' }])
  })
})

describe('a replay', () => {
  it('is a new series of attempts of the same event', async () => {
    const { url, received, waitFor } = await testReceiver({
      answer: answers.firstly(2, answers.status(500), answers.ok),
    })
    await register(db(), merchant, url)
    startWorker(db(), { settings: { retry_delays_s: [] } })
    const [event_id] = await announceEvents(db(), merchant, [{}])
    for (const series of [2, 3]) {
      await waitForDeliveries([{ state: 'failed', series: series - 1 }])
      const [failed] = await deliveriesOf(db(), merchant)
      expect(await replayDelivery(db(), failed?.delivery_id ?? '')).toMatchObject({ series })
    }
    await waitFor(3)
    await waitForDeliveries([
      {
        state: 'delivered',
        series: 3,
        attempts: [
          { series: 1, attempt: 1, status: 500 },
          { series: 2, attempt: 1, status: 500 },
          { series: 3, attempt: 1, status: 200 },
        ],
      },
    ])
    expect(received.map(({ id, attempt }) => [id, attempt])).toEqual(Array.from({ length: 3 }, () => [event_id, 1]))
  })

  it('of all that failed for a webhook since a time leaves out what is older, what is of others, and what was delivered', async () => {
    let well = false
    const { url, received, waitFor } = await testReceiver({
      answer: (response, one) => (well ? answers.ok : answers.status(500))(response, one),
    })
    const other = await testReceiver({ answer: answers.status(500) })
    const [webhook] = await register(db(), merchant, url, other.url)
    startWorker(db(), { settings: { retry_delays_s: [] } })
    await announceEvents(db(), merchant, [{}])
    const since_ms = Date.now() + 1
    await waitUntil('the next millisecond', () => Date.now() > since_ms)
    const events = await announceEvents(db(), merchant, [{}, {}])
    await waitFor(3)
    await waitForDeliveries(Array.from({ length: 6 }, () => ({ state: 'failed' })))
    well = true
    const replayed = await collect(replayFailed(db(), await keptWebhook(db(), webhook), since_ms))
    expect(replayed.map(({ event_id }) => event_id)).toEqual(events)
    await waitFor(5)
    expect(
      received
        .slice(3)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...events].sort())
    await waitForDeliveries(Array.from({ length: 6 }, () => ({})))
    expect(await collect(replayFailed(db(), await keptWebhook(db(), webhook), since_ms))).toEqual([])
  })

  it('is refused while the delivery is still tried, and where nothing is there to send', async () => {
    const { url } = await testReceiver({ answer: answers.status(500) })
    await register(db(), merchant, url)
    const later = startLater({ retry_delays_s: [60] })
    await announceEvents(db(), merchant, [{}])
    await waitForDeliveries([{ state: 'due', attempts: [{}] }])
    const [delivery] = await deliveriesOf(db(), merchant)
    await expect(replayDelivery(db(), delivery?.delivery_id ?? '')).rejects.toThrow('delivery_not_ended')
    later.passes(72_000)
    await waitForDeliveries([{ state: 'failed' }])
    await database.owner.run({ text: 'delete from webhook where program_id = $1', values: [merchant.program_id] })
    await expect(replayDelivery(db(), delivery?.delivery_id ?? '')).rejects.toThrow('delivery_gone')
    await expect(replayDelivery(db(), newUuid())).rejects.toThrow(/There is no delivery/)
    await expect(replayDelivery(db(), 'x')).rejects.toThrow(/is not the id/)
  })
})
