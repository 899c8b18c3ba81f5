import { expect, test } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// An operator who was kept out while their request was under way still made another operator, or let one in, and got the
// link that opens the account.

const database = testDatabase()
const started = testApp(database)

test.each(['create', 'recover'])('an operator who is kept out meanwhile can %s nobody', async (does) => {
  const app = started()
  await makeProgram(app.db)
  const [sara, omar] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
  const sent: ReturnType<typeof sara.call>[] = []
  await database.owner.transaction(async (tx) => {
    const both = [sara, omar].map(({ staff_uuid }) => staff_uuid)
    await tx.run({ text: 'select from staff where staff_uuid = any($1) for update', values: [both] })
    sent.push(
      does === 'create'
        ? sara.call('POST', '/operator/people', { email: omar.email })
        : sara.call('POST', `/operator/people/${omar.staff_uuid}/recover`),
    )
    await waitForLocks(database.owner, 1)
    await tx.run({ text: 'update staff set disabled = true where staff_uuid = $1', values: [sara.staff_uuid] })
  })
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([403])
  const text = 'select from staff_link where staff_uuid = $1'
  expect(await database.owner.run({ text, values: [omar.staff_uuid] })).toEqual([])
})
