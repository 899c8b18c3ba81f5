import { nextWindow, windows } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { type DueOfProgram, DueQueues, inTurn, type WebhookQueue } from './due-queues.ts'

/** Slots that are reserved for a webhook until `settle` says how many of them are used. */
export interface Reservation {
  readonly queue: WebhookQueue
  readonly webhook_uuid: Uuid
  readonly slots: number
}

/** A claim of due deliveries for webhooks of one program. */
export interface Claim {
  readonly program_id: number
  readonly reservations: readonly Reservation[]
}

/** What a claim gave for one webhook. */
export interface ClaimResult {
  /** Attempts that begin. */
  readonly count: number
  /** The claim filled every reserved slot: more may be due. */
  readonly full: boolean
  /** Later deliveries of an order wait for one of these. */
  readonly followed: boolean
}

export const emptyResult: ClaimResult = { count: 0, full: false, followed: false }

const max_claim = 256
/** Queues that are kept for their windows, though they are idle. */
const max_queues = 20_000

/**
 * Shares the slots of one worker between webhooks, in turns. A receiver that has not answered yet, or not lately, is
 * slow. All slow receivers together get at most half of the slots, so hanging receivers always leave half to the
 * others.
 */
export class FairQueue {
  readonly #slots: number
  /** The most that all slow receivers may use together. */
  readonly #slow_slots: number
  readonly #queues = new Map<Uuid, WebhookQueue>()
  readonly #due = new DueQueues()
  #used = 0
  #usedBySlow = 0
  /** With more queues than this, idle ones are dropped. */
  #most_queues = max_queues

  constructor({ slots }: { readonly slots: number }) {
    this.#slots = slots
    this.#slow_slots = Math.floor(slots / 2)
  }

  /** Used and reserved slots. */
  get in_use(): number {
    return this.#used
  }

  /** Notes webhooks that may have due deliveries. */
  markDue(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    for (const webhook_uuid of webhook_uuids) this.#addDue(this.#queueOf(program_id, webhook_uuid))
  }

  /** Reserves slots for the next claim, of a program that `isFree`. Undefined if nothing is due or no slot is free. */
  nextClaim(isFree: (program_id: number) => boolean): Claim | undefined {
    let limit = Math.min(max_claim, this.#slots - this.#used)
    const program = limit > 0 ? this.#nextProgram(isFree, limit) : undefined
    if (program === undefined) return undefined
    const share = Math.ceil(limit / this.#countReady(limit))
    const reservations: Reservation[] = []
    for (const queue of this.#inTurn(program)) {
      const slots = this.#freeFor(queue, Math.min(share, limit))
      if (slots === 0) continue
      // Marking it due again puts it behind all others: webhooks take turns.
      this.#due.delete(queue)
      this.#use(queue, slots)
      limit -= slots
      reservations.push({ queue, webhook_uuid: queue.webhook_uuid, slots })
      if (limit <= 0) break
    }
    return { program_id: program.program_id, reservations }
  }

  /** The program of the next queue in turn that may get a slot, among those that are free. */
  #nextProgram(isFree: (program_id: number) => boolean, limit: number): DueOfProgram | undefined {
    let [found, turn]: [DueOfProgram | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const program of this.#due.programs) {
      if (!isFree(program.program_id)) continue
      const first = this.#inTurn(program).find((queue) => this.#freeFor(queue, limit) > 0)
      if (first !== undefined && first.turn < turn) [found, turn] = [program, first.turn]
    }
    return found
  }

  /**
   * Counts the queues that may get a slot, as far as there are slots. Most webhooks have little due: reserving a whole window for
   * each would let a claim reach few of many.
   */
  #countReady(limit: number): number {
    let count = 0
    for (const program of this.#due.programs)
      for (const queue of this.#inTurn(program)) {
        if (this.#freeFor(queue, limit) > 0) count += 1
        if (count === limit) return count
      }
    return count
  }

  #inTurn(program: DueOfProgram): Generator<WebhookQueue> {
    return inTurn(program, () => this.#usedBySlow < this.#slow_slots)
  }

  /** Ends a reservation: the slots that the claim has not used are free again. */
  settle({ queue, slots }: Reservation, { count, full, followed }: ClaimResult): void {
    this.#use(queue, count - slots)
    if (full) this.#addDue(queue)
    else if (followed || queue.open > 0) queue.claims_again = true
    queue.open += count
  }

  /** Frees the slot of an attempt that has ended. @param silent the receiver has not answered */
  attemptEnded(queue: WebhookQueue, silent: boolean): void {
    this.#use(queue, -1)
    const wasSlow = isSlow(queue)
    queue.window = nextWindow(queue.window, !silent)
    if (isSlow(queue) === wasSlow) return
    this.#usedBySlow += wasSlow ? -queue.in_flight : queue.in_flight
    if (this.#due.delete(queue)) this.#addDue(queue)
  }

  /** Notes that the result of an attempt is written. */
  resultWritten(queue: WebhookQueue): void {
    queue.open -= 1
    if (!queue.claims_again) return
    queue.claims_again = false
    this.#addDue(queue)
  }

  #queueOf(program_id: number, webhook_uuid: Uuid): WebhookQueue {
    const known = this.#queues.get(webhook_uuid)
    if (known !== undefined) return known
    const queue = {
      program_id,
      webhook_uuid,
      window: windows.first,
      in_flight: 0,
      open: 0,
      claims_again: false,
      turn: 0,
    }
    this.#queues.set(webhook_uuid, queue)
    if (this.#queues.size > this.#most_queues) this.#dropIdle()
    return queue
  }

  /** Drops the oldest idle queues. Those that are left may all be at work: they are not looked at again for each new one. */
  #dropIdle(): void {
    for (const [webhook_uuid, queue] of this.#queues) {
      if (this.#queues.size <= max_queues * 0.9) break
      if (queue.open === 0 && queue.in_flight === 0 && !this.#due.has(queue)) this.#queues.delete(webhook_uuid)
    }
    this.#most_queues = Math.max(max_queues, this.#queues.size * 1.1)
  }

  #addDue(queue: WebhookQueue): void {
    this.#due.add(queue, isSlow(queue))
  }

  #use(queue: WebhookQueue, count: number): void {
    queue.in_flight += count
    this.#used += count
    if (isSlow(queue)) this.#usedBySlow += count
  }

  /** The slots that a queue may use now: none below half a window, so that a busy webhook is not claimed one by one. */
  #freeFor(queue: WebhookQueue, limit: number): number {
    const wanted = queue.window - queue.in_flight
    if (wanted * 2 < queue.window) return 0
    const free = this.#slots - this.#used
    const share = isSlow(queue) ? Math.min(free, this.#slow_slots - this.#usedBySlow) : free
    return Math.max(0, Math.min(wanted, share, limit))
  }
}

/** The receiver has not answered yet, or has been silent since. */
function isSlow(queue: WebhookQueue): boolean {
  return queue.window <= windows.first
}
