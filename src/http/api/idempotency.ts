import type { Transaction } from '../../db/transaction.ts'
import { DomainError, type Failure } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import { failure, success } from './envelope.ts'
import { statusOf } from './error-answers.ts'
import type { Locale } from './locale.ts'
import type { Once } from './once.ts'
import { Answer } from './route.ts'
import { refuseFields } from './validation.ts'

/** Decisions §13; docs/decisions/0008-idempotency.md says what is guaranteed and how. */

const header = 'idempotency-key'
const max_key_length = 255

/** A body as it was sent, and is sent again. */
export interface KeptAnswer {
  readonly status: number
  readonly text: string
}

/** The right to execute a request, until another takes it over. */
export interface Execution {
  readonly uuid: Uuid
  /** Stores the answer in the transaction of the effect. Refused: `request_in_flight`, when another has taken over. */
  keep(tx: Transaction, answer: KeptAnswer): Promise<void>
  /** Stores the answer of a request that has had no effect, or whose effect is found again by `uuid`. Never throws. */
  settle(answer: KeptAnswer): Promise<void>
  /** Lets the next request with the key try again. Never throws. */
  release(): Promise<void>
  /** The same for a request whose effect would have been committed with its answer: nothing is left of it. Never throws. */
  drop(): Promise<void>
}

export interface KeyedRequest {
  readonly owner: { readonly program_id: number; readonly merchant_id: number }
  /** The pattern, for people who read the table. */
  readonly route: string
  /** What the key counts for. */
  readonly path: string
  readonly key: string
  /** Parsed JSON; undefined when it was empty. */
  readonly body: unknown
  /** `successes`: whoever asks may be a stranger, who is not to fill the table with what is refused. */
  readonly keeps: 'successes' | undefined
}

export type Begun =
  | { readonly kind: 'mine'; readonly execution: Execution }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'another body' }
  | { readonly kind: 'in flight' }

/** Asks for the right to execute a request, across all processes. */
export type BeginOnce = (request: KeyedRequest) => Promise<Begun>

/** The key that came with a request; null when there is none. Throws for one that is too long. */
export function readKey(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string | null {
  const value = headers[header]
  if (value === undefined) return null
  const key = String(value).trim()
  if (key.length > max_key_length) {
    refuseFields({ field: 'idempotency_key', rule: 'max_string', limit: max_key_length })
  }
  return key === '' ? null : key
}

/** The text of a success. */
function render(result: object): string {
  return JSON.stringify(shape(result))
}

/** The envelope of what a handler gave. */
export function shape(result: object): object {
  return result instanceof Answer ? success(result.data, result.appended, result.beside) : success(result)
}

export interface OnceAnswer extends KeptAnswer {
  readonly replayed: boolean
}

/** Executes a request that came with a key, or gives the answer that is stored for it. */
export async function answerOnce(
  begin: BeginOnce,
  request: KeyedRequest,
  locale: Locale,
  run: (once: Once) => Promise<object>,
): Promise<OnceAnswer> {
  const begun = await begin(request)
  if (begun.kind === 'answered') return { ...begun.answer, replayed: true }
  if (begun.kind === 'in flight') throw new DomainError({ kind: 'request_in_flight' })
  if (begun.kind === 'another body') return refuseFields({ field: 'idempotency_key', rule: 'idempotency_mismatch' })
  const { execution } = begun
  let kept: KeptAnswer | undefined
  const once: Once = {
    uuid: execution.uuid,
    keeping: (view) => async (tx, result) => {
      kept = { status: 200, text: render(view(result)) }
      await execution.keep(tx, kept)
    },
  }
  try {
    const result = await run(once)
    if (kept !== undefined) return { ...kept, replayed: false }
    const answer = { status: 200, text: render(result) }
    await execution.settle(answer)
    return { ...answer, replayed: false }
  } catch (error) {
    if (request.keeps === 'successes') await execution.drop()
    else await (isFinal(error) ? execution.settle(refusal(error.failure, locale)) : execution.release())
    throw error
  }
}

/** Decisions §13: a 429 and a 5xx are not kept; nor is the 409 of an execution that was taken over. */
function isFinal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.failure.kind === 'request_in_flight') return false
  const status = statusOf(error.failure.kind)
  return status !== 429 && status < 500
}

function refusal(failed: Failure, locale: Locale): KeptAnswer {
  return { status: statusOf(failed.kind), text: JSON.stringify(failure(failed, locale)) }
}
