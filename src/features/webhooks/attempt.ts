import { isDelivered, maxAttempts, parseRetryAfter, waitAfter } from '../../domain/delivery.ts'
import { SecretError } from '../../lib/secrets.ts'
import type { PostRequest, PostResult } from '../../net/post.ts'
import type { Claimed } from './delivery-queries.ts'
import type { Next, Result } from './result-writer.ts'

/** What decides about further attempts. */
export interface Retrying {
  readonly retry_delays_s: readonly number[]
  readonly now: () => number
  readonly random: () => number
}

/** An attempt that is to be made. */
export interface Attempt {
  readonly delivery: Claimed
  /** Which of its series: 1 to 4. */
  readonly number: number
  readonly request: PostRequest
}

/**
 * What a taken delivery comes to: a request, or, where there is nothing more to try, the result that ends it, or nothing
 * at all where its last attempt was interrupted (`interruptionOf` ends it).
 */
export function attemptOf(
  delivery: Claimed,
  openSecret: (delivery: Claimed, sealed: Buffer) => string,
  { retry_delays_s, now }: Retrying,
): (Attempt | { readonly result: Result })[] {
  const number = delivery.attempts + 1
  if (number > maxAttempts(retry_delays_s)) return []
  const { event, payload, happened_at, url, secret } = delivery
  const unsent = (error: string) => [{ result: endUnsent(delivery, number, { error, now_ms: now() }) }]
  if (url === null || secret === null) return unsent('not sent: the webhook has been deleted')
  if (event === null || payload === null || happened_at === null)
    return unsent('not sent: the event is not kept any more')
  let opened: string
  try {
    opened = openSecret(delivery, secret)
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    return [{ result: waitUnsent(delivery, number, { error: `not sent: ${error.message}`, now_ms: now() }) }]
  }
  const body = `{"event":${JSON.stringify(event)},"order":${payload},"timestamp":"${happened_at.toISOString()}"}`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Nuqta-Webhooks/1',
    'x-webhook-secret': opened,
    'x-webhook-event': event,
    'x-webhook-id': delivery.event_id,
    'x-webhook-attempt': String(number),
  }
  return [{ delivery, number, request: { url, headers, body } }]
}

interface Unsent {
  readonly error: string
  readonly now_ms: number
}

/** Nothing can be sent any more. */
function endUnsent(delivery: Claimed, number: number, why: Unsent): Result {
  const { program_id } = delivery
  return { program_id, attempt: unsentRow(delivery, number, why), next: ended(delivery, number, 'failed') }
}

const unsent_wait_ms = 60_000

/** Nothing can be sent now, for a reason of ours: that is no attempt, and costs the delivery none. */
function waitUnsent(delivery: Claimed, number: number, why: Unsent): Result {
  const { program_id, order_uuid, delivery_id, series } = delivery
  const due_at = new Date(why.now_ms + unsent_wait_ms)
  const next = { kind: 'retry', order_uuid, delivery_id, series, attempts: number, made: false, due_at } as const
  return { program_id, attempt: { ...unsentRow(delivery, number, why), duration_ms: null }, next }
}

function unsentRow({ delivery_id, series }: Claimed, attempt: number, { error, now_ms }: Unsent) {
  const started_at = new Date(now_ms)
  return { delivery_id, series, attempt, started_at, duration_ms: 0, status: null, response: null, error }
}

/** Of an attempt whose worker ended before it had written how it went: it counts, since the receiver may have it. */
export function interruptionOf(delivery: Claimed, lease_ms: number, { retry_delays_s }: Retrying): Result[] {
  const { program_id, delivery_id, series, attempts, leased_until } = delivery
  if (leased_until === null) return []
  const attempt = {
    delivery_id,
    series,
    attempt: attempts,
    started_at: new Date(leased_until.getTime() - lease_ms),
    duration_ms: null,
    status: null,
    response: null,
    error: 'interrupted: the worker ended before the result was known',
  }
  const isLast = attempts >= maxAttempts(retry_delays_s)
  return [{ program_id, attempt, next: isLast ? ended(delivery, attempts, 'failed') : { kind: 'none' } }]
}

export interface Answered {
  readonly answer: PostResult
  readonly started_ms: number
  readonly duration_ms: number
}

/** What an attempt has come to, and what follows: delivered, another attempt later, or failed. */
export function resultOf(attempt: Attempt, answered: Answered, { retry_delays_s, now, random }: Retrying): Result {
  const { delivery, number } = attempt
  const { answer, started_ms, duration_ms } = answered
  const { program_id, delivery_id, series } = delivery
  const { status, response, error } = answer
  const ended_ms = now()
  const row = { delivery_id, series, attempt: number, started_at: new Date(started_ms), duration_ms }
  const result = { program_id, attempt: { ...row, status, response, error } }
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

function ended({ order_uuid, delivery_id, series }: Claimed, attempts: number, state: 'delivered' | 'failed'): Next {
  return { kind: 'ended', order_uuid, delivery_id, series, attempts, state }
}
