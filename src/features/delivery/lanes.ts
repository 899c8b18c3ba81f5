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

export interface Lanes {
  /** Notes that webhooks may have something due. */
  want(program_id: number, webhook_uuids: Iterable<Uuid>): void
  /** The next claim, of a program for which `isFree`; undefined when nothing is wanted or no slot is free. */
  next(isFree: (program_id: number) => boolean): Claim | undefined
  /** After the claim. */
  taken(room: Room, given: Yield): void
  /** After an attempt: its slot is free again. */
  answered(lane: Lane, silent: boolean): void
  /** After its result has been written. */
  written(lane: Lane): void
  /** Slots that are taken, or kept for a claim. */
  readonly in_use: number
}

/**
 * The slots of one worker, shared between webhooks. A receiver that has not answered yet, or not lately, is slow: all slow
 * ones together get half of the slots at most, so that any number of hanging receivers leaves the other half to the others.
 */
export function createLanes({ slots }: { readonly slots: number }): Lanes {
  const lanes = new Map<Uuid, Lane>()
  const wanted = new Set<Lane>()
  const used = { all: 0, slow: 0 }

  function laneOf(program_id: number, webhook_uuid: Uuid): Lane {
    const known = lanes.get(webhook_uuid)
    if (known !== undefined) return known
    const lane = { program_id, webhook_uuid, window: windows.first, in_flight: 0, open: 0, again: false }
    lanes.set(webhook_uuid, lane)
    if (lanes.size > remembered) forget()
    return lane
  }

  /** The longest known that nothing depends on. */
  function forget(): void {
    for (const [webhook_uuid, lane] of lanes) {
      if (lane.open > 0 || lane.in_flight > 0 || wanted.has(lane)) continue
      lanes.delete(webhook_uuid)
      if (lanes.size <= remembered * 0.9) return
    }
  }

  function use(lane: Lane, count: number): void {
    lane.in_flight += count
    used.all += count
    if (isSlow(lane)) used.slow += count
  }

  /** Half a window at least, so that a busy lane is not claimed one by one. */
  function roomOf(lane: Lane, limit: number): number {
    const room = lane.window - lane.in_flight
    if (room * 2 < lane.window) return 0
    const free = isSlow(lane) ? Math.min(slots - used.all, slots / 2 - used.slow) : slots - used.all
    return Math.max(0, Math.min(room, free, limit))
  }

  return {
    want(program_id, webhook_uuids) {
      for (const webhook_uuid of webhook_uuids) wanted.add(laneOf(program_id, webhook_uuid))
    },
    next(isFree) {
      const found: Room[] = []
      let limit = claim_limit
      for (const lane of wanted) {
        const program_id = found[0]?.lane.program_id
        if (program_id === undefined ? !isFree(lane.program_id) : program_id !== lane.program_id) continue
        const room = roomOf(lane, limit)
        if (room === 0) continue
        // It stands at the end of the line when it is wanted again: lanes take turns.
        wanted.delete(lane)
        use(lane, room)
        limit -= room
        found.push({ lane, webhook_uuid: lane.webhook_uuid, room })
        if (limit === 0) break
      }
      const [first] = found
      return first === undefined ? undefined : { program_id: first.lane.program_id, lanes: found }
    },
    taken({ lane, room }, { count, full, followed }) {
      use(lane, count - room)
      if (full) wanted.add(lane)
      else if (followed || lane.open > 0) lane.again = true
      lane.open += count
    },
    answered(lane, silent) {
      use(lane, -1)
      const wasSlow = isSlow(lane)
      lane.window = nextWindow(lane.window, !silent)
      if (isSlow(lane) !== wasSlow) used.slow += wasSlow ? -lane.in_flight : lane.in_flight
    },
    written(lane) {
      lane.open -= 1
      if (!lane.again) return
      lane.again = false
      wanted.add(lane)
    },
    get in_use() {
      return used.all
    },
  }
}

/** Nothing has been heard of it yet, or it has been silent and not made up for it. */
function isSlow(lane: Lane): boolean {
  return lane.window <= windows.first
}
