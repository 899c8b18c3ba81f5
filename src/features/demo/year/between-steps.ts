import type { Database } from '../../../db/pool.ts'
import type { Actor } from '../../../domain/audit.ts'
import { riyadh_ms } from '../../../domain/day.ts'
import { day_ms, hour_ms } from '../../../domain/spans.ts'
import { listPrograms } from '../../merchants/programs.ts'
import { settlingProgramOf } from '../../settlement/program.ts'
import { closeSettlements } from '../../settlement/service.ts'
import { addShopWebhooks, type SandboxReceiver } from './add-webhooks.ts'
import type { DemoPrograms } from './demo-programs.ts'
import { planDisputes } from './dispute-orders.ts'
import { yearStart } from './plan.ts'
import type { RunContext } from './run-step.ts'
import type { BetweenSteps, YearOptions, YearStep } from './steps.ts'

interface Parts {
  readonly db: Database
  readonly by: Actor
  /** Null where deliveries cannot reach the sandbox: then there are no webhooks. */
  readonly receiver: SandboxReceiver | null
}

/** Webhooks of shops are as old: the deliveries of a whole year would be too many. */
const webhooks_for_ms = 30 * day_ms

/** The settlements, disputes and webhooks of a year, in the order of their times. */
export function planBetween(
  { db, by, receiver }: Parts,
  { options, program_ids }: DemoPrograms,
  { context, steps }: { readonly context: RunContext; readonly steps: readonly YearStep[] },
): readonly BetweenSteps[] {
  const { shops } = context
  const settlements = monthEnds(options).map((month) => {
    return { at_ms: month.at_ms, run: () => settleMonth(db, program_ids, month, by) }
  })
  const disputes = planDisputes({ db, by }, context, { options, steps })
  const at_ms = options.until_ms - webhooks_for_ms
  const webhooks = (to: SandboxReceiver): BetweenSteps => {
    return { at_ms, run: () => addShopWebhooks(db, { receiver: to, shops, now: new Date(at_ms), by }) }
  }
  const all = [...settlements, ...disputes, ...(receiver === null ? [] : [webhooks(receiver)])]
  return all.sort((one, other) => one.at_ms - other.at_ms)
}

/** Runs steps, and between them what is due. @returns whether all was run */
export async function runBetween(
  steps: readonly YearStep[],
  between: readonly BetweenSteps[],
  runSome: (steps: readonly YearStep[]) => Promise<boolean>,
): Promise<boolean> {
  let from = 0
  for (const { at_ms, run } of between) {
    const until = from + steps.slice(from).filter((step) => step.at_ms < at_ms).length
    if (!(await runSome(steps.slice(from, until)))) return false
    await run()
    from = until
  }
  return runSome(steps.slice(from))
}

/** A month that the operator settles. */
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
async function settleMonth(
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
