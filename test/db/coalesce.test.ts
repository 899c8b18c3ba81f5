import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { coalesce } from '../../src/db/coalesce.ts'

// Guarantee: every item gets its own result or its own error, exactly once.

/** A fake database that records its batches and answers on demand. */
function recorder() {
  const batches: number[][] = []
  const waiting: (() => void)[] = []
  const work = async (batch: readonly number[]) => {
    batches.push([...batch])
    await new Promise<void>((resolve) => waiting.push(resolve))
    return batch.map((item) => item * 10)
  }
  const answer = async () => {
    waiting.shift()?.()
    await turn()
    await turn()
  }
  return { batches, work, answer }
}

describe('partitions', () => {
  it('a stuck partition blocks no other', async () => {
    const work = (batch: readonly number[]) =>
      batch[0] === 1 ? new Promise<number[]>(() => undefined) : Promise.resolve([...batch])
    const ask = coalesce(work, { max_batch: 1, concurrency: 2, total_concurrency: 3, partition: (item) => item })
    for (let stuck = 0; stuck < 5; stuck += 1) void ask(1)
    expect(await Promise.all([ask(2), ask(3), ask(2)])).toEqual([2, 3, 2])
  })
})

describe('batches', () => {
  it('have one item under light load', async () => {
    const batches: number[] = []
    const ask = coalesce(async (batch: readonly number[]) => batch, {
      max_batch: 10,
      concurrency: 2,
      observe: (size) => batches.push(size),
    })
    for (const item of [1, 2, 3]) expect(await ask(item)).toBe(item)
    expect(batches).toEqual([1, 1, 1])
  })

  it('collect during the pause after a small batch; a large batch has no pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const batches: number[][] = []
    const work = async (batch: readonly number[]) => {
      batches.push([...batch])
      return batch
    }
    const ask = coalesce(work, { max_batch: 10, concurrency: 1, pause_ms: (size) => (size < 3 ? 25 : 0) })
    await Promise.all([1, 2, 3].map(ask))
    await Promise.all([4, 5].map(ask))
    const rested = [6, 7].map(ask)
    await turn()
    await turn()
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    vi.advanceTimersByTime(25)
    expect(await Promise.all(rested)).toEqual([6, 7])
    expect(batches.at(-1)).toEqual([6, 7])
  })

  it('of other partitions start during the pause of one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const ask = coalesce(async (batch: readonly number[]) => batch, {
      max_batch: 10,
      concurrency: 1,
      total_concurrency: 1,
      partition: (item) => item,
      pause_ms: () => 25,
    })
    expect(await ask(1)).toBe(1)
    expect(await ask(2)).toBe(2)
  })

  it('collect while others run, and start when one ends', async () => {
    const { batches, work, answer } = recorder()
    const ask = coalesce(work, { max_batch: 10, concurrency: 1 })
    const first = ask(1)
    await turn()
    const rest = [2, 3, 4].map(ask)
    await turn()
    expect(batches).toEqual([[1]])
    await answer()
    expect(batches).toEqual([[1], [2, 3, 4]])
    await answer()
    expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40])
  })

  it('respect the limits of size and concurrency', async () => {
    const { batches, work, answer } = recorder()
    const ask = coalesce(work, { max_batch: 2, concurrency: 2 })
    const all = [1, 2, 3, 4, 5].map(ask)
    await turn()
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    await answer()
    expect(batches).toEqual([[1, 2], [3, 4], [5]])
    await answer()
    await answer()
    expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50])
  })

  it('contain one partition each, and partitions take turns', async () => {
    const { batches, work, answer } = recorder()
    const ask = coalesce(work, { max_batch: 2, concurrency: 1, partition: (item) => Math.floor(item / 100) })
    const all = [100, 101, 102, 103, 104, 200, 300].map(ask)
    await turn()
    for (let answers = 0; answers < 5; answers += 1) await answer()
    expect(batches).toEqual([[100, 101], [200], [300], [102, 103], [104]])
    await Promise.all(all)
  })
})

describe('errors', () => {
  it('of one item split the batch until that item fails alone', async () => {
    const ask = coalesce(
      async (batch: readonly number[]) => {
        if (batch.includes(3)) throw new Error('three')
        return batch
      },
      { max_batch: 10, concurrency: 1 },
    )
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(ask))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true])
    expect(outcomes[2]).toMatchObject({ reason: { message: 'three' } })
  })

  it('that are fatal reject the whole batch without a split', async () => {
    let calls = 0
    const ask = coalesce<number, number>(
      async () => {
        calls += 1
        throw new Error('the database is gone')
      },
      { max_batch: 10, concurrency: 1, isFatal: () => true },
    )
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(ask))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toBe(1)
  })

  it('thrown synchronously are caught, and the next batch starts', async () => {
    let calls = 0
    const ask = coalesce(
      (batch: readonly number[]) => {
        calls += 1
        if (calls === 1) throw new Error('at once')
        return Promise.resolve(batch)
      },
      { max_batch: 1, concurrency: 1 },
    )
    await expect(ask(1)).rejects.toThrow('at once')
    expect(await ask(2)).toBe(2)
  })

  it('a wrong number of results rejects every item', async () => {
    const ask = coalesce(async (batch: readonly number[]) => batch.slice(1), { max_batch: 10, concurrency: 1 })
    const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('another number of results') } })
  })
})

it('nothing is lost, mixed up or answered twice, whatever arrives when and fails how', async () => {
  const arrival = fc.record({
    partition: fc.integer({ min: 0, max: 3 }),
    wait: fc.constantFrom('none', 'turn', 'turns'),
    poison: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  })
  const settings = fc.record({ max_batch: fc.integer({ min: 1, max: 5 }), concurrency: fc.integer({ min: 1, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { maxLength: 40 }), settings, async (arrivals, { max_batch, concurrency }) => {
      let underWay = 0
      const done = new Map<number, number>()
      const ask = coalesce(
        async (batch: readonly { id: number; partition: number; poison: boolean }[]) => {
          underWay += 1
          expect(underWay).toBeLessThanOrEqual(concurrency)
          expect(batch.length).toBeLessThanOrEqual(max_batch)
          expect(new Set(batch.map(({ partition }) => partition)).size).toBe(1)
          await turn()
          underWay -= 1
          if (batch.some(({ poison }) => poison)) throw new Error('poisoned')
          for (const { id } of batch) done.set(id, (done.get(id) ?? 0) + 1)
          return batch.map(({ id }) => id)
        },
        { max_batch, concurrency, partition: ({ partition }) => partition },
      )
      const answers: Promise<unknown>[] = []
      for (const [id, { partition, wait, poison }] of arrivals.entries()) {
        answers.push(ask({ id, partition, poison }).catch((error: Error) => error.message))
        const turns = { none: 0, turn: 1, turns: 3 }[wait] ?? 0
        for (let passed = 0; passed < turns; passed += 1) await turn()
      }
      expect(await Promise.all(answers)).toEqual(arrivals.map(({ poison }, id) => (poison ? 'poisoned' : id)))
      expect([...done.values()].every((times) => times === 1)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
