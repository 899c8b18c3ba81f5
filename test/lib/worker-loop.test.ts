import { expect, it } from 'vitest'
import { startWorkerLoop, type WorkerLoop } from '../../src/lib/worker-loop.ts'

it('runs one round at a time, and a stop waits for the round under way', async () => {
  let under_way = 0
  let rounds = 0
  const third = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const stop = startWorkerLoop({
    pause_ms: 1,
    onFailure: (error) => third.reject(error),
    work: async () => {
      under_way += 1
      expect(under_way).toBe(1)
      rounds += 1
      if (rounds === 3) {
        third.resolve()
        await finish.promise
      }
      under_way -= 1
    },
  })
  await third.promise
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await Promise.resolve()
  expect(stopped).toBe(false)
  finish.resolve()
  await stopping
  expect([rounds, under_way]).toEqual([3, 0])
})

/** Starts a loop whose rounds all fail; gives the errors reported until `count` rounds have run. */
async function errorsOf(count: number, settings: Partial<WorkerLoop>): Promise<unknown[]> {
  const errors: unknown[] = []
  const enough = Promise.withResolvers<void>()
  let rounds = 0
  const stop = startWorkerLoop({
    pause_ms: 1,
    failure_pause_ms: 1,
    onFailure: (error) => errors.push(error),
    work: () => {
      rounds += 1
      if (rounds > count) enough.resolve()
      return Promise.reject(new Error(`round ${rounds}`))
    },
    ...settings,
  })
  await enough.promise
  await stop()
  return errors
}

it('reports the first of a series of failures, and continues', async () => {
  expect(await errorsOf(3, {})).toEqual([new Error('round 1')])
})

it('reports every failure where it is to', async () => {
  const errors = await errorsOf(2, { reports_every_failure: true })
  expect(errors.slice(0, 2)).toEqual([new Error('round 1'), new Error('round 2')])
})

it('stops while it waits for its first round', async () => {
  const rounds: number[] = []
  const stop = startWorkerLoop({ pause_ms: 1, first_pause_ms: 60_000, work: async () => rounds.push(1) })
  await stop()
  expect(rounds).toEqual([])
})

it('a stop waits no longer than its limit', async () => {
  const began = Promise.withResolvers<void>()
  const stop = startWorkerLoop({
    pause_ms: 1,
    stop_patience_ms: 0,
    work: () => {
      began.resolve()
      return new Promise(() => undefined)
    },
  })
  await began.promise
  await stop()
})

// Rounds at the same moment need a connection each: a process that started a dozen loops opened ten.
it('begins loops that are started together one after the other', async () => {
  const begun: string[] = []
  const work = (name: string) => async () => void begun.push(name)
  const stops = ['first', 'second', 'third'].map((name) => startWorkerLoop({ pause_ms: 60_000, work: work(name) }))
  expect(begun.length).toBeLessThan(2)
  await expect.poll(() => begun).toEqual(['first', 'second', 'third'])
  for (const stop of stops) await stop()
})
