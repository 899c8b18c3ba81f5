import { expect, test } from 'vitest'
import { grace_ms } from '../../src/features/activity/count.ts'
import { countOn, daysFromEntries, daysOf } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, TestClock } from '../support/earnings.ts'

// The job took events for deleted a day before they may be. With NUQTA_RETENTION_DAYS=1 these were all events: it made the
// figures of a program again, and as soon as they were made, once more. It never came to an end, nor to another program.

const database = testDatabase()

/** More than a build and a few events need. */
const most_steps = 30

test('figures are made once where events are kept for a day', async () => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const { program_id } = merchant
  await earnOn(database.db, new TestClock('2026-02-01T09:00:00Z'))(earningOf(merchant))
  const rebuilt: unknown[] = []
  const count = countOn(database.db, {
    ...{ retention_days: 1, machine_ms: () => Date.now() + grace_ms },
    onRebuild: (of) => rebuilt.push(of),
  })
  expect(await count.programs()).toEqual([program_id])
  let steps = 0
  while (steps < most_steps && (await count.step(program_id))) steps += 1
  expect(steps).toBeLessThan(most_steps)
  expect(rebuilt).toEqual([])
  expect(await daysOf(database.db, program_id)).toEqual(await daysFromEntries(database.db, program_id))
})
