import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesce } from '../../src/db/coalesce.ts'
import { elapsedTime } from '../support/elapsed.ts'

const elapsed = elapsedTime()
const hung = new Error('the database hangs')

/** Batches that the test ends one at a time. */
function byHand() {
  const batches: PromiseWithResolvers<readonly string[]>[] = []
  const work = async (): Promise<readonly string[]> => {
    const batch = Promise.withResolvers<readonly string[]>()
    batches.push(batch)
    return batch.promise
  }
  return { batches, run: coalesce(work, { max_batch: 1, concurrency: 1, isFatal: (error) => error === hung }) }
}

// What went wrong: while the database hung, each batch waited for its own timeout after the one before it. Requests that
// came a moment later were answered after 30 seconds, and even later behind a longer queue.
test('items that waited long behind a batch with a fatal error fail with it, without another batch', async () => {
  const { batches, run } = byHand()
  const outcomes = ['first', 'second', 'third'].map((item) => run(item).catch((error: unknown) => error))
  await nextTurn()
  elapsed.pass(1_100)
  const late = run('late')
  batches[0]?.reject(hung)
  expect(await Promise.all(outcomes)).toEqual([hung, hung, hung])
  await nextTurn()
  expect(batches).toHaveLength(2)
  batches[1]?.resolve(['late'])
  expect(await late).toBe('late')
})

test('a new item is tried: one broken connection does not fail the items behind it', async () => {
  const { batches, run } = byHand()
  const first = run('first').catch((error: unknown) => error)
  const second = run('second')
  await nextTurn()
  batches[0]?.reject(hung)
  expect(await first).toBe(hung)
  await nextTurn()
  batches[1]?.resolve(['second'])
  expect(await second).toBe('second')
})
