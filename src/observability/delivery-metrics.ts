import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { DispatcherObserver } from '../features/webhooks/dispatcher.ts'

/** How much waits, and since when; undefined where nothing is due. */
export interface QueueState {
  readonly depth: number
  readonly oldest_due_s: number | undefined
}

export interface DeliverySources {
  /** Asked at each collection. */
  readonly queue: () => Promise<QueueState>
  readonly in_flight: () => number
}

/** Makes the metrics of webhook deliveries and gives what the dispatcher tells them. */
export function createDeliveryMetrics(registry: Registry, sources: DeliverySources): DispatcherObserver {
  const registers = [registry]
  const queue = askedOnce(sources.queue)
  // A database that is away must not take the other metrics with it: these are not known then.
  const unknown = { depth: Number.NaN, oldest_due_s: Number.NaN }
  new Gauge({
    name: 'nuqta_webhook_queue_depth',
    help: 'Deliveries that have not ended, of all workers: due, under way, or waiting for another attempt.',
    registers,
    async collect() {
      this.set((await queue().catch(() => unknown)).depth)
    },
  })
  new Gauge({
    name: 'nuqta_webhook_oldest_due_seconds',
    help: 'How long the delivery that has been due longest has been so; 0 when nothing is due.',
    registers,
    async collect() {
      this.set((await queue().catch(() => unknown)).oldest_due_s ?? 0)
    },
  })
  new Gauge({
    name: 'nuqta_webhook_in_flight',
    help: 'Attempts that this worker has under way.',
    registers,
    collect() {
      this.set(sources.in_flight())
    },
  })
  const attempts = new Counter({
    name: 'nuqta_webhook_attempts_total',
    help: 'Attempts of this worker by outcome: delivered, retry (failed, to be tried again), failed (the last), interrupted.',
    labelNames: ['outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'nuqta_webhook_attempt_duration_seconds',
    help: 'From the look-up to the end of the answer.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const firstBytes = new Histogram({
    name: 'nuqta_webhook_first_byte_seconds',
    help: 'From just before the commit that wrote an event to the first byte of its first attempt.',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    registers,
  })
  return {
    firstByte: (waited_ms) => firstBytes.observe(waited_ms / 1000),
    attempted(outcome, duration_ms) {
      attempts.inc({ outcome })
      durations.observe(duration_ms / 1000)
    },
    interrupted: (count) => attempts.inc({ outcome: 'interrupted' }, count),
  }
}

/** Asks once for all who ask in one turn, as the metrics of one collection do. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    if (asked === undefined) {
      asked = ask()
      setImmediate(() => {
        asked = undefined
      })
    }
    return asked
  }
}
