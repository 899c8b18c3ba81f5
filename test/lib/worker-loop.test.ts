import { expect, it } from 'vitest'
import { startWorkerLoop } from '../../src/lib/worker-loop.ts'

it('goes on round after round, one at a time, and waits at its end for the round that is under way', async () => {
  let under_way = 0
  let rounds = 0
  const third = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const stop = startWorkerLoop({
    pause_ms: 1,
    onTrouble: (error) => third.reject(error),
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

it('trouble is told once, and does not end it', async () => {
  const told: unknown[] = []
  const began = Promise.withResolvers<void>()
  const stop = startWorkerLoop({
    pause_ms: 1,
    onTrouble: (error) => {
      told.push(error)
      began.resolve()
    },
    work: () => Promise.reject(new Error('away')),
  })
  await began.promise
  await stop()
  expect(told).toEqual([new Error('away')])
})
