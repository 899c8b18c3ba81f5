import type { Database } from '../../../db/pool.ts'
import { perform, type YearWorker } from './perform.ts'
import { planYear } from './plan.ts'
import { runSteps } from './run.ts'
import { yearPrograms } from './shops.ts'
import { makesOrder, type Recipe, type YearStep } from './steps.ts'
import {
  completeWorld,
  findWorld,
  makeWorld,
  openShops,
  readKnown,
  type World,
  type WorldPlace,
  whileAloneIn,
} from './world.ts'
import { sumProgram } from './year-queries.ts'

/** A sample year: two programs with their shops, customers and orders, through the services that the API calls. */

export interface YearParts extends WorldPlace {
  readonly db: Database
  /** Holds the lock that keeps other runs out. Not the pool of the work: it is held for minutes. */
  readonly lock_db: Database
  /** Each takes one step at a time. */
  readonly workers: readonly YearWorker[]
}

export interface YearCalls {
  /** Ends the run early. Another run goes on from there. */
  readonly signal: AbortSignal
  /** The year is about to be written, or the rest of it. */
  readonly onBegin: (begun: BegunYear) => void
  readonly onStep: (done: { readonly steps: number; readonly orders: number }) => void
}

export interface BegunYear {
  readonly recipe: Recipe
  /** An earlier run began it. */
  readonly found: boolean
  readonly steps: number
  /** The orders that earlier runs have written. */
  readonly orders: number
}

export interface FilledYear {
  /** `there`: an earlier run has written all of it. */
  readonly kind: 'filled' | 'there' | 'interrupted'
  readonly recipe: Recipe
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
export async function fillYear(parts: YearParts, asked: Recipe, calls: YearCalls): Promise<FilledYear> {
  const { db, lock_db, now } = parts
  const found = await findWorld(db)
  if (found?.complete === true) return summary(db, found, 'there')
  const world = found ?? (await makeWorld(db, asked, parts))
  const shops = await openShops(db, world, now)
  return whileAloneIn(lock_db, world, async () => {
    const state = await findWorld(db)
    if (state?.complete === true) return summary(db, world, 'there')
    const steps = planYear(world.recipe)
    const scene = { shops, known: await readKnown(db, world) }
    calls.onBegin({
      ...{ recipe: world.recipe, found: found !== null },
      ...{ steps: steps.length, orders: scene.known.size },
    })
    const onStep = counted(calls.onStep)
    const all = await runSteps(parts.workers, steps, {
      signal: calls.signal,
      take: (worker, step) => perform(scene, worker, step),
      onStep,
    })
    if (all) await completeWorld(db, world, parts.by)
    return summary(db, world, all ? 'filled' : 'interrupted')
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

async function summary(db: Database, { program_ids, recipe }: World, kind: FilledYear['kind']): Promise<FilledYear> {
  const sums = { customers: 0, orders: 0, points_issued: 0, points_redeemed: 0 }
  for (const program_id of program_ids) {
    const { customers = 0, orders = 0, issued = 0, redeemed = 0 } = (await db.one(sumProgram(program_id))) ?? {}
    sums.customers += customers
    sums.orders += orders
    sums.points_issued += issued
    sums.points_redeemed += redeemed
  }
  const merchants = yearPrograms.reduce((sum, { shops }) => sum + shops.length, 0)
  return { kind, recipe, programs: program_ids.length, merchants, ...sums }
}
