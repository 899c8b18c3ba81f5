import { nextWindow, windows } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'

/** The deliveries of one webhook, as one worker knows them. */
export interface WebhookQueue {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  /** How many attempts may run at once (`windows` in domain/delivery.ts). */
  window: number
  /** Running attempts and reserved slots. */
  in_flight: number
  /** Claimed deliveries whose results are not written yet. */
  open: number
  /** Claim again when the results of the open deliveries are written: more may be due then. */
  claims_again: boolean
}

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
  readonly #queues = new Map<Uuid, WebhookQueue>()
  readonly #due = new Set<WebhookQueue>()
  #used = 0
  #usedBySlow = 0
  /** With more queues than this, idle ones are dropped. */
  #most_queues = max_queues

  constructor({ slots }: { readonly slots: number }) {
    this.#slots = slots
  }

  /** Used and reserved slots. */
  get in_use(): number {
    return this.#used
  }

  /** Notes webhooks that may have due deliveries. */
  markDue(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    for (const webhook_uuid of webhook_uuids) this.#due.add(this.#queueOf(program_id, webhook_uuid))
  }

  /** Reserves slots for the next claim, of a program that `isFree`. Undefined if nothing is due or no slot is free. */
  nextClaim(isFree: (program_id: number) => boolean): Claim | undefined {
    const reservations: Reservation[] = []
    let limit = Math.min(max_claim, this.#slots - this.#used)
    // Most webhooks have little due. Reserving a whole window for each would let a claim reach few of many.
    const ready = Iterator.from(this.#due).reduce((count, queue) => count + Math.sign(this.#freeFor(queue, limit)), 0)
    const share = Math.max(1, Math.ceil(limit / Math.max(1, ready)))
    for (const queue of this.#due) {
      const program_id = reservations[0]?.queue.program_id
      if (program_id === undefined ? !isFree(queue.program_id) : program_id !== queue.program_id) continue
      const slots = this.#freeFor(queue, Math.min(share, limit))
      if (slots === 0) continue
      // Marking it due again puts it at the end of the set: webhooks take turns.
      this.#due.delete(queue)
      this.#use(queue, slots)
      limit -= slots
      reservations.push({ queue, webhook_uuid: queue.webhook_uuid, slots })
      if (limit <= 0) break
    }
    const [first] = reservations
    return first === undefined ? undefined : { program_id: first.queue.program_id, reservations }
  }

  /** Ends a reservation: the slots that the claim has not used are free again. */
  settle({ queue, slots }: Reservation, { count, full, followed }: ClaimResult): void {
    this.#use(queue, count - slots)
    if (full) this.#due.add(queue)
    else if (followed || queue.open > 0) queue.claims_again = true
    queue.open += count
  }

  /** Frees the slot of an attempt that has ended. @param silent the receiver has not answered */
  attemptEnded(queue: WebhookQueue, silent: boolean): void {
    this.#use(queue, -1)
    const wasSlow = isSlow(queue)
    queue.window = nextWindow(queue.window, !silent)
    if (isSlow(queue) !== wasSlow) this.#usedBySlow += wasSlow ? -queue.in_flight : queue.in_flight
  }

  /** Notes that the result of an attempt is written. */
  resultWritten(queue: WebhookQueue): void {
    queue.open -= 1
    if (!queue.claims_again) return
    queue.claims_again = false
    this.#due.add(queue)
  }

  #queueOf(program_id: number, webhook_uuid: Uuid): WebhookQueue {
    const known = this.#queues.get(webhook_uuid)
    if (known !== undefined) return known
    const queue = { program_id, webhook_uuid, window: windows.first, in_flight: 0, open: 0, claims_again: false }
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
    const share = isSlow(queue) ? Math.min(free, this.#slots / 2 - this.#usedBySlow) : free
    return Math.max(0, Math.min(wanted, share, limit))
  }
}

/** The receiver has not answered yet, or has been silent since. */
function isSlow(queue: WebhookQueue): boolean {
  return queue.window <= windows.first
}
