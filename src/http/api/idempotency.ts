import type { IncomingMessage } from 'node:http'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { DomainError, type Failure, refuseFields } from '../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { newUuid } from '../../lib/ids.ts'
import { failure, statusOf, successOf } from './responses.ts'

/** docs/decisions/0008-idempotency.md says what is guaranteed and how; docs/spec/api.md#idempotency-key */

const header = 'idempotency-key'
const max_key_length = 255

/** How a handler makes its effect happen once, however often its request is executed. */
export interface Once {
  /**
   * The identifier of what the request creates. It stays the same when the request is executed again with its
   * Idempotency-Key, so that an effect that was already committed is found by it.
   */
  readonly uuid: Uuid
  /**
   * Takes what shapes the answer. Gives what the service calls before its commit, so that effect and answer are
   * committed together; undefined for a request without a key.
   */
  keeping<Result>(view: (result: Result) => object): BeforeCommit<Result> | undefined
}

/** For requests without an Idempotency-Key: each has an effect of its own. */
export class WithoutKey implements Once {
  #uuid: Uuid | undefined

  get uuid(): Uuid {
    this.#uuid ??= newUuid()
    return this.#uuid
  }

  keeping(): undefined {
    return undefined
  }
}

/** An answer as it was sent first, and is sent again. */
export interface StoredAnswer {
  readonly status: number
  readonly text: string
}

/** The right to execute a request, until another process takes it over. */
export interface Execution {
  readonly uuid: Uuid
  /**
   * Stores the answer in the transaction of the effect.
   * @throws DomainError `request_in_flight` when another process has taken over
   */
  keep(tx: Transaction, answer: StoredAnswer): Promise<void>
  /** Stores the answer of a request without an effect, or with one that is found again by `uuid`. Never throws. */
  settle(answer: StoredAnswer): Promise<void>
  /** Lets the next request with the key execute. Never throws. */
  release(): Promise<void>
  /** Deletes the key, for a request that was refused and had no effect. Never throws. */
  drop(): Promise<void>
}

export interface KeyedRequest {
  readonly owner: MerchantKey
  /** The pattern, for people who read the table. */
  readonly route: string
  /** The key counts for this path alone. */
  readonly path: string
  readonly key: string
  /** Parsed JSON; undefined when it was empty. */
  readonly body: unknown
  /** The body can hold a password: its hash is made under the secret key, so that nobody can try passwords against it. */
  readonly has_secrets?: boolean
  /** `successes` where anybody may ask: refused requests of strangers must not fill the table. */
  readonly keeps: 'successes' | undefined
}

export type BeginResult =
  | { readonly kind: 'started'; readonly execution: Execution }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'other_body' }
  | { readonly kind: 'in_flight' }

/** Asks for the right to execute a request, across all processes. */
export type BeginOnce = (request: KeyedRequest) => Promise<BeginResult>

/**
 * Takes the pattern of a route and the values of its `:names`; gives the path that a key counts for. It is one text for all
 * spellings of a path: a uuid in upper case or an encoded letter names the same order.
 */
export function keyedPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    return parseUuid(value) ?? value
  })
}

/** Gives the key that came with a request, or null. Throws for one that is too long, and for several. */
export function readKey(request: IncomingMessage): string | null {
  const value = request.headers[header]
  if (value === undefined) return null
  // Node joins them, and the text would be another key than either.
  if ((request.headersDistinct[header] ?? []).length > 1) refuseFields({ field: 'idempotency_key', rule: 'sent_once' })
  const key = String(value).trim()
  if (key.length > max_key_length) {
    refuseFields({ field: 'idempotency_key', rule: 'max_string', limit: max_key_length })
  }
  return key === '' ? null : key
}

/** Executes a request that came with a key, or gives the answer that is stored for it. */
export async function answerOnce(
  begin: BeginOnce,
  request: KeyedRequest,
  locale: Locale,
  run: (once: Once) => Promise<object>,
): Promise<StoredAnswer & { readonly replayed: boolean }> {
  const begun = await begin(request)
  if (begun.kind === 'answered') return { ...begun.answer, replayed: true }
  if (begun.kind === 'in_flight') throw new DomainError({ kind: 'request_in_flight' })
  if (begun.kind === 'other_body') return refuseFields({ field: 'idempotency_key', rule: 'idempotency_mismatch' })
  const { execution } = begun
  let kept: StoredAnswer | undefined
  const once: Once = {
    uuid: execution.uuid,
    keeping: (view) => async (tx, result) => {
      kept = answerFor(view(result))
      await execution.keep(tx, kept)
    },
  }
  try {
    const result = await run(once)
    if (kept !== undefined) return { ...kept, replayed: false }
    const answer = answerFor(result)
    await execution.settle(answer)
    return { ...answer, replayed: false }
  } catch (error) {
    if (request.keeps === 'successes') await execution.drop()
    else await (isFinal(error) ? execution.settle(refusal(error.failure, locale)) : execution.release())
    throw error
  }
}

function answerFor(result: object): StoredAnswer {
  return { status: 200, text: JSON.stringify(successOf(result)) }
}

/**
 * A 429, a 5xx, and the 409 of an execution that was taken over may end differently next time, so they are not stored.
 */
function isFinal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.failure.kind === 'request_in_flight') return false
  const status = statusOf(error.failure.kind)
  return status !== 429 && status < 500
}

function refusal(failed: Failure, locale: Locale): StoredAnswer {
  return { status: statusOf(failed.kind), text: JSON.stringify(failure(failed, locale)) }
}
