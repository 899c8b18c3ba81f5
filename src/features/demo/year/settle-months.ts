import type { Database } from '../../../db/pool.ts'
import type { Actor } from '../../../domain/audit.ts'
import { riyadh_ms } from '../../../domain/day.ts'
import { day_ms, hour_ms } from '../../../domain/spans.ts'
import { listPrograms } from '../../merchants/programs.ts'
import { settlingProgramOf } from '../../settlement/program.ts'
import { closeSettlements } from '../../settlement/service.ts'
import { yearStart } from './plan.ts'
import type { YearOptions } from './steps.ts'

/** The months that the operator settles. */

export interface MonthEnd {
  /** The end of the month in Riyadh, which is not in it. */
  readonly until: Date
  /** When the operator closes the month. */
  readonly at_ms: number
}

/** On the 21st, at 9: by then shops have refunded what customers returned of the month before. */
const closes_after_ms = 20 * day_ms + 9 * hour_ms

/** A few days at the beginning are settled with the month after them. */
const shortest_ms = 7 * day_ms

/** The ends of the months that a year settles, the earliest first. */
export function monthEnds(options: YearOptions): readonly MonthEnd[] {
  const first = new Date(yearStart(options) + shortest_ms + riyadh_ms)
  const ends: MonthEnd[] = []
  for (let month = first.getUTCMonth() + 1; ; month++) {
    const until = new Date(Date.UTC(first.getUTCFullYear(), month) - riyadh_ms)
    const at_ms = until.getTime() + closes_after_ms
    if (at_ms >= options.until_ms) return ends
    ends.push({ until, at_ms })
  }
}

/** Closes a month of all shops as an operator does; nothing where an earlier run, or somebody, has closed it. */
export async function settleMonth(
  db: Database,
  program_ids: readonly number[],
  { until, at_ms }: MonthEnd,
  by: Actor,
): Promise<void> {
  for (const row of await listPrograms(db)) {
    // Somebody may have set meanwhile that two people close.
    if (!program_ids.includes(row.program_id) || row.two_person_settlements) continue
    const program = await settlingProgramOf(db, row)
    await closeSettlements(db, { program, until, now: new Date(at_ms), by })
  }
}
