import type { YearWorker } from './run-step.ts'
import type { YearStep } from './steps.ts'

export interface RunOptions {
  /** Ends the run after the steps that are under way. */
  readonly signal: AbortSignal
  readonly run: (worker: YearWorker, step: YearStep) => Promise<void>
  /** Called after each step. */
  readonly onStep: (step: YearStep) => void
}

/**
 * Runs steps by several workers at once. Steps of one customer, and earnings of one shop, follow each other in the order
 * of their times, so that every run of the same steps comes to the same.
 * @returns whether all steps were run
 */
export async function runSteps(
  workers: readonly YearWorker[],
  steps: readonly YearStep[],
  { signal, run, onStep }: RunOptions,
): Promise<boolean> {
  const last = new Map<string, Promise<void>>()
  const rest = steps.values()
  let failed = false
  let done = 0
  const work = workers.map(async (worker) => {
    for (const step of rest) {
      if (signal.aborted || failed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = keysOf(step).map((key) => {
        const earlier = last.get(key)
        last.set(key, promise)
        return earlier
      })
      await Promise.all(before)
      try {
        await run(worker, step)
      } catch (error) {
        failed = true
        throw error
      } finally {
        for (const key of keysOf(step)) if (last.get(key) === promise) last.delete(key)
        resolve()
      }
      done += 1
      onStep(step)
    }
  })
  const results = await Promise.allSettled(work)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return done === steps.length
}

function keysOf(step: YearStep): string[] {
  const { program, phone } = step.who
  const customer = `${program} ${phone}`
  return step.does === 'buy' || step.does === 'rate' ? [customer, `${program} shop ${step.shop}`] : [customer]
}
