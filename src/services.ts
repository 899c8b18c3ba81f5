import type { Clock } from './clock.ts'
import type { Database } from './db/pool.ts'
import { createEarn } from './features/earning/story.ts'
import { createReadOrder } from './features/orders/story.ts'
import type { Services } from './http/routes.ts'

/** What the stories need besides a database. */
export interface ServiceParts {
  readonly clock: Clock
  readonly lock_window_s: number
  /** Observers of batch sizes, by the kind of batch. */
  readonly batches?: (kind: string) => (size: number) => void
}

/** Makes what the handlers of all routes need: one for each process, and for each server of a test. */
export function createServices(db: Database, { clock, lock_window_s, batches }: ServiceParts): Services {
  const observe = batches === undefined ? {} : { observe: batches('earning') }
  return {
    clock,
    earn: createEarn({ db, clock, lock_window_s, ...observe }),
    readOrder: createReadOrder(db),
  }
}
