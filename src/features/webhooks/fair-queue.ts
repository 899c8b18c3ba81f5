import { nextWindow, windows } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'

/** What a worker knows of one webhook's deliveries. */
export interface Lane {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  /** How many may be under way at once (domain, "windows"). */
  window: number
  /** Attempts under way, and slots kept for a claim. */
  in_flight: number
  /** Taken from the queue, and their results not yet written. */
  open: number
  /** Something may become due when what is open has been written. */
  again: boolean
}

/** What a program's lanes have room for. */
export interface Claim {
  readonly program_id: number
  readonly lanes: readonly Room[]
}

export interface Room {
  readonly lane: Lane
  readonly webhook_uuid: Uuid
  /** Slots that are kept for it until `taken` says how many it needs. */
  readonly room: number
}

/** What a claim gave of a lane. */
export interface Yield {
  /** Attempts that begin. */
  readonly count: number
  /** As much as there was room for: there may be more. */
  readonly full: boolean
  /** Later deliveries wait for one of them. */
  readonly followed: boolean
}

export const nothing: Yield = { count: 0, full: false, followed: false }

const claim_limit = 256
/** Lanes whose windows are remembered though nothing is under way. */
const remembered = 20_000

/**
 * The slots of one worker, shared between webhooks. A receiver that has not answered yet, or not lately, is slow: all slow
 * ones together get half of the slots at most, so that any number of hanging receivers leaves the other half to the others.
 */
export class Lanes {
  readonly #slots: number
  readonly #lanes = new Map<Uuid, Lane>()
  readonly #wanted = new Set<Lane>()
  #used = 0
  #usedBySlow = 0

  constructor({ slots }: { readonly slots: number }) {
    this.#slots = slots
  }

  /** Slots that are taken, or kept for a claim. */
  get in_use(): number {
    return this.#used
  }

  /** Notes that webhooks may have something due. */
  want(program_id: number, webhook_uuids: Iterable<Uuid>): void {
    for (const webhook_uuid of webhook_uuids) this.#wanted.add(this.#laneOf(program_id, webhook_uuid))
  }

  /** The next claim, of a program for which `isFree`; undefined when nothing is wanted or no slot is free. */
  next(isFree: (program_id: number) => boolean): Claim | undefined {
    const found: Room[] = []
    let limit = Math.min(claim_limit, this.#slots - this.#used)
    // Most have little due: a claim that kept a whole window for each would reach few of many.
    const able = Iterator.from(this.#wanted).reduce((count, lane) => count + Math.sign(this.#roomOf(lane, limit)), 0)
    const share = Math.max(1, Math.ceil(limit / Math.max(1, able)))
    for (const lane of this.#wanted) {
      const program_id = found[0]?.lane.program_id
      if (program_id === undefined ? !isFree(lane.program_id) : program_id !== lane.program_id) continue
      const room = this.#roomOf(lane, Math.min(share, limit))
      if (room === 0) continue
      // It stands at the end of the line when it is wanted again: lanes take turns.
      this.#wanted.delete(lane)
      this.#use(lane, room)
      limit -= room
      found.push({ lane, webhook_uuid: lane.webhook_uuid, room })
      if (limit <= 0) break
    }
    const [first] = found
    return first === undefined ? undefined : { program_id: first.lane.program_id, lanes: found }
  }

  /** After the claim. */
  taken({ lane, room }: Room, { count, full, followed }: Yield): void {
    this.#use(lane, count - room)
    if (full) this.#wanted.add(lane)
    else if (followed || lane.open > 0) lane.again = true
    lane.open += count
  }

  /** After an attempt: its slot is free again. */
  answered(lane: Lane, silent: boolean): void {
    this.#use(lane, -1)
    const wasSlow = isSlow(lane)
    lane.window = nextWindow(lane.window, !silent)
    if (isSlow(lane) !== wasSlow) this.#usedBySlow += wasSlow ? -lane.in_flight : lane.in_flight
  }

  /** After its result has been written. */
  written(lane: Lane): void {
    lane.open -= 1
    if (!lane.again) return
    lane.again = false
    this.#wanted.add(lane)
  }

  #laneOf(program_id: number, webhook_uuid: Uuid): Lane {
    const known = this.#lanes.get(webhook_uuid)
    if (known !== undefined) return known
    const lane = { program_id, webhook_uuid, window: windows.first, in_flight: 0, open: 0, again: false }
    this.#lanes.set(webhook_uuid, lane)
    if (this.#lanes.size > remembered) this.#forget()
    return lane
  }

  /** The longest known that nothing depends on. */
  #forget(): void {
    for (const [webhook_uuid, lane] of this.#lanes) {
      if (lane.open > 0 || lane.in_flight > 0 || this.#wanted.has(lane)) continue
      this.#lanes.delete(webhook_uuid)
      if (this.#lanes.size <= remembered * 0.9) return
    }
  }

  #use(lane: Lane, count: number): void {
    lane.in_flight += count
    this.#used += count
    if (isSlow(lane)) this.#usedBySlow += count
  }

  /** Half a window at least, so that a busy lane is not claimed one by one. */
  #roomOf(lane: Lane, limit: number): number {
    const room = lane.window - lane.in_flight
    if (room * 2 < lane.window) return 0
    const free = this.#slots - this.#used
    const share = isSlow(lane) ? Math.min(free, this.#slots / 2 - this.#usedBySlow) : free
    return Math.max(0, Math.min(room, share, limit))
  }
}

/** Nothing has been heard of it yet, or it has been silent and not made up for it. */
function isSlow(lane: Lane): boolean {
  return lane.window <= windows.first
}
