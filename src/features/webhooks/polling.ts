import type { Database } from '../../db/pool.ts'
import { longestWait_ms } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { isRepairDue, latestEnd } from '../../lib/clock.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import {
  dueSettings,
  findDue,
  findPrograms,
  most_webhooks,
  repairTimes,
  type WaitingWebhook,
} from './delivery-queries.ts'

const pause_in_trouble_ms = 1_000

export interface PollingParts {
  readonly db: Database
  readonly poll_ms: number
  /** The longest lease that any worker takes. */
  readonly longest_lease_ms: number
  readonly retry_delays_s: readonly number[]
  readonly now: () => number
  readonly warn: (error: unknown, text: string) => void
  readonly found: (program_id: number, webhook_uuids: readonly Uuid[]) => void
}

/**
 * Looks again and again for due deliveries: those of other processes, and those to be tried again.
 * @returns a function that stops it
 */
export function startPolling(parts: PollingParts): () => Promise<void> {
  let repaired_ms = parts.now()
  /** The last webhook of a turn that has not seen all of its program, by program. */
  const places = new Map<number, Uuid>()
  return startWorkerLoop({
    async work() {
      const due = isRepairDue(repaired_ms, parts.now())
      if (due) repaired_ms = parts.now()
      await look(parts, due, places)
    },
    pause_ms: parts.poll_ms,
    failure_pause_ms: Math.max(parts.poll_ms, pause_in_trouble_ms),
    onFailure: (error) => parts.warn(error, 'the queue of deliveries could not be read and is tried again'),
  })
}

async function look(parts: PollingParts, repairs: boolean, places: Map<number, Uuid>): Promise<void> {
  const { db, longest_lease_ms, retry_delays_s, now, found } = parts
  const at_ms = now()
  const limits = {
    now: new Date(at_ms),
    latest_due: latestEnd(at_ms, longestWait_ms(retry_delays_s)),
    latest_lease: latestEnd(at_ms, longest_lease_ms),
  }
  for (const { program_id } of await db.run(findPrograms())) {
    if (repairs) await db.run(repairTimes(program_id, limits))
    const after = places.get(program_id)
    const waiting = await db.transaction((tx) => tx.run(findDue(program_id, limits.now, after)), {
      settings: dueSettings,
    })
    const place = placeAfter(waiting)
    if (place === undefined) places.delete(program_id)
    else places.set(program_id, place)
    const due = waiting.flatMap(({ webhook_uuid, is_due }) => (is_due ? [webhook_uuid] : []))
    if (due.length > 0) found(program_id, due)
  }
}

/** Where the next turn goes on; undefined if this one has seen the rest of the program. */
function placeAfter(waiting: readonly WaitingWebhook[]): Uuid | undefined {
  if (waiting.length < most_webhooks) return undefined
  const uuids = waiting.map(({ webhook_uuid }) => webhook_uuid)
  return uuids.sort().at(-1)
}
