import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/pool.ts'
import { longestWait_ms } from '../../domain/delivery.ts'
import type { Uuid } from '../../domain/ids.ts'
import { findDue, findPrograms, straighten } from './delivery-queries.ts'

const straighten_every_ms = 60_000
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

/** Looks for what is due, again and again: what other processes have committed, what is to be tried again. */
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
  let straightened_ms = parts.now()
  while (!signal.aborted) {
    try {
      // A clock that went back is one more reason to.
      const due = Math.abs(parts.now() - straightened_ms) >= straighten_every_ms
      if (due) straightened_ms = parts.now()
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

async function look(parts: PollingParts, straightens: boolean): Promise<void> {
  const { db, lease_ms, retry_delays_s, now, found } = parts
  const at_ms = now()
  const limits = {
    now: new Date(at_ms),
    latest_due: new Date(at_ms + longestWait_ms(retry_delays_s)),
    latest_lease: new Date(at_ms + lease_ms),
  }
  for (const { program_id } of await db.run(findPrograms())) {
    if (straightens) await db.run(straighten(program_id, limits))
    const due = await db.run(findDue(program_id, limits.now))
    const webhooks = due.map(({ webhook_uuid }) => webhook_uuid)
    if (webhooks.length > 0) found(program_id, webhooks)
  }
}
