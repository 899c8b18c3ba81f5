import type { Database } from '../../../db/pool.ts'
import { countNow } from '../../activity/count-now.ts'
import { addProgramWebhooks, type SandboxReceiver } from './add-webhooks.ts'
import { planBetween, runBetween } from './between-steps.ts'
import {
  createDemoPrograms,
  type DemoCreation,
  type DemoPrograms,
  findDemoPrograms,
  openShops,
  readSeededOrders,
  recordCompletion,
  withProgramLock,
} from './demo-programs.ts'
import { planYear } from './plan.ts'
import { runStep, type YearWorker } from './run-step.ts'
import { runSteps } from './run-steps.ts'
import { yearPrograms } from './shops.ts'
import { makesOrder, type YearOptions, type YearStep } from './steps.ts'
import { sumProgram } from './year-queries.ts'

/** A sample year: two programs with their shops, customers, orders and settlements, through the services that the API calls. */

export interface YearParts extends DemoCreation {
  readonly db: Database
  /** Holds the lock that keeps other runs out. Not the pool of the work: it is held for minutes. */
  readonly lock_db: Database
  /** Each takes one step at a time. */
  readonly workers: readonly YearWorker[]
  /** Null where deliveries cannot reach the sandbox: then there are no webhooks. */
  readonly receiver: SandboxReceiver | null
  /** For how long the deployment keeps events. */
  readonly retention_days: number
}

export interface YearCalls {
  /** Ends the run early. Another run goes on from there. */
  readonly signal: AbortSignal
  /** The year is about to be written, or the rest of it. */
  readonly onBegin: (begun: BegunYear) => void
  readonly onStep: (done: { readonly steps: number; readonly orders: number }) => void
}

export interface BegunYear {
  readonly options: YearOptions
  /** An earlier run began it. */
  readonly found: boolean
  readonly steps: number
  /** The orders that earlier runs have written. */
  readonly orders: number
}

export interface FilledYear {
  /** `there`: an earlier run has written all of it. */
  readonly kind: 'filled' | 'there' | 'interrupted'
  readonly options: YearOptions
  readonly programs: number
  readonly merchants: number
  readonly customers: number
  readonly orders: number
  readonly points_issued: number
  readonly points_redeemed: number
}

/**
 * Writes a year, or the rest of one that an earlier run began, whatever this one asks for: each step is taken once. A process
 * killed in the middle of a checkout leaves that one unpaid.
 */
export async function fillYear(parts: YearParts, asked: YearOptions, calls: YearCalls): Promise<FilledYear> {
  const { db, lock_db, now } = parts
  const found = await findDemoPrograms(db)
  if (found?.complete === true) return summary(db, found, 'there')
  const demo = found ?? (await createDemoPrograms(db, asked, parts))
  const shops = await openShops(db, demo, now)
  const { receiver, by } = parts
  if (receiver !== null) await addProgramWebhooks(db, { receiver, shops, by })
  return withProgramLock(lock_db, demo, async () => {
    const state = await findDemoPrograms(db)
    if (state?.complete === true) return summary(db, demo, 'there')
    const steps = planYear(demo.options)
    const context = { shops, orders: await readSeededOrders(db, demo) }
    calls.onBegin({
      ...{ options: demo.options, found: found !== null },
      ...{ steps: steps.length, orders: context.orders.size },
    })
    const onStep = counted(calls.onStep)
    const all = await runBetween(steps, planBetween(parts, demo, { context, steps }), (some) =>
      runSteps(parts.workers, some, {
        signal: calls.signal,
        run: (worker, step) => runStep(context, worker, step),
        onStep,
      }),
    )
    if (all) {
      // Otherwise pages would show none of it for a minute.
      await countNow(parts, demo.program_ids)
      await recordCompletion(db, demo, by)
    }
    return summary(db, demo, all ? 'filled' : 'interrupted')
  })
}

function counted(onStep: YearCalls['onStep']): (step: YearStep) => void {
  const done = { steps: 0, orders: 0 }
  return (step) => {
    done.steps += 1
    if (makesOrder(step)) done.orders += 1
    onStep(done)
  }
}

async function summary(
  db: Database,
  { program_ids, options }: DemoPrograms,
  kind: FilledYear['kind'],
): Promise<FilledYear> {
  const sums = { customers: 0, orders: 0, points_issued: 0, points_redeemed: 0 }
  for (const program_id of program_ids) {
    const { customers = 0, orders = 0, issued = 0, redeemed = 0 } = (await db.one(sumProgram(program_id))) ?? {}
    sums.customers += customers
    sums.orders += orders
    sums.points_issued += issued
    sums.points_redeemed += redeemed
  }
  const merchants = yearPrograms.reduce((sum, { shops }) => sum + shops.length, 0)
  return { kind, options, programs: program_ids.length, merchants, ...sums }
}
