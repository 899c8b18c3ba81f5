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
  /** Its place among the queues that are due: the lowest is next. */
  turn: number
}

/** The queues of one program that may have something due, the one that has waited longest first. */
export interface DueOfProgram {
  readonly program_id: number
  readonly slow: Set<WebhookQueue>
  readonly others: Set<WebhookQueue>
}

/**
 * Queues that may have something due, in turns. Those that may get no slot for now, such as all slow ones, are passed over
 * together: an outage makes 100,000 due at once, and each attempt that ends asks for the next ones.
 */
export class DueQueues {
  readonly #programs = new Map<number, DueOfProgram>()
  #turns = 0

  /** Those of each program. */
  get programs(): Iterable<DueOfProgram> {
    return this.#programs.values()
  }

  has(queue: WebhookQueue): boolean {
    const due = this.#programs.get(queue.program_id)
    return due !== undefined && (due.slow.has(queue) || due.others.has(queue))
  }

  /** Puts a queue behind all others, if it is not there yet. */
  add(queue: WebhookQueue, slow: boolean): void {
    if (this.has(queue)) return
    const { program_id } = queue
    const due = this.#programs.get(program_id) ?? { program_id, slow: new Set(), others: new Set() }
    this.#programs.set(program_id, due)
    queue.turn = ++this.#turns
    due[slow ? 'slow' : 'others'].add(queue)
  }

  /** Gives whether it was there. */
  delete(queue: WebhookQueue): boolean {
    const due = this.#programs.get(queue.program_id)
    if (due === undefined) return false
    const found = due.slow.delete(queue) || due.others.delete(queue)
    if (due.slow.size === 0 && due.others.size === 0) this.#programs.delete(queue.program_id)
    return found
  }
}

/** Gives the queues of a program in turn, slow ones only while `slowMay`. */
export function* inTurn({ slow, others }: DueOfProgram, slowMay: () => boolean): Generator<WebhookQueue> {
  const [slow_ones, other_ones] = [slow.values(), others.values()]
  let [next_slow, next_other] = [slow_ones.next(), other_ones.next()]
  for (;;) {
    const first = next_slow.done !== true && slowMay() ? next_slow.value : undefined
    if (first !== undefined && (next_other.done === true || first.turn < next_other.value.turn)) {
      yield first
      next_slow = slow_ones.next()
    } else if (next_other.done !== true) {
      yield next_other.value
      next_other = other_ones.next()
    } else return
  }
}
