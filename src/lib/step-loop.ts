import { setTimeout as sleep } from 'node:timers/promises'
import { Failures } from './errors.ts'
import { startWorkerLoop, type WorkerLoop } from './worker-loop.ts'

/** Work on programs that any number of workers do in short steps. */
export interface ProgramSteps {
  /** Gives the programs with something to do. */
  readonly programs: () => Promise<readonly number[]>
  /** Takes one step in a program, in one transaction; false if there is nothing left to do, or another worker does it. */
  readonly step: (program_id: number) => Promise<boolean>
}

type Loop = Pick<WorkerLoop, 'pause_ms' | 'first_pause_ms' | 'record' | 'onFailure'>

/** The pause after a step, as a share of the step's time, so that earnings get the rest of the database. */
const rest_share = 1
/** Steps in one program before the next has its turn. */
const most_steps = 50

/**
 * Takes steps in all programs in turn, round after round. A program whose step fails has no further turn in the round, and does
 * not stop the others: the round fails after them.
 * @returns a function that stops the loop and waits for the step under way
 */
export function startStepLoop({ programs, step, ...loop }: ProgramSteps & Loop): () => Promise<void> {
  /** Gives true if the program has more to do. */
  const inTurn = async (program_id: number, stopping: AbortSignal): Promise<boolean> => {
    for (let steps = 0; steps < most_steps; steps += 1) {
      const started_ms = performance.now()
      if (stopping.aborted || !(await step(program_id))) return false
      const rest_ms = (performance.now() - started_ms) * rest_share
      await sleep(rest_ms, undefined, { signal: stopping }).catch(() => undefined)
    }
    return true
  }
  return startWorkerLoop({
    ...loop,
    async work(stopping) {
      const failures = new Failures()
      for (let left = await programs(); left.length > 0 && !stopping.aborted; ) {
        const next: number[] = []
        for (const program_id of left)
          if (await failures.pass(() => inTurn(program_id, stopping), false)) next.push(program_id)
        left = next
      }
      failures.throwFirst()
    },
  })
}
