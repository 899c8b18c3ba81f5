import { expect, it } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

const database = testDatabase()
const started = testApp(database)

// Nobody keeps themselves out, so that one operator always stays. Two who kept each other out at the same moment left none.
it('if two operators disable each other at the same moment, one stays', async () => {
  const app = started()
  await makeProgram(app.db)
  const [sara, fahd] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
  const sent: ReturnType<typeof sara.call>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({
      text: 'select from staff where staff_uuid = any($1) for update',
      values: [[sara, fahd].map(({ staff_uuid }) => staff_uuid)],
    })
    sent.push(
      sara.call('POST', `/operator/people/${fahd.staff_uuid}/disable`),
      fahd.call('POST', `/operator/people/${sara.staff_uuid}/disable`),
    )
    await waitForLocks(database.owner, 2)
  })
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 403])
  const left = await database.owner.one({
    text: 'select count(*)::int as count from staff where is_operator and not disabled and staff_uuid = any($1)',
    values: [[sara, fahd].map(({ staff_uuid }) => staff_uuid)],
  })
  expect(left).toEqual({ count: 1 })
})
