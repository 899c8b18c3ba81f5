import type { Database } from '../../../db/pool.ts'
import type { Actor } from '../../../domain/audit.ts'
import { day_ms } from '../../../domain/spans.ts'
import { addShopWebhooks, type SandboxReceiver } from './add-webhooks.ts'
import type { DemoPrograms } from './demo-programs.ts'
import { planDisputes } from './dispute-orders.ts'
import type { RunContext } from './run-step.ts'
import { monthEnds, settleMonth } from './settle-months.ts'
import type { BetweenSteps, YearStep } from './steps.ts'

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
