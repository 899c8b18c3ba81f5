import { expect, it } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// The list of reports took a place that is no day for a report that is not there, where other lists answer 422.

const database = testDatabase()
const app = testApp(database)

it.each(['abc', '2026-02-30'])('the place %j is refused', async (after) => {
  const { program_id } = await makeProgram(database.db)
  const operator = await makePerson(app(), 'operator')
  const { status, body } = await operator.call('GET', `/programs/${program_id}/liability?after=${after}`)
  expect({ status, errors: body.errors }).toEqual({
    status: 422,
    errors: { after: ['The after is no place in this list. Begin with its first page.'] },
  })
  expect((await operator.call('GET', `/programs/${program_id}/liability?after=2026-02-01`)).status).toBe(200)
})
