import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { Poster } from '../../net/post.ts'
import { type Attempt, type Retrying, resultOf } from './attempt.ts'
import { createTake, type Taken } from './claim.ts'
import { type Claim, type Lane, Lanes, nothing } from './fair-queue.ts'
import { startPolling } from './polling.ts'
import { createResultWriter, type Result, type ResultWriter } from './result-writer.ts'

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
  /** The first byte of a first attempt is about to leave. @param waited_ms since just before the commit of its event */
  firstByte(waited_ms: number): void
  attempted(outcome: Outcome, duration_ms: number): void
  interrupted(count: number): void
}

/** With the attempt's 10 s, the leases of a worker that was killed are back within 30 s. */
const standard_margin_ms = 10_000
const stop_patience_ms = 15_000
const claims_at_once = 4
/** So that what is committed just after a claim has begun does not wait for its end. */
const claims_of_program = 2

/**
 * Sends what is due, as one of any number of workers. A commit of this process wakes it at once; what others commit, and
 * what is due again, it finds by looking every `poll_ms` (decisions §10; docs/decisions/0011-delivery.md).
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #lanes: Lanes
  readonly #take: (claim: Claim) => Promise<Taken>
  readonly #make: Make
  readonly #keeper: ResultWriter
  readonly #stopPolling: () => Promise<void>
  readonly #unlisten: () => void
  readonly #underWay = new Set<Promise<void>>()
  readonly #claiming: number[] = []
  #stopping = false
  #scheduled = false

  constructor(parts: DispatcherParts) {
    const { db, secrets, settings, warn, now = Date.now, random = Math.random } = parts
    const { retry_delays_s, poll_ms, timeout_s } = settings
    const lease_ms = timeout_s * 1000 + (parts.lease_margin_ms ?? standard_margin_ms)
    const retrying = { retry_delays_s, now, random }
    const want = (program_id: number, webhook_uuids: Iterable<Uuid>): void => this.#want(program_id, webhook_uuids)
    this.#parts = parts
    this.#lanes = new Lanes({ slots: parts.slots ?? 512 })
    this.#take = createTake({ db, secrets, retrying, lease_ms })
    this.#keeper = createResultWriter(db, { warn, isOver: () => this.#stopping })
    this.#make = createMake(parts, retrying, (result) => this.#keeper.keep(result))
    this.#unlisten = db.onDue((due) => {
      for (const [program_id, webhook_uuids] of due) want(program_id, webhook_uuids)
    })
    this.#stopPolling = startPolling({ db, poll_ms, lease_ms, retry_delays_s, now, warn, found: want })
  }

  /** Attempts under way. */
  get in_flight(): number {
    return this.#lanes.in_use
  }

  /** Takes nothing more, waits for what is under way, cuts it off when that takes too long, and writes how it ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#unlisten()
    await this.#stopPolling()
    const { poster } = this.#parts
    const cut = setTimeout(() => void poster.close(), stop_patience_ms)
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    clearTimeout(cut)
    await poster.close()
  }

  #want(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    this.#lanes.want(program_id, webhook_uuids)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (!this.#stopping && this.#keeper.troubled === 0 && this.#claiming.length < claims_at_once) {
        const claim = this.#lanes.next((program_id) => this.#claimsOf(program_id) < claims_of_program)
        if (claim === undefined) return
        this.#track(this.#claim(claim))
      }
    })
  }

  #claimsOf(program_id: number): number {
    return this.#claiming.filter((claimed) => claimed === program_id).length
  }

  async #claim(claim: Claim): Promise<void> {
    this.#claiming.push(claim.program_id)
    try {
      this.#send(await this.#take(claim))
    } catch (error) {
      // What was wanted is found again by the next look.
      for (const room of claim.lanes) this.#lanes.taken(room, nothing)
      this.#parts.warn(error, 'deliveries that are due could not be taken from the queue')
    } finally {
      this.#claiming.splice(this.#claiming.indexOf(claim.program_id), 1)
      this.#schedule()
    }
  }

  #send({ shares, results, interrupted }: Taken): void {
    this.#parts.observe?.interrupted(interrupted)
    for (const result of results) this.#track(this.#keeper.keep(result))
    for (const { room, attempts, given } of shares) {
      this.#lanes.taken(room, given)
      for (const attempt of attempts) this.#track(this.#follow(attempt, room.lane))
    }
  }

  async #follow(attempt: Attempt, lane: Lane): Promise<void> {
    const { silent, kept } = await this.#make(attempt)
    this.#lanes.answered(lane, silent)
    this.#schedule()
    await kept
    this.#lanes.written(lane)
    this.#schedule()
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }
}

type Make = (attempt: Attempt) => Promise<{ readonly silent: boolean; readonly kept: Promise<void> }>

/** One attempt: sent, observed, and its result handed on. `kept` resolves when that is written; neither ever throws. */
function createMake(
  { poster, observe }: DispatcherParts,
  retrying: Retrying,
  keep: (result: Result) => Promise<void>,
): Make {
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
