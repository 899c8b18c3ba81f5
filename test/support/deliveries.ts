import { onTestFinished } from 'vitest'
import { type EventRow, enqueueEvents } from '../../src/db/outbox.ts'
import type { Database } from '../../src/db/pool.ts'
import { response_limit_bytes } from '../../src/domain/delivery.ts'
import { type EventName, eventPayload, type OrderSnapshot } from '../../src/domain/events.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { MerchantKey } from '../../src/domain/merchant.ts'
import { asHalalas, NO_MONEY } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import { Dispatcher, type DispatcherParts } from '../../src/features/webhooks/dispatcher.ts'
import { type DeliveryView, listDeliveries } from '../../src/features/webhooks/log.ts'
import type { SealedWebhook } from '../../src/features/webhooks/queries.ts'
import { findAnyWebhook } from '../../src/features/webhooks/rotation.ts'
import { createWebhooks } from '../../src/features/webhooks/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createSecretBox, type SecretBox } from '../../src/lib/secrets.ts'
import { createPoster, type PostOptions } from '../../src/net/post.ts'
import { secret_key } from './secret-key.ts'

export const secrets = createSecretBox(secret_key)

export interface Registered {
  readonly webhook_uuid: Uuid
  readonly secret: string
}

/** Registers webhooks of a merchant, as the API does. Returns their uuids and secrets. */
export function register(db: Database, merchant: MerchantKey, ...urls: readonly string[]): Promise<Registered[]> {
  return registerWith(db, merchant, { urls, sealing: secrets })
}

/** The same under another secret key. */
export async function registerWith(
  db: Database,
  merchant: MerchantKey,
  { urls, sealing }: { readonly urls: readonly string[]; readonly sealing: SecretBox },
): Promise<Registered[]> {
  const clock = { now: () => new Date() }
  const webhooks = createWebhooks({ db, clock, secrets: sealing, resolve: async () => [], allow_loopback: true })
  const made: Registered[] = []
  for (const url of urls) {
    const { webhook, secret } = await webhooks.create(merchant, { name: 'Test', url })
    made.push({ webhook_uuid: webhook.webhook_uuid, secret })
  }
  return made
}

/** The webhook as the commands of operators read it. */
export function keptWebhook(db: Database, made: { readonly webhook_uuid: Uuid } | undefined): Promise<SealedWebhook> {
  return findAnyWebhook(db, made?.webhook_uuid ?? '')
}

const snapshot = (uuid: string): OrderSnapshot => ({
  uuid,
  reference_number: 'VQ8K8ZPPCF',
  order_number: `N-${uuid}`,
  type: 'earning',
  state: 'approved',
  was_authorized: false,
  total_halalas: asHalalas(10_000),
  due_halalas: NO_MONEY,
  total_points: asPoints(1_000),
  metadata: null,
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
})

interface TestEvent {
  readonly order_uuid?: Uuid
  readonly name?: EventName
}

/** An event as a service would enqueue it. Default: of an order of its own. */
export function eventRow(
  { merchant_id }: MerchantKey,
  { order_uuid = newUuid(), name = 'approved' }: TestEvent,
): EventRow {
  const payload = JSON.stringify(eventPayload('approved', snapshot(order_uuid), {}))
  return { event_id: newUuid(), merchant_id, order_uuid, name, payload }
}

/** Enqueues events in one transaction, in this order. Returns their ids. */
export async function announceEvents(db: Database, owner: MerchantKey, events: readonly TestEvent[]): Promise<Uuid[]> {
  const rows = events.map((event) => eventRow(owner, event))
  await db.transaction(async (tx) => enqueueEvents(tx, owner.program_id, new Date(), rows))
  return rows.map(({ event_id }) => event_id)
}

type Changes = Partial<Omit<DispatcherParts, 'db' | 'settings' | 'poster'>> & {
  readonly settings?: Partial<DispatcherParts['settings']>
  readonly post?: Partial<PostOptions>
}

export interface Worker {
  /** Its warnings. */
  readonly warned: readonly string[]
  /** Attempts that run now, and attempts that a claim may still take. */
  readonly in_flight: number
  stop(): Promise<void>
}

/** A worker, with short waits; stopped at the end of the test. */
export function startWorker(db: Database, { settings = {}, post = {}, ...changes }: Changes = {}): Worker {
  const whole = { retry_delays_s: [1, 1, 1], timeout_s: 2, poll_ms: 50, ...settings }
  const warned: string[] = []
  const poster = createPoster({
    allow_loopback: true,
    resolve: async () => ['127.0.0.1'],
    timeout_ms: whole.timeout_s * 1000,
    ca: [],
    response_limit_bytes,
    ...post,
  })
  const warn = (error: unknown, text: string): void => void warned.push(`${text}: ${String(error)}`)
  const dispatcher = new Dispatcher({ db, secrets, poster, settings: whole, warn, ...changes })
  const stop = () => dispatcher.stop().finally(() => poster.close())
  onTestFinished(stop)
  return {
    warned,
    get in_flight() {
      return dispatcher.in_flight
    },
    stop,
  }
}

/** All deliveries of a merchant, the newest first. */
export async function deliveriesOf(db: Database, { program_id, merchant_id }: MerchantKey): Promise<DeliveryView[]> {
  const found: DeliveryView[] = []
  found.push(...(await listDeliveries(db, { program_id, merchant_id }, { size: 100_000 })))
  return found
}

/** Empties the queue of deliveries that a test does not wait for. */
export async function clearQueue(owner: Database): Promise<void> {
  await owner.script('truncate delivery_queue')
}
