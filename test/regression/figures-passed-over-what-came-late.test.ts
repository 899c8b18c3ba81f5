import { expect, test } from 'vitest'
import { hour_ms } from '../../src/domain/spans.ts'
import { grace_ms } from '../../src/features/activity/count.ts'
import { countAll, countOn, daysFromEntries, daysOf } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, TestClock } from '../support/earnings.ts'

// An hour after the last sale the job counted its window again, and then passed over all time until a minute ago: nothing
// had happened. Nobody counts that time again. A sale by a process whose clock was some minutes behind was in it, and never
// in the figures.

const database = testDatabase()

/** The job of a process whose clock is ahead. */
const count = (ahead_ms: number) => countAll(countOn(database.db, { machine_ms: () => Date.now() + ahead_ms }))

test('a sale is counted though the clock of its process is behind that of the job', async () => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const { program_id } = merchant
  const earn = earnOn(database.db, new TestClock('2026-02-01T09:00:00Z'))
  await count(grace_ms)
  await earn(earningOf(merchant))
  await count(grace_ms)
  // The window of this sale is counted again.
  await count(2 * hour_ms)
  await earn(earningOf(merchant))
  await count(2 * hour_ms)
  expect(await daysOf(database.db, program_id)).toEqual(await daysFromEntries(database.db, program_id))
  expect(await daysOf(database.db, program_id)).toMatchObject([{ purchases: 2 }])
})
