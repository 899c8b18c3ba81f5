import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { orderSources } from '../domain/earning.ts'

// While the database is away, gauges that ask it are NaN; the other metrics must not fail with them.
const unknown = Number.NaN

/** Makes the metric of batch sizes and gives an observer for each kind of batch. */
export function createBatchSizes(registry: Registry): (kind: string) => (size: number) => void {
  const sizes = new Histogram({
    name: 'nuqta_batch_size',
    help: 'Requests that went to the database in one batch.',
    labelNames: ['kind'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  })
  return (kind) => (size) => sizes.observe({ kind }, size)
}

/** Makes the metric of the request log and gives its counter. */
export function createRequestLogMetrics(registry: Registry): (outcome: string, requests: number) => void {
  const requests = new Counter({
    name: 'nuqta_request_log_requests_total',
    help: 'Answered requests of merchants by what the request log has of them: written, counted in another row, or lost.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  startAtZero(requests, 'outcome', ['written', 'counted', 'lost'])
  return (outcome, count) => requests.inc({ outcome }, count)
}

/** A series has to be there before its first increase, or `increase()` misses that: eleven failures at once raise no alert. */
function startAtZero<Label extends string>(counter: Counter<Label>, label: Label, values: readonly string[]): void {
  for (const value of values) counter.labels({ [label]: value } as Record<Label, string>).inc(0)
}

interface Counted {
  readonly what: 'points' | 'orders'
  readonly kind: string
  readonly amount: number
}

/** The words of operators for the kinds of transfers. */
const pointKinds: Readonly<Record<string, string>> = {
  earn: 'issued',
  hold: 'held',
  post: 'redeemed',
  release: 'released',
  reverse: 'reversed',
  return: 'returned',
  adjust: 'adjusted',
}

/** Makes the metrics of points and orders, and gives the counter of what this process commits. */
export function createBusinessMetrics(registry: Registry): (counted: readonly Counted[]) => void {
  const registers = [registry]
  const points = new Counter({
    name: 'nuqta_points_total',
    help: 'Points moved by this process: issued, redeemed, reversed, returned, held, released, adjusted (either way).',
    labelNames: ['kind'],
    registers,
  })
  const orders = new Counter({
    name: 'nuqta_orders_total',
    help: 'Orders made by this process: purchase, product_rating, store_rating, checkout (opened).',
    labelNames: ['kind'],
    registers,
  })
  startAtZero(points, 'kind', Object.values(pointKinds))
  startAtZero(orders, 'kind', orderSources)
  return (counted) => {
    for (const { what, kind, amount } of counted)
      if (what === 'points') points.inc({ kind: pointKinds[kind] ?? kind }, amount)
      else orders.inc({ kind }, amount)
  }
}

interface MessageUse {
  readonly used: number
  readonly most: number
}

/** Text messages of the last hour: all, and the parts with a limit of their own. */
interface MessagesUsed {
  readonly all: MessageUse
  readonly invitations: MessageUse
  readonly strangers: MessageUse
}

/** Makes the metrics of the text messages of all processes; `use` is asked at each collection. */
export function createMessageMetrics(registry: Registry, use: () => Promise<MessagesUsed>): void {
  const nothing = { used: unknown, most: unknown }
  const ask = onceATurn(() => use().catch(() => ({ all: nothing, invitations: nothing, strangers: nothing })))
  const labels = { all: 'all', invitations: 'invitations', strangers: 'codes of strangers' } as const
  const gauge = (name: string, help: string, field: keyof MessageUse) =>
    new Gauge({
      name,
      help,
      labelNames: ['part'],
      registers: [registry],
      async collect() {
        const found = await ask()
        for (const part of ['all', 'invitations', 'strangers'] as const)
          this.set({ part: labels[part] }, found[part][field])
      },
    })
  gauge('nuqta_sms_last_hour', 'Text messages of the last hour: all, and the parts with a limit of their own.', 'used')
  gauge(
    'nuqta_sms_per_hour',
    'The most text messages an hour may have (NUQTA_SMS_PER_HOUR), by the same parts.',
    'most',
  )
}

/** Makes the metrics of payment tasks; `due` is asked at each collection. */
export function createPaymentMetrics(registry: Registry, due: Answer<'tasks' | 'oldest_s'>): void {
  createGauges(registry, due, [
    [
      'tasks',
      'nuqta_payment_tasks_due',
      'Captures, voids and refunds not yet sent to payment providers, of all workers.',
    ],
    [
      'oldest_s',
      'nuqta_payment_oldest_task_seconds',
      'How long the oldest of them has been due, without those that wait for an abandoned page to end; 0 when none is.',
    ],
  ])
}

/** Makes the metrics of findings that a person has to look at; `found` is asked at each collection. */
export function createFindingMetrics(registry: Registry, found: Answer<'open' | 'refused'>): void {
  createGauges(registry, found, [
    [
      'refused',
      'nuqta_payment_tasks_refused',
      'Tasks that a payment provider refused for good and nobody has handled, up to 1,000 of a program: a person has to look.',
    ],
    [
      'open',
      'nuqta_findings_open',
      'Findings of the comparison of payments, and refused tasks, that nobody has handled: a person has to look.',
    ],
  ])
}

/** Makes the metrics of invitations that wait; `due` is asked at each collection. */
export function createInvitationMetrics(registry: Registry, due: Answer<'messages' | 'oldest_s'>): void {
  createGauges(registry, due, [
    ['messages', 'nuqta_invitations_due', 'Invitations that are due and not sent, of all workers.'],
    ['oldest_s', 'nuqta_invitation_oldest_due_seconds', 'How long the oldest of them has been due; 0 when none is.'],
  ])
}

type Answer<Field extends string> = () => Promise<Readonly<Record<Field, number>>>

/** Makes a gauge of each field of an answer, which the gauges of one collection share. */
function createGauges<Field extends string>(
  registry: Registry,
  read: Answer<Field>,
  gauges: readonly (readonly [field: Field, name: string, help: string])[],
): void {
  const ask = onceATurn(() => read().catch(() => undefined))
  for (const [field, name, help] of gauges)
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set((await ask())?.[field] ?? unknown)
      },
    })
}

export interface DeliverySources {
  /** Asked at each collection. `oldest_due_s` is undefined when nothing is due. */
  readonly queue: () => Promise<{ readonly depth: number; readonly oldest_due_s: number | undefined }>
  readonly in_flight: () => number
}

/** Receives what a dispatcher reports. */
export interface DeliveryObserver {
  firstByte(waited_ms: number): void
  attempted(outcome: string, duration_ms: number): void
  interrupted(count: number): void
}

/** Makes the metrics of webhook deliveries and gives the observer that a dispatcher reports to. */
export function createDeliveryMetrics(registry: Registry, sources: DeliverySources): DeliveryObserver {
  addQueueMetrics(registry, sources)
  const registers = [registry]
  const attempts = new Counter({
    name: 'nuqta_webhook_attempts_total',
    help: 'Attempts of this worker by outcome: delivered, retry (failed, to be tried again), failed (the last), interrupted.',
    labelNames: ['outcome'],
    registers,
  })
  startAtZero(attempts, 'outcome', ['delivered', 'retry', 'failed', 'interrupted'])
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

function addQueueMetrics(registry: Registry, { queue, in_flight }: DeliverySources): void {
  const registers = [registry]
  const ask = onceATurn(() => queue().catch(() => ({ depth: unknown, oldest_due_s: unknown })))
  new Gauge({
    name: 'nuqta_webhook_queue_depth',
    help: 'Deliveries that have not ended, of all workers: due, under way, or waiting for another attempt.',
    registers,
    async collect() {
      this.set((await ask()).depth)
    },
  })
  new Gauge({
    name: 'nuqta_webhook_oldest_due_seconds',
    help: 'How long the delivery that has been due longest has been so; 0 when nothing is due.',
    registers,
    async collect() {
      this.set((await ask()).oldest_due_s ?? 0)
    },
  })
  new Gauge({
    name: 'nuqta_webhook_in_flight',
    help: 'Attempts that this worker has under way.',
    registers,
    collect() {
      this.set(in_flight())
    },
  })
}

/** Shares one question between the callers of one turn, as the metrics of one collection are. */
function onceATurn<T>(ask: () => Promise<T>): () => Promise<T> {
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
