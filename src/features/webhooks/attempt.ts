import { isDelivered, maxAttempts, parseRetryAfter, unsent_wait_ms, waitAfter } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { before } from '../../domain/spans.ts'
import { SecretError } from '../../lib/secrets.ts'
import type { PostRequest, PostResult } from '../../net/post.ts'
import type { ClaimedDelivery } from './delivery-queries.ts'
import type { Next, Result } from './result-writer.ts'

/** Decides about further attempts. */
export interface RetryPolicy {
  readonly retry_delays_s: readonly number[]
  readonly now: () => number
  readonly random: () => number
}

/** An attempt to make. */
export interface Attempt {
  readonly delivery: ClaimedDelivery
  /** Its number in the series: 1 to 4. */
  readonly number: number
  readonly request: PostRequest
}

/**
 * Prepares the attempt of a claimed delivery. Gives a result instead if the delivery cannot be sent, and nothing if its
 * last attempt was interrupted (`interruptedResult` ends it).
 */
export function prepareAttempt(
  delivery: ClaimedDelivery,
  openSecret: (delivery: ClaimedDelivery, sealed: Buffer) => string,
  { retry_delays_s, now }: RetryPolicy,
): (Attempt | { readonly result: Result })[] {
  const number = delivery.attempts + 1
  if (number > maxAttempts(retry_delays_s)) return []
  const { event, payload, happened_at, url, secret } = delivery
  const unsent = (why: UnsentReason) => [{ result: endUnsent(delivery, number, { ...why, now_ms: now() }) }]
  if (url === null || secret === null) return unsent(reasons.deleted)
  if (event === null || payload === null || happened_at === null) return unsent(reasons.purged)
  let opened: string
  try {
    opened = openSecret(delivery, secret)
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    const why = { error: `not sent: ${error.message}`, error_code: 'unreadable_secret' }
    return [{ result: waitUnsent(delivery, number, { ...why, now_ms: now() }) }]
  }
  const body = bodyOf({ event, payload, happened_at })
  const headers = deliveryHeaders({ secret: opened, event, id: delivery.event_id, attempt: number })
  return [{ delivery, number, request: { url, headers, body } }]
}

/** The headers of an attempt. docs/spec/webhooks.md#headers */
export function deliveryHeaders(of: {
  readonly secret: string
  readonly event: string
  readonly id: Uuid
  readonly attempt: number
}): PostRequest['headers'] {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Nuqta-Webhooks/1',
    'x-webhook-secret': of.secret,
    'x-webhook-event': of.event,
    'x-webhook-id': of.id,
    'x-webhook-attempt': String(of.attempt),
  }
}

/** The body of a delivery: the order in the bytes that were stored. docs/spec/webhooks.md#payload */
export function bodyOf(sent: { readonly event: string; readonly payload: string; readonly happened_at: Date }): string {
  const { event, payload, happened_at } = sent
  return `{"event":${JSON.stringify(event)},"order":${payload},"timestamp":"${happened_at.toISOString()}"}`
}

interface UnsentReason {
  readonly error: string
  readonly error_code: string
}

interface Unsent extends UnsentReason {
  readonly now_ms: number
}

const reasons = {
  deleted: { error: 'not sent: the webhook has been deleted', error_code: 'webhook_deleted' },
  purged: { error: 'not sent: the event is not kept any more', error_code: 'event_purged' },
} as const satisfies Record<string, UnsentReason>

/** Ends a delivery that can never be sent. */
function endUnsent(delivery: ClaimedDelivery, number: number, why: Unsent): Result {
  const { program_id } = delivery
  return { program_id, attempt: unsentRow(delivery, number, why), next: ended(delivery, number, 'failed') }
}

/** Postpones a delivery that we cannot send now. It does not count as an attempt. */
function waitUnsent(delivery: ClaimedDelivery, number: number, why: Unsent): Result {
  const { program_id, order_uuid, delivery_id, series } = delivery
  const due_at = new Date(why.now_ms + unsent_wait_ms)
  const next = { kind: 'retry', order_uuid, delivery_id, series, attempts: number, made: false, due_at } as const
  return { program_id, attempt: { ...unsentRow(delivery, number, why), duration_ms: null }, next }
}

function unsentRow({ delivery_id, series }: ClaimedDelivery, attempt: number, { error, error_code, now_ms }: Unsent) {
  const started_at = new Date(now_ms)
  return { delivery_id, series, attempt, started_at, duration_ms: 0, status: null, response: null, error, error_code }
}

/** The result of an attempt whose worker died before it wrote one. It counts: the receiver may have the delivery. */
export function interruptedResult(
  delivery: ClaimedDelivery,
  lease_ms: number,
  { retry_delays_s }: RetryPolicy,
): Result[] {
  const { program_id, delivery_id, series, attempts, leased_until } = delivery
  if (leased_until === null) return []
  const attempt = {
    delivery_id,
    series,
    attempt: attempts,
    started_at: before(leased_until, lease_ms),
    duration_ms: null,
    status: null,
    response: null,
    error: 'interrupted: the worker ended before the result was known',
    error_code: 'interrupted',
  }
  const isLast = attempts >= maxAttempts(retry_delays_s)
  return [{ program_id, attempt, next: isLast ? ended(delivery, attempts, 'failed') : { kind: 'none' } }]
}

export interface Answered {
  readonly answer: PostResult
  readonly started_ms: number
  readonly duration_ms: number
}

/** The result of an attempt: delivered, to be tried again, or failed. */
export function resultOf(attempt: Attempt, answered: Answered, { retry_delays_s, now, random }: RetryPolicy): Result {
  const { delivery, number } = attempt
  const { answer, started_ms, duration_ms } = answered
  const { program_id, delivery_id, series } = delivery
  const { status, response, error, error_code } = answer
  const ended_ms = now()
  const row = { delivery_id, series, attempt: number, started_at: new Date(started_ms), duration_ms }
  const result = { program_id, attempt: { ...row, status, response, error, error_code } }
  if (error === null && isDelivered(status)) return { ...result, next: ended(delivery, number, 'delivered') }
  const retry_after_s = parseRetryAfter(answer.retry_after ?? undefined, ended_ms)
  const wait_ms = waitAfter({ attempt: number, retry_delays_s, retry_after_s, random: random() })
  if (wait_ms === null) return { ...result, next: ended(delivery, number, 'failed') }
  const due_at = new Date(ended_ms + wait_ms)
  return {
    ...result,
    next: { kind: 'retry', order_uuid: delivery.order_uuid, delivery_id, series, attempts: number, made: true, due_at },
  }
}

function ended(
  { order_uuid, delivery_id, series }: ClaimedDelivery,
  attempts: number,
  state: 'delivered' | 'failed',
): Next {
  return { kind: 'ended', order_uuid, delivery_id, series, attempts, state }
}
