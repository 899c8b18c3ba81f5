import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Merchant } from '../../../src/domain/merchant.ts'
import { readQueueState } from '../../../src/features/webhooks/log.ts'
import { createDeliveryMetrics } from '../../../src/observability/feature-metrics.ts'
import { testDatabase } from '../../support/database.ts'
import { announceEvents, clearQueue, register, startWorker } from '../../support/deliveries.ts'
import { oneMerchant } from '../../support/earnings.ts'
import { answers, startReceiver } from '../../support/receiver.ts'

const database = testDatabase({ plans: 'by_key', leaves: ['ledger differences'] })
let merchant: Merchant
beforeEach(async () => {
  merchant = await oneMerchant(database.db)
})
afterEach(() => clearQueue(database.owner))

/** The lines of a metric, without the buckets of histograms. */
async function read(registry: Registry, name: string): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(name) && !line.includes('_bucket'))
}

it('show the queue, attempts by outcome, and the time to the first byte', async () => {
  const { url, waitFor, stop } = await startReceiver({ answer: answers.firstly(1, answers.status(500), answers.ok) })
  onTestFinished(stop)
  const registry = new Registry()
  const observe = createDeliveryMetrics(registry, {
    queue: () => readQueueState(database.db, new Date()),
    in_flight: () => 0,
  })
  expect(await read(registry, 'nuqta_webhook_oldest_due_seconds')).toEqual(['nuqta_webhook_oldest_due_seconds 0'])
  await register(database.db, merchant, url)
  await announceEvents(database.db, merchant, [{}, {}, {}])
  await database.owner.script(`update delivery_queue set due_at = '${new Date(Date.now() - 60_000).toISOString()}'`)
  const [oldest] = await read(registry, 'nuqta_webhook_oldest_due_seconds')
  expect(await read(registry, 'nuqta_webhook_queue_depth')).toEqual(['nuqta_webhook_queue_depth 3'])
  expect(Number(oldest?.split(' ')[1])).toBeGreaterThan(59)
  const worker = startWorker(database.db, { observe })
  await waitFor(4)
  await worker.stop()
  expect((await read(registry, 'nuqta_webhook_attempts_total')).sort()).toEqual([
    'nuqta_webhook_attempts_total{outcome="delivered"} 3',
    'nuqta_webhook_attempts_total{outcome="failed"} 0',
    'nuqta_webhook_attempts_total{outcome="interrupted"} 0',
    'nuqta_webhook_attempts_total{outcome="retry"} 1',
  ])
  expect(await read(registry, 'nuqta_webhook_first_byte_seconds_count')).toEqual([
    'nuqta_webhook_first_byte_seconds_count 3',
  ])
  expect(await read(registry, 'nuqta_webhook_queue_depth')).toEqual(['nuqta_webhook_queue_depth 0'])
})

it('are exported without the queue while the database is away', async () => {
  const registry = new Registry()
  const queue = () => Promise.reject(new Error('away'))
  createDeliveryMetrics(registry, { queue, in_flight: () => 7 })
  expect(await read(registry, 'nuqta_webhook_in_flight')).toEqual(['nuqta_webhook_in_flight 7'])
  expect(await read(registry, 'nuqta_webhook_queue_depth')).toEqual(['nuqta_webhook_queue_depth Nan'])
})
