import { audit } from '../../db/audit.ts'
import { insertTestEvent } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor, Change } from '../../domain/audit.ts'
import type { OrderPayload } from '../../domain/events.ts'
import { DomainError } from '../../domain/failures.ts'
import { parseUuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { secondsSince } from '../../domain/spans.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import { listPrograms } from '../merchants/programs.ts'
import type { AttemptRow } from './delivery-queries.ts'
import {
  countFailedRows,
  countQueue,
  type DeliveryFilter,
  type DeliveryRow,
  deleteRequeued,
  findAttempts,
  findDeliveries,
  findDelivery,
  findFailed,
  insertDelivery,
  requeue,
} from './log-queries.ts'
import { readWithWaiting } from './waiting.ts'
import { type DeliveryPage, findWaitingWebhooks } from './waiting-queries.ts'

const page_size = 200

/** A delivery with its attempts, for operators and merchants. Times are ISO 8601. */
export interface DeliveryView {
  readonly delivery_id: Uuid
  readonly event_id: Uuid
  readonly event: string | null
  readonly program_id: number
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
  readonly url: string | null
  readonly order_uuid: Uuid
  readonly state: DeliveryRow['state']
  /** 1 at first; each replay adds one. */
  readonly series: number
  readonly due_at: string | null
  readonly created_at: string
  readonly ended_at: string | null
  readonly attempts: readonly AttemptView[]
}

export type AttemptView = Omit<AttemptRow, 'delivery_id' | 'started_at'> & { readonly started_at: string }

/** A page of deliveries of one program, or of all: those older than `before`, the newest first. */
export async function listDeliveries(
  db: Database,
  filter: Omit<DeliveryFilter, 'program_id'> & { readonly program_id?: number | undefined },
  page: { readonly before?: Uuid | undefined; readonly size: number },
): Promise<DeliveryView[]> {
  const { before, size } = page
  const programs = filter.program_id === undefined ? await listPrograms(db) : [{ program_id: filter.program_id }]
  const found: DeliveryRow[] = []
  for (const { program_id } of programs)
    found.push(...(await findPage(db, { ...filter, program_id }, { before, size })))
  const newest = found.sort((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1)).slice(0, size)
  const views: DeliveryView[] = []
  for (const [program_id, rows] of Map.groupBy(newest, (row) => row.program_id))
    views.push(...(await withAttempts(db, program_id, rows)))
  return views.sort((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1))
}

async function findPage(db: Database, filter: DeliveryFilter, page: DeliveryPage): Promise<readonly DeliveryRow[]> {
  const { webhook_uuid, state } = filter
  if (state === 'delivered' || state === 'failed') return db.run(findDeliveries(filter, undefined, page))
  const webhooks =
    webhook_uuid === undefined
      ? (await db.run(findWaitingWebhooks(filter))).map((found) => found.webhook_uuid)
      : [webhook_uuid]
  return readWithWaiting(db, filter, webhooks, page, (keys) => db.run(findDeliveries(filter, { webhooks, keys }, page)))
}

/**
 * One delivery of any merchant.
 * @throws CliError if the text is no id, or no delivery has it
 */
export async function showDelivery(db: Database, text: string): Promise<DeliveryView> {
  const delivery_id = parseUuid(text.trim())
  if (delivery_id === null) throw new CliError(`${text} is not the id of a delivery.`)
  for (const { program_id } of await listPrograms(db)) {
    const delivery = await readDelivery(db, program_id, delivery_id)
    if (delivery !== undefined) return delivery
  }
  throw missing(text)
}

function missing(id: string): CliError {
  return new CliError(`There is no delivery ${id}.`)
}

/** The same of a program that is known. */
async function showDeliveryOf(db: Database, program_id: number, delivery_id: Uuid): Promise<DeliveryView> {
  const delivery = await readDelivery(db, program_id, delivery_id)
  if (delivery === undefined) throw missing(delivery_id)
  return delivery
}

async function readDelivery(db: Database, program_id: number, delivery_id: Uuid): Promise<DeliveryView | undefined> {
  const [delivery] = await withAttempts(db, program_id, await db.run(findDelivery(program_id, delivery_id)))
  return delivery
}

async function withAttempts(db: Database, program_id: number, rows: readonly DeliveryRow[]): Promise<DeliveryView[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ delivery_id }) => delivery_id)
  const attempts = Map.groupBy(await db.run(findAttempts(program_id, ids)), ({ delivery_id }) => delivery_id)
  return rows.map((row) => ({
    delivery_id: row.delivery_id,
    event_id: row.event_id,
    event: row.event,
    program_id: row.program_id,
    merchant_id: row.merchant_id,
    webhook_uuid: row.webhook_uuid,
    url: row.url,
    order_uuid: row.order_uuid,
    state: row.state,
    series: row.series,
    due_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    attempts: (attempts.get(row.delivery_id) ?? []).map(viewAttempt),
  }))
}

function viewAttempt({ delivery_id: _, started_at, ...attempt }: AttemptRow): AttemptView {
  return { ...attempt, started_at: started_at.toISOString() }
}

/** Sends an ended delivery again, as a new series of attempts, for operators. */
export async function replayDelivery(db: Database, text: string, by?: Actor): Promise<DeliveryView> {
  const delivery = await showDelivery(db, text)
  await replayOne(db, delivery, { by })
  return showDeliveryOf(db, delivery.program_id, delivery.delivery_id)
}

/**
 * Sends an ended delivery again.
 * @throws DomainError `delivery_not_ended`, or `delivery_gone` if its webhook or event is deleted
 */
export async function replayOne(
  db: Database,
  { program_id, merchant_id, delivery_id, state }: ReplayedDelivery,
  { by, keep }: { readonly by?: Actor | undefined; readonly keep?: BeforeCommit<Uuid> | undefined },
): Promise<void> {
  if (state === 'due') throw new DomainError({ kind: 'delivery_not_ended' })
  const object = `delivery:${delivery_id}` as const
  const change = () => ({ merchant_id, object, before: { state }, after: { state: 'due' } })
  const [replayed] = await replay(db, program_id, [delivery_id], { by, change, keep })
  if (replayed === undefined) throw new DomainError({ kind: 'delivery_gone' })
}

type ReplayedDelivery = Pick<DeliveryView, 'program_id' | 'merchant_id' | 'delivery_id' | 'state'>

/** Which failed deliveries of a webhook, by the time of their events: from `since_ms` on, before `until_ms`. */
export interface FailedRange {
  readonly since_ms: number
  readonly until_ms?: number | undefined
  /** At most so many. */
  readonly most?: number | undefined
}

interface WebhookId {
  readonly program_id: number
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
}

/** Replays the failed deliveries of a webhook, the oldest first, for operators. */
export async function* replayFailed(
  db: Database,
  webhook: WebhookId,
  since_ms: number,
  by?: Actor,
): AsyncGenerator<DeliveryView> {
  for await (const ids of replayPieces(db, webhook, { since_ms }, by))
    for (const delivery_id of ids) yield await showDeliveryOf(db, webhook.program_id, delivery_id)
}

/** Replays failed deliveries in pieces, each in a transaction of its own; gives the ids of each piece. */
export async function* replayPieces(
  db: Database,
  { program_id, merchant_id, webhook_uuid }: WebhookId,
  { since_ms, until_ms, most = Number.POSITIVE_INFINITY }: FailedRange,
  by?: Actor,
): AsyncGenerator<readonly Uuid[]> {
  const before = floorOf(until_ms)
  let left = most
  for (let after = uuidV7Floor(since_ms); left > 0; ) {
    const size = Math.min(page_size, left)
    const failed = await db.run(findFailed(program_id, webhook_uuid, { after, before, size }))
    const ids = failed.map(({ delivery_id }) => delivery_id)
    const change = (replayed: number) =>
      ({ merchant_id, object: `webhook:${webhook_uuid}`, before: null, after: { replayed } }) as const
    yield await replay(db, program_id, ids, { by, change })
    const last = ids.at(-1)
    if (last === undefined || ids.length < size) return
    after = last
    left -= ids.length
  }
}

/** How many failed deliveries a range has, counted to `most` + 1. */
export async function countFailed(
  db: Database,
  { program_id, webhook_uuid }: WebhookId,
  { since_ms, until_ms, most = page_size }: FailedRange,
): Promise<number> {
  const page = { after: uuidV7Floor(since_ms), before: floorOf(until_ms), size: most + 1 }
  return (await db.one(countFailedRows(program_id, webhook_uuid, page)))?.count ?? 0
}

function floorOf(at_ms: number | undefined): Uuid | undefined {
  return at_ms === undefined ? undefined : uuidV7Floor(at_ms)
}

interface Recorded {
  readonly by: Actor | undefined
  /** The audit entry for this number of deliveries. */
  readonly change: (replayed: number) => Pick<Change, 'merchant_id' | 'object' | 'before' | 'after'>
  readonly keep?: BeforeCommit<Uuid> | undefined
}

/** The ids of the deliveries that could be requeued, in order. */
async function replay(
  db: Database,
  program_id: number,
  delivery_ids: readonly Uuid[],
  { by, change, keep }: Recorded,
): Promise<Uuid[]> {
  if (delivery_ids.length === 0) return []
  return db.transaction(async (tx) => {
    const requeued = await tx.run(requeue(program_id, delivery_ids, new Date()))
    const ids = requeued.map(({ delivery_id }) => delivery_id).sort()
    void tx.run(deleteRequeued(program_id, ids))
    tx.makesDue(program_id, Promise.resolve(requeued))
    if (ids.length > 0) audit(tx, by, [{ program_id, action: 'deliveries.replay', ...change(ids.length) }])
    for (const id of ids) await keep?.(tx, id)
    return ids
  })
}

/** Sends a `test` event about a made-up order to one webhook. @param now business time */
export async function sendTest(
  db: Database,
  webhook: WebhookId,
  now: Date,
  { by, keep }: { readonly by?: Actor | undefined; readonly keep?: BeforeCommit<Uuid> | undefined } = {},
): Promise<DeliveryView> {
  const event_id = newUuid()
  const order_uuid = newUuid()
  // Like the outbox: the id of the event with the webhook's slot as its last byte. No webhook has slot 0.
  const delivery_id = `${event_id.slice(0, 34)}00` as Uuid
  const { program_id, merchant_id, webhook_uuid } = webhook
  const delivery = { program_id, merchant_id, webhook_uuid, event_id, order_uuid, delivery_id }
  await db.transaction(async (tx) => {
    void tx.run(insertTestEvent(delivery, JSON.stringify(testPayload(order_uuid, now.toISOString())), now))
    tx.makesDue(program_id, tx.run(insertDelivery(delivery, new Date())))
    const change = { action: 'webhooks.test', object: `webhook:${webhook_uuid}`, before: null } as const
    audit(tx, by, [{ program_id, merchant_id, ...change, after: { delivery_id } }])
    await keep?.(tx, delivery_id)
  })
  return showDeliveryOf(db, program_id, delivery_id)
}

function testPayload(id: Uuid, now: string): OrderPayload {
  return {
    id,
    reference_number: null,
    order_number: 'TEST',
    type: 'earning',
    total_price: 100,
    total_points: 1000,
    payment_status: 'fully_paid',
    order_status: 'approved',
    metadata: null,
    created_at: now,
    updated_at: now,
  }
}

/** For metrics: how many deliveries have not ended, and for how long the oldest one has been due. */
export async function readQueueState(
  db: Database,
  now: Date,
): Promise<{ readonly depth: number; readonly oldest_due_s: number | undefined }> {
  const row = await db.one(countQueue(now))
  const oldest_ms = row?.oldest_ms ?? null
  const oldest_due_s = oldest_ms === null ? undefined : secondsSince(oldest_ms, now)
  return { depth: row?.depth ?? 0, oldest_due_s }
}
