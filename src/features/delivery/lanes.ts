import { nextWindow, windows } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'

/** What a worker knows of one webhook's deliveries. */
export interface Lane {
  readonly program_id: number
  readonly webhook_uuid: Uuid
  /** How many may be under way at once (domain, "windows"). */
  window: number
  /** Attempts under way. */
  in_flight: number
  /** Taken from the queue, and their results not yet written. */
  open: number
  /** Something may become due when what is open has been written. */
  again: boolean
}

/** A program's lanes that can take deliveries, and how many each. */
export interface Claim {
  readonly program_id: number
  readonly lanes: readonly { readonly lane: Lane; readonly webhook_uuid: Uuid; readonly room: number }[]
}

const claim_limit = 256
/** Lanes whose windows are remembered though nothing is under way. */
const remembered = 20_000

export interface Lanes {
  /** Notes that webhooks may have something due. */
  want(program_id: number, webhook_uuids: Iterable<Uuid>): void
  /** The next claim of a program for which `isFree`; undefined when nothing is wanted or no slot is free. */
  next(isFree: (program_id: number) => boolean): Claim | undefined
  /** After a claim: how many attempts of the lane begin, and whether more may be due, now or after one of them. */
  taken(lane: Lane, share: { readonly count: number; readonly followed: boolean; readonly full: boolean }): void
  /** After an attempt: its slot is free again. */
  answered(lane: Lane, silent: boolean): void
  /** After its result has been written. */
  written(lane: Lane): void
  readonly in_flight: number
}

/**
 * The slots of one worker, shared between webhooks. A receiver that has not answered yet, or not lately, is slow: all slow
 * ones together get half of the slots at most, so that any number of hanging receivers leaves the other half to the others.
 */
export function createLanes({ slots }: { readonly slots: number }): Lanes {
  const lanes = new Map<Uuid, Lane>()
  const wanted = new Set<Lane>()
  let in_flight = 0
  let slow_in_flight = 0

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
      if (lane.open > 0 || wanted.has(lane)) continue
      lanes.delete(webhook_uuid)
      if (lanes.size <= remembered * 0.9) return
    }
  }

  function want(lane: Lane): void {
    wanted.add(lane)
  }

  /** Half a window at least, so that a busy lane is not claimed one by one. */
  function roomOf(lane: Lane, free: number): number {
    const room = lane.window - lane.in_flight
    if (room * 2 < lane.window) return 0
    return Math.min(room, isSlow(lane) ? Math.min(free, slots / 2 - slow_in_flight) : free)
  }

  return {
    want(program_id, webhook_uuids) {
      for (const webhook_uuid of webhook_uuids) want(laneOf(program_id, webhook_uuid))
    },
    next(isFree) {
      const found: { lane: Lane; webhook_uuid: Uuid; room: number }[] = []
      let free = Math.min(slots - in_flight, claim_limit)
      for (const lane of wanted) {
        if (free <= 0) break
        const program_id = found[0]?.lane.program_id
        if (program_id === undefined ? !isFree(lane.program_id) : program_id !== lane.program_id) continue
        const room = roomOf(lane, free)
        if (room <= 0) continue
        // It stands at the end of the line when it is wanted again: lanes take turns.
        wanted.delete(lane)
        free -= room
        found.push({ lane, webhook_uuid: lane.webhook_uuid, room })
      }
      const [first] = found
      return first === undefined ? undefined : { program_id: first.lane.program_id, lanes: found }
    },
    taken(lane, { count, followed, full }) {
      if (full) want(lane)
      else if (followed || lane.open > 0) lane.again = true
      lane.in_flight += count
      lane.open += count
      in_flight += count
      if (isSlow(lane)) slow_in_flight += count
    },
    answered(lane, silent) {
      if (isSlow(lane)) slow_in_flight -= 1
      lane.in_flight -= 1
      in_flight -= 1
      const was = isSlow(lane)
      lane.window = nextWindow(lane.window, !silent)
      if (isSlow(lane) !== was) slow_in_flight += was ? -lane.in_flight : lane.in_flight
    },
    written(lane) {
      lane.open -= 1
      if (!lane.again) return
      lane.again = false
      want(lane)
    },
    get in_flight() {
      return in_flight
    },
  }
}

/** Nothing has been heard of it yet, or it has been silent and not made up for it. */
function isSlow(lane: Lane): boolean {
  return lane.window <= windows.first
}
