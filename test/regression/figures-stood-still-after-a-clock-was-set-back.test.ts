import { expect, test } from 'vitest'
import { hour_ms } from '../../src/domain/spans.ts'
import { grace_ms } from '../../src/features/activity/count.ts'
import { countAll, countOn, daysFromEntries, daysOf } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, TestClock } from '../support/earnings.ts'

// The job that ran while the clock of its machine was a month ahead counted up to that time. When the clock was right again, it
// added nothing for a month: what was sold meanwhile was in no figures.

const database = testDatabase()
const month_ms = 30 * 24 * hour_ms

/** The job of a process whose clock is ahead. */
const count = (ahead_ms: number) => countAll(countOn(database.db, { machine_ms: () => Date.now() + ahead_ms }))

test.each([
  ['a month ahead', month_ms, 2],
  ['minutes ahead of that of the next process', grace_ms + 300_000, 1],
])('sales are counted after a job whose clock was %s', async (_, ahead_ms, purchases) => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const { program_id } = merchant
  const earn = earnOn(database.db, new TestClock('2026-02-01T09:00:00Z'))
  const shown = async () => {
    const days = await daysOf(database.db, program_id)
    return days.find((day) => day['merchant_id'] === merchant.merchant_id)?.['purchases']
  }
  await count(grace_ms)
  await earn(earningOf(merchant))
  await count(ahead_ms)
  expect(await shown()).toBe(1)
  await earn(earningOf(merchant))
  // A minute later by the right clock.
  await count(grace_ms)
  expect(await shown()).toBe(purchases)
  // An hour later all is counted, and once.
  await count(ahead_ms + 2 * hour_ms)
  expect(await shown()).toBe(2)
  expect(await daysOf(database.db, program_id)).toEqual(await daysFromEntries(database.db, program_id))
})
