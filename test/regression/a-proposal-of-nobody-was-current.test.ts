import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { setMember } from '../../src/features/staff/member-queries.ts'
import { updateStaff } from '../../src/features/staff/queries.ts'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { makePerson, type Person } from '../support/staff.ts'

// A confirmation was refused when its proposer was gone. The page of the proposal still said that it was current.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let omar: Person
beforeAll(async () => {
  app = await startApp(database, {}, clock)
  merchant = (await oneShop(database.db)).merchant
  omar = await makePerson(app, 'operator')
  const changes = { two_person_adjustments_over: 50 }
  await changeProgram(database.db, merchant.program_id, { changes, now: clock.now() })
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>

/** The path of an adjustment that somebody proposes. */
async function proposedBy(person: Person): Promise<string> {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const wallet = await walletOf(database.db, merchant.program_id, phone)
  const path = `/merchants/${merchant.merchant_id}/customers/${wallet?.customer_id}/adjustments`
  const { body } = await person.call('POST', path, { points: 400, reason: 'A gift' })
  const proposal = (body.data as Data)['proposal'] as Data
  return `/programs/${merchant.program_id}/proposals/${proposal['proposal_uuid']}`
}

/** What reading a proposal says, and what confirming it answers. */
async function foundAt(path: string): Promise<[unknown, number]> {
  const { current } = (await omar.call('GET', path)).body.data as Data
  return [current, (await omar.call('POST', `${path}/confirm`)).status]
}

const support = () => makePerson(app, { ...merchant, role: 'support' })

it.each<[string, (person: Person) => Promise<unknown>]>([
  [
    'who works elsewhere',
    async ({ staff_uuid }) => {
      const owner = await makePerson(app, { ...merchant, role: 'owner' })
      return owner.call('DELETE', `/merchants/${merchant.merchant_id}/team/${staff_uuid}`)
    },
  ],
  [
    'who only reads now',
    ({ staff_uuid }) => database.db.run(setMember(merchant, { staff_uuid, role: 'read_only' }, new Date())),
  ],
  ['who is kept out', ({ staff_uuid }) => database.db.run(updateStaff(staff_uuid, { disabled: true }, new Date()))],
])('a proposal of somebody %s is not current', async (_, leave) => {
  const person = await support()
  const path = await proposedBy(person)
  await leave(person)
  expect(await foundAt(path)).toEqual([false, 409])
})

it('a proposal of somebody who stays is current', async () => {
  expect(await foundAt(await proposedBy(await support()))).toEqual([true, 200])
})

it('a proposal of an operator who is none any more is not current', async () => {
  const sara = await makePerson(app, 'operator')
  const path = await proposedBy(sara)
  await database.db.run(updateStaff(sara.staff_uuid, { is_operator: false }, new Date()))
  expect(await foundAt(path)).toEqual([false, 409])
})
