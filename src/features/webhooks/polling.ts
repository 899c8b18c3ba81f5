import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/pool.ts'
import { longestWait_ms } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { findDue, findPrograms, repairTimes } from './delivery-queries.ts'

const repair_every_ms = 60_000
const pause_in_trouble_ms = 1_000

export interface PollingParts {
  readonly db: Database
  readonly poll_ms: number
  readonly lease_ms: number
  readonly retry_delays_s: readonly number[]
  readonly now: () => number
  readonly warn: (error: unknown, text: string) => void
  readonly found: (program_id: number, webhook_uuids: readonly Uuid[]) => void
}

export interface Polling {
  stop(): Promise<void>
}

/** Polls for due deliveries: those of other processes, and those to be tried again. */
export function startPolling(parts: PollingParts): Polling {
  const stopping = new AbortController()
  const polling = poll(parts, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await polling
    },
  }
}

async function poll(parts: PollingParts, signal: AbortSignal): Promise<void> {
  let well = true
  let repaired_ms = parts.now()
  while (!signal.aborted) {
    try {
      // Repair at once if the clock was set back.
      const due = Math.abs(parts.now() - repaired_ms) >= repair_every_ms
      if (due) repaired_ms = parts.now()
      await look(parts, due)
      well = true
    } catch (error) {
      if (well) parts.warn(error, 'the queue of deliveries could not be read and is tried again')
      well = false
    }
    const pause_ms = well ? parts.poll_ms : Math.max(parts.poll_ms, pause_in_trouble_ms)
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined)
  }
}

async function look(parts: PollingParts, repairs: boolean): Promise<void> {
  const { db, lease_ms, retry_delays_s, now, found } = parts
  const at_ms = now()
  const limits = {
    now: new Date(at_ms),
    latest_due: new Date(at_ms + longestWait_ms(retry_delays_s)),
    latest_lease: new Date(at_ms + lease_ms),
  }
  for (const { program_id } of await db.run(findPrograms())) {
    if (repairs) await db.run(repairTimes(program_id, limits))
    const due = await db.run(findDue(program_id, limits.now))
    const webhooks = due.map(({ webhook_uuid }) => webhook_uuid)
    if (webhooks.length > 0) found(program_id, webhooks)
  }
}
