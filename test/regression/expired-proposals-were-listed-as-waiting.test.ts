import { afterAll, beforeAll, expect, it } from 'vitest'
import { proposal_ms } from '../../src/domain/proposal.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { makePerson } from '../support/staff.ts'

// A proposal that nobody had decided in seven days stayed in the list of those that wait, until somebody proposed the next.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
beforeAll(async () => {
  app = await startApp(database, {}, clock)
})
afterAll(() => app.stop())

it('the list of proposals that wait ends with their seven days', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  await changeProgram(database.db, program_id, { changes: { two_person_settlements: true }, now: clock.now() })
  const operator = await makePerson(app, 'operator')
  await operator.call('POST', `/programs/${program_id}/settlement-runs`, { kind: 'close' })
  const statesOf = async (query: string) => {
    const { body } = await operator.call('GET', `/programs/${program_id}/proposals${query}`)
    return (body.data as never as readonly { readonly state: string }[]).map(({ state }) => state)
  }
  clock.advance(proposal_ms / 1_000 - 1)
  expect(await statesOf('?state=open')).toEqual(['open'])
  clock.advance(1)
  expect(await statesOf('?state=open')).toEqual([])
  expect(await statesOf('')).toEqual(['expired'])
})
