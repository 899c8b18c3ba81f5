import { expect, it } from 'vitest'
import { JobBook } from '../../src/lib/job-book.ts'
import { elapsedTime } from '../support/elapsed.ts'

// A round of a job took as long as the machine's clock said: less than nothing if it was set back meanwhile.

const elapsed = elapsedTime()

it('a round takes as long as it takes, whatever becomes of the clock', () => {
  let now_ms = Date.parse('2026-02-01T09:00:00.000Z')
  const book = new JobBook(() => new Date(now_ms))
  const record = book.of('expiry')
  record.begins()
  expect(book.jobs).toMatchObject([{ took_ms: null, ended_at: null }])
  elapsed.pass(250)
  now_ms -= 3_600_000
  record.ends(1_000, undefined)
  const [ended_at, next_at] = [new Date(now_ms), new Date(now_ms + 1_000)]
  expect(book.jobs).toMatchObject([{ took_ms: 250, ended_at, next_at, failures: 0 }])
})
