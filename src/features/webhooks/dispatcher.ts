import type { Database } from '../../db/pool.ts'
import { longest_timeout_s } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { Poster } from '../../net/post.ts'
import { type Attempt, type RetryPolicy, resultOf } from './attempt.ts'
import { type ClaimedAttempts, createClaim } from './claim.ts'
import type { WebhookQueue } from './due-queues.ts'
import { type Claim, emptyResult, FairQueue } from './fair-queue.ts'
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
  /** Called once when a problem begins. */
  readonly warn: (error: unknown, text: string) => void
  /** The machine's clock in milliseconds, and randomness; tests replace both. */
  readonly now?: () => number
  readonly random?: () => number
  /** The most attempts at once. */
  readonly slots?: number
  /** Nothing is claimed while more results than this wait to be written: their leases would expire. */
  readonly most_unwritten?: number
  /** How long a lease outlives its attempt, so that the result can be written. */
  readonly lease_margin_ms?: number
}

export type Outcome = 'delivered' | 'retry' | 'failed'

export interface DispatcherObserver {
  /** A first attempt is about to be sent. @param waited_ms since just before the commit of its event */
  firstByte(waited_ms: number): void
  attempted(outcome: Outcome, duration_ms: number): void
  interrupted(count: number): void
}

/** With the attempt's 10 s, the leases of a killed worker expire within 30 s. */
const standard_margin_ms = 10_000
const stop_patience_ms = 15_000
const standard_unwritten = 2_000
const max_claims = 4
/** Two, so that a commit just after a claim began does not wait for that claim. */
const max_claims_per_program = 2

/**
 * Sends due deliveries, as one of any number of workers. A commit of this process wakes it at once. It polls every
 * `poll_ms` for the commits of other processes and for retries. docs/spec/webhooks.md#attempts,
 * docs/decisions/0011-delivery.md
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #queue: FairQueue
  readonly #claim: (claim: Claim) => Promise<ClaimedAttempts>
  readonly #makeAttempt: MakeAttempt
  readonly #writer: ResultWriter
  readonly #stopPolling: () => Promise<void>
  readonly #unlisten: () => void
  readonly #underWay = new Set<Promise<void>>()
  /** The programs of running claims. */
  readonly #claiming: number[] = []
  /** Whether the last claim failed. */
  #failing = false
  #stopping = false
  #scheduled = false

  constructor(parts: DispatcherParts) {
    const { db, secrets, settings, warn, now = Date.now, random = Math.random } = parts
    const { retry_delays_s, poll_ms, timeout_s } = settings
    const margin_ms = parts.lease_margin_ms ?? standard_margin_ms
    const lease_ms = timeout_s * 1000 + margin_ms
    // Another worker may have another time-out.
    const longest_lease_ms = longest_timeout_s * 1000 + margin_ms
    const retries = { retry_delays_s, now, random }
    const markDue = (program_id: number, webhook_uuids: Iterable<Uuid>): void =>
      this.#markDue(program_id, webhook_uuids)
    this.#parts = parts
    this.#queue = new FairQueue({ slots: parts.slots ?? 512 })
    this.#claim = createClaim({ db, secrets, retries, lease_ms })
    this.#writer = createResultWriter(db, { warn, isStopping: () => this.#stopping })
    this.#makeAttempt = createMakeAttempt(parts, retries, (result) => this.#writer.write(result))
    this.#unlisten = db.onDue((due) => {
      for (const [program_id, webhook_uuids] of due) markDue(program_id, webhook_uuids)
    })
    this.#stopPolling = startPolling({ db, poll_ms, longest_lease_ms, retry_delays_s, now, warn, found: markDue })
  }

  /** Running attempts and reserved slots. */
  get in_flight(): number {
    return this.#queue.in_use
  }

  /**
   * Claims nothing more, waits for running attempts, cuts them off after `stop_patience_ms`, and writes their results. The poster
   * stays open: others may use it.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#unlisten()
    await this.#stopPolling()
    const { poster } = this.#parts
    const cut = setTimeout(() => void poster.close(), stop_patience_ms)
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    clearTimeout(cut)
  }

  #markDue(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    this.#queue.markDue(program_id, webhook_uuids)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      while (!this.#stopping && this.#mayClaim()) {
        const claim = this.#queue.nextClaim((program_id) => this.#claimsOf(program_id) < max_claims_per_program)
        if (claim === undefined) return
        this.#track(this.#runClaim(claim))
      }
    })
  }

  #mayClaim(): boolean {
    const { most_unwritten = standard_unwritten } = this.#parts
    const { retrying, waiting } = this.#writer
    return retrying === 0 && waiting <= most_unwritten && this.#claiming.length < max_claims
  }

  #claimsOf(program_id: number): number {
    return this.#claiming.filter((claimed) => claimed === program_id).length
  }

  async #runClaim(claim: Claim): Promise<void> {
    this.#claiming.push(claim.program_id)
    try {
      this.#send(await this.#claim(claim))
      this.#failing = false
    } catch (error) {
      // The next poll finds these deliveries again.
      for (const reservation of claim.reservations) this.#queue.settle(reservation, emptyResult)
      if (!this.#failing) this.#parts.warn(error, 'due deliveries could not be claimed and are tried again')
      this.#failing = true
    } finally {
      this.#claiming.splice(this.#claiming.indexOf(claim.program_id), 1)
      this.#schedule()
    }
  }

  #send({ queues, results, interrupted }: ClaimedAttempts): void {
    this.#parts.observe?.interrupted(interrupted)
    for (const result of results) this.#track(this.#writer.write(result))
    for (const { reservation, attempts, result } of queues) {
      this.#queue.settle(reservation, result)
      for (const attempt of attempts) this.#track(this.#runAttempt(attempt, reservation.queue))
    }
  }

  async #runAttempt(attempt: Attempt, queue: WebhookQueue): Promise<void> {
    const { silent, written } = await this.#makeAttempt(attempt)
    this.#queue.attemptEnded(queue, silent)
    this.#schedule()
    await written
    this.#queue.resultWritten(queue)
    this.#schedule()
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }
}

type MakeAttempt = (attempt: Attempt) => Promise<{ readonly silent: boolean; readonly written: Promise<void> }>

/** Sends and observes one attempt. `written` resolves when its result is written. Neither promise rejects. */
function createMakeAttempt(
  { poster, observe }: DispatcherParts,
  retries: RetryPolicy,
  write: (result: Result) => Promise<void>,
): MakeAttempt {
  return async (attempt) => {
    const { delivery, request } = attempt
    const started_ms = retries.now()
    const began_ms = performance.now()
    const isFirst = attempt.number === 1 && delivery.series === 1
    const onStart = () => {
      if (isFirst) observe?.firstByte(Math.max(0, retries.now() - delivery.created_at.getTime()))
    }
    const answer = await poster.post({ ...request, onStart })
    const duration_ms = Math.round(performance.now() - began_ms)
    const result = resultOf(attempt, { answer, started_ms, duration_ms }, retries)
    observe?.attempted(result.next.kind === 'ended' ? result.next.state : 'retry', duration_ms)
    return { silent: answer.silent, written: write(result) }
  }
}
