import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Poster } from '../../net/post.ts'
import type { SecretBox } from '../../secrets.ts'
import { type Attempt, type Retrying, resultOf } from './attempt.ts'
import { createTake, type Taken } from './claim.ts'
import { type Claim, createLanes, type Lane, nothing } from './lanes.ts'
import { startPolling } from './polling.ts'
import { createKeeper, type Result } from './results.ts'

export interface DispatcherParts {
  readonly db: Database
  readonly secrets: SecretBox
  readonly poster: Poster
  readonly settings: {
    readonly retry_delays_s: readonly number[]
    readonly timeout_s: number
    readonly poll_ms: number
  }
  readonly observe?: DispatcherObserver
  /** Told of what went wrong, once for each time that it begins. */
  readonly warn: (error: unknown, text: string) => void
  /** The machine's clock in milliseconds, and chance; tests bring their own. */
  readonly now?: () => number
  readonly random?: () => number
  /** Attempts at once. */
  readonly slots?: number
  /** By how much a lease outlives its attempt, for the result to be written. */
  readonly lease_margin_ms?: number
}

export type Outcome = 'delivered' | 'retry' | 'failed'

export interface DispatcherObserver {
  /** The first byte of a first attempt is about to leave. */
  firstByte(since_commit_ms: number): void
  attempted(outcome: Outcome, duration_ms: number): void
  interrupted(count: number): void
}

export interface Dispatcher {
  /** Attempts under way. */
  readonly in_flight: number
  /** Takes nothing more, waits for what is under way, cuts it off when that takes too long, and writes how it ended. */
  stop(): Promise<void>
}

/** With the attempt's 10 s, the leases of a worker that was killed are back within 30 s. */
const standard_margin_ms = 10_000
const stop_patience_ms = 15_000
const claims_at_once = 4

/**
 * Sends what is due, as one of any number of workers. A commit of this process wakes it at once; what others commit, and
 * what is due again, it finds by looking every `poll_ms` (decisions §10; docs/decisions, "Delivery").
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, settings, warn, now = Date.now, random = Math.random, slots = 512 } = parts
  const { retry_delays_s, poll_ms } = settings
  const lease_ms = settings.timeout_s * 1000 + (parts.lease_margin_ms ?? standard_margin_ms)
  const retrying: Retrying = { retry_delays_s, now, random }
  const lanes = createLanes({ slots })
  const take = createTake({ db, secrets: parts.secrets, retrying, lease_ms })
  const underWay = new Set<Promise<void>>()
  const claiming = new Set<number>()
  let stopping = false
  let scheduled = false
  const keeper = createKeeper(db, { warn, isOver: () => stopping })
  const make = createMake(parts, retrying, (result) => keeper.keep(result))

  function want(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    lanes.want(program_id, webhook_uuids)
    schedule()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (!stopping && keeper.troubled === 0 && claiming.size < claims_at_once) {
        const claim = lanes.next((program_id) => !claiming.has(program_id))
        if (claim === undefined) return
        track(begin(claim))
      }
    })
  }

  async function begin(claim: Claim): Promise<void> {
    claiming.add(claim.program_id)
    try {
      send(await take(claim))
    } catch (error) {
      // What was wanted is found again by the next look.
      for (const room of claim.lanes) lanes.taken(room, nothing)
      warn(error, 'deliveries that are due could not be taken from the queue')
    } finally {
      claiming.delete(claim.program_id)
      schedule()
    }
  }

  function send({ shares, interrupted }: Taken): void {
    parts.observe?.interrupted(interrupted)
    for (const { room, attempts, given } of shares) {
      lanes.taken(room, given)
      for (const attempt of attempts) track(follow(attempt, room.lane))
    }
  }

  async function follow(attempt: Attempt, lane: Lane): Promise<void> {
    const { silent, kept } = await make(attempt)
    lanes.answered(lane, silent)
    schedule()
    await kept
    lanes.written(lane)
    schedule()
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  const unlisten = db.onDue((due) => {
    for (const [program_id, webhook_uuids] of due) want(program_id, webhook_uuids)
  })
  const polling = startPolling({ db, poll_ms, lease_ms, retry_delays_s, now, warn, found: want })

  return {
    get in_flight() {
      return lanes.in_use
    },
    async stop() {
      stopping = true
      unlisten()
      await polling.stop()
      const cut = setTimeout(() => void parts.poster.close(), stop_patience_ms)
      while (underWay.size > 0) await Promise.all(underWay)
      clearTimeout(cut)
      await parts.poster.close()
    },
  }
}

/** One attempt: sent, observed, and its result handed on. `kept` resolves when that is written; neither ever throws. */
function createMake(
  { poster, observe }: DispatcherParts,
  retrying: Retrying,
  keep: (result: Result) => Promise<void>,
): (attempt: Attempt) => Promise<{ readonly silent: boolean; readonly kept: Promise<void> }> {
  return async (attempt) => {
    const { delivery, request } = attempt
    const started_ms = retrying.now()
    const began_ms = performance.now()
    const isFirst = attempt.number === 1 && delivery.series === 1
    const onStart = () => {
      if (isFirst) observe?.firstByte(Math.max(0, retrying.now() - delivery.created_at.getTime()))
    }
    const answer = await poster.post({ ...request, onStart })
    const duration_ms = Math.round(performance.now() - began_ms)
    const result = resultOf(attempt, { answer, started_ms, duration_ms }, retrying)
    observe?.attempted(result.next.kind === 'ended' ? result.next.state : 'retry', duration_ms)
    return { silent: answer.silent, kept: keep(result) }
  }
}
