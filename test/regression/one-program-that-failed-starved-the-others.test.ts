import { expect, test } from 'vitest'
import { startStepLoop } from '../../src/lib/step-loop.ts'
import { waitFor } from '../support/wait.ts'

// The jobs of daily figures and of liability ended their round at the first program whose step failed, and began the next one
// with the same program. A program that failed each time, as by a wallet that takes too long to read, kept all behind it
// waiting.

test('programs behind one that fails have their turn, and the failure is reported', async () => {
  const steps: number[] = []
  const failures: unknown[] = []
  const stop = startStepLoop({
    programs: async () => [1, 2],
    async step(program_id) {
      if (program_id === 1) throw new Error('too slow')
      steps.push(program_id)
      return steps.length < 3
    },
    ...{ pause_ms: 1_000_000, first_pause_ms: 0 },
    onFailure: (error) => failures.push(error),
  })
  await waitFor('the end of the round', () => failures.length > 0)
  await stop()
  expect(steps).toEqual([2, 2, 2])
  expect(failures).toEqual([new Error('too slow')])
})
