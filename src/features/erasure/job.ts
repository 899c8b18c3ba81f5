import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { after, day_ms, minute_ms } from '../../domain/spans.ts'
import type { JobRecord } from '../../lib/job-book.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { findUnderWay, type Identity } from './queries.ts'
import {
  type ErasureRequestRow,
  endRequest,
  findDueRequests,
  findProgramsDue,
  findWaitingRequests,
  keepOrders,
  type LockedRequest,
  lockRequest,
  longest_wait_ms,
  postponeRequest,
  type RequestKey,
} from './request-queries.ts'
import { CustomerGone, type EraseParts, eraseNow, eraseRest, OrderUnderWay } from './service.ts'

/** The name of the job: operators see by it whether a process does what they ask for. */
export const erasure_job = 'erasures'
const poll_ms = 2_000
/** Requests of a program that are read at a time; in the worker, before another program has its turn. */
const at_a_time = 20
const first_wait_ms = minute_ms
/** An order that is under way for so long is not about to end. */
const most_waited_ms = 30 * day_ms

export interface ErasureJobParts {
  /** Connects as the owner of the tables. */
  readonly owner: Database
  readonly secrets: SecretBox
  readonly log: Pick<Log, 'warn'>
  readonly record?: JobRecord
}

/**
 * Does the erasures that operators have asked for, as one of any number of workers with the owner's rights.
 * @returns a function that stops it; an erasure that a process does not end is begun again by the next
 */
export function startErasures({ record, log, ...parts }: ErasureJobParts): () => Promise<void> {
  return startWorkerLoop({
    work: (stopping) => doErasures({ ...parts, log }, stopping),
    pause_ms: poll_ms,
    record,
    onFailure: (error) => log.warn({ err: error }, 'erasures could not be made and are tried again'),
  })
}

/** Does what is due, program by program. Ends between two requests once the process is stopping. */
export async function doErasures(
  { owner, secrets, log }: Omit<ErasureJobParts, 'record'>,
  stopping?: AbortSignal,
): Promise<void> {
  for (const { program_id } of await owner.run(findProgramsDue(new Date()))) {
    for (const request of await owner.run(findDueRequests(program_id, new Date(), at_a_time))) {
      if (stopping?.aborted === true) return
      const { error } = await attempt({ owner, secrets }, request)
      if (error !== undefined) log.warn({ err: error, program_id }, 'an erasure has failed and is tried again')
    }
  }
}

/** What became of a request: it was done, waits longer, cannot be done, or another process has ended it. */
export type Attempted = 'done' | 'waits' | 'failed' | 'gone'

/** `by`: who does it, if not the worker on behalf of whoever asked. */
type RequestedParts = Omit<EraseParts, 'by'> & { readonly by?: Actor }

interface Attempt {
  readonly request: ErasureRequestRow
  readonly state: Attempted
  /** What failed unexpectedly: the request then waits for another attempt. */
  readonly error?: unknown
}

/**
 * Handles every request of a program that has waited since `until` or longer, the oldest first, even before its next attempt
 * is due. A failure of one does not keep the others waiting.
 */
export async function* eraseWaiting(parts: RequestedParts, program_id: number, until: Date): AsyncGenerator<Attempt> {
  let last: ErasureRequestRow | undefined
  do {
    const requests = await parts.owner.run(findWaitingRequests(program_id, at_a_time, { after: last, until }))
    for (const request of requests) yield { request, ...(await attempt(parts, request)) }
    last = requests.at(-1)
  } while (last !== undefined)
}

/** Attempts one request, and postpones it after an unexpected error. */
async function attempt(parts: RequestedParts, request: RequestKey): Promise<Omit<Attempt, 'request'>> {
  try {
    return { state: await eraseRequested(parts, request) }
  } catch (error) {
    await parts.owner.run(
      postponeRequest(request, { obstacle: 'error', order_uuid: null }, after(new Date(), first_wait_ms)),
    )
    return { state: 'waits', error }
  }
}

/** Erases as an operator has asked for. A request whose process dies is done again: what is erased already stays so. */
export async function eraseRequested(parts: RequestedParts, request: RequestKey): Promise<Attempted> {
  const { owner } = parts
  try {
    const begun = await owner.transaction((tx) => begin(tx, parts, request))
    if (typeof begun === 'string') return begun
    await eraseRest(begun.parts, begun.identity)
    return 'done'
  } catch (error) {
    if (error instanceof CustomerGone) return 'waits'
    if (error instanceof OrderUnderWay) return owner.transaction((tx) => wait(tx, request, error))
    throw error
  }
}

interface Begun {
  readonly parts: EraseParts
  readonly identity: Identity
}

async function begin(
  tx: Transaction,
  { by, ...parts }: RequestedParts,
  request: RequestKey,
): Promise<Attempted | Begun> {
  const row = await tx.one(lockRequest(request))
  if (row === undefined) return 'gone'
  const begun = { parts: { ...parts, by: actorOf(row, by) }, identity: row }
  if (row.merged_into !== null) return end(tx, row, 'merged')
  const { phone, program_id, customer_id } = row
  if (phone === null) return begun
  // Looks at the one order that was in the way before it looks for all that the customer has left.
  const known = row.order_uuid === null ? undefined : await tx.one(findUnderWay(program_id, [row.order_uuid]))
  if (known !== undefined) throw new OrderUnderWay(known.order_uuid)
  await tx.run(keepOrders(row, await eraseNow(tx, begun.parts, { program_id, customer_id, phone })))
  return begun
}

/** In a transaction of its own: the one that found the order under way may have erased something, and is rolled back. */
async function wait(tx: Transaction, request: RequestKey, { order_uuid }: OrderUnderWay): Promise<Attempted> {
  const row = await tx.one(lockRequest(request))
  if (row === undefined) return 'gone'
  if (Date.now() - row.created_at.getTime() > most_waited_ms) return end(tx, row, 'order')
  const wait_ms = Math.min(first_wait_ms * 2 ** Math.min(row.attempts, 10), longest_wait_ms)
  await tx.run(postponeRequest(row, { obstacle: 'order', order_uuid }, after(new Date(), wait_ms)))
  return 'waits'
}

async function end(tx: Transaction, row: LockedRequest, obstacle: 'order' | 'merged'): Promise<Attempted> {
  await tx.run(endRequest(row, { state: 'failed', obstacle, by: row.asked_by }, new Date()))
  return 'failed'
}

function actorOf({ asked_by, asked_uuid }: LockedRequest, by: Actor | undefined): Actor {
  if (by !== undefined) return { ...by, proposed_by: asked_by }
  return { source: 'dashboard', name: asked_by, staff_uuid: asked_uuid ?? undefined }
}
