import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesce } from '../../src/db/coalesce.ts'
import { elapsedTime } from '../support/elapsed.ts'

const elapsed = elapsedTime()
const hung = new Error('the database hangs')

/** Batches whose ends are given by hand, one at a time. */
function byHand() {
  const batches: PromiseWithResolvers<readonly string[]>[] = []
  const work = async (): Promise<readonly string[]> => {
    const batch = Promise.withResolvers<readonly string[]>()
    batches.push(batch)
    return batch.promise
  }
  return { batches, run: coalesce(work, { max_batch: 1, concurrency: 1, hopeless: (error) => error === hung }) }
}

// What went wrong: with a database that hung, each batch cost its time-out after the one before it, so that requests which
// came a moment later were answered after 30 seconds, and behind a longer queue later still.
test('who has waited long behind a batch that met a hopeless error is told the same, and costs no batch more', async () => {
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

test('who has just come is tried: one broken connection is no failure of those behind it', async () => {
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
