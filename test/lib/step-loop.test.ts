import { expect, it, vi } from 'vitest'
import { startStepLoop } from '../../src/lib/step-loop.ts'

/** Runs one round over programs that have so many steps each; gives the program of each step. */
async function stepsOf(left: Map<number, number>): Promise<readonly number[]> {
  const taken: number[] = []
  const over = Promise.withResolvers<void>()
  let rounds = 0
  const stop = startStepLoop({
    pause_ms: 1,
    onFailure: (error) => over.reject(error),
    async programs() {
      rounds += 1
      if (rounds > 1) over.resolve()
      return rounds > 1 ? [] : [...left.keys()]
    },
    async step(program_id) {
      const steps = left.get(program_id) ?? 0
      if (steps === 0) return false
      taken.push(program_id)
      left.set(program_id, steps - 1)
      return true
    },
  })
  await over.promise
  await stop()
  return taken
}

it('takes all steps of a program, and gives others their turn after fifty', async () => {
  const taken = await stepsOf(
    new Map([
      [1, 60],
      [2, 3],
      [3, 0],
    ]),
  )
  expect(taken).toEqual([...Array(50).fill(1), 2, 2, 2, ...Array(10).fill(1)])
})

it('takes no further step once it is stopped', async () => {
  let steps = 0
  const first = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const stop = startStepLoop({
    pause_ms: 1,
    programs: async () => [1, 2],
    async step() {
      steps += 1
      first.resolve()
      await finish.promise
      return true
    },
  })
  await first.promise
  const stopped = stop()
  finish.resolve()
  await stopped
  expect(steps).toBe(1)
})

// A stop waited until the rest after a long step was over, and gave up after fifteen seconds.
it('ends its rest after a long step when it is stopped', async () => {
  let now_ms = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now_ms)
  const resting = Promise.withResolvers<void>()
  const ended: string[] = []
  const stop = startStepLoop({
    ...{ pause_ms: 1, first_pause_ms: 0 },
    programs: async () => [1],
    async step() {
      now_ms += 3_600_000
      setImmediate(resting.resolve)
      return true
    },
    record: { begins: () => undefined, ends: () => void ended.push('round') },
  })
  await resting.promise
  clock.mockRestore()
  await stop()
  expect(ended).toEqual(['round'])
})
