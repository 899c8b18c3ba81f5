import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import type { Role } from '../../src/domain/staff.ts'
import { setMember } from '../../src/features/staff/member-queries.ts'
import { updateStaff } from '../../src/features/staff/queries.ts'
import type { App } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, pointsOf } from '../support/orders.ts'
import { startTwoPersonShop } from '../support/proposals.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// The row of a person stays when their last team removes them. A confirmation looked for the row alone, so what somebody had
// proposed before they were removed was still done in their name.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let owner: Person
let omar: Person
beforeAll(async () => {
  const changes = { two_person_adjustments_over: 50, two_person_rates: true }
  const started = await startTwoPersonShop(database, { clock, changes, proposes: 'owner' })
  ;({ app, merchant, proposer: owner, decider: omar } = started)
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>
const uuidOf = (proposal: unknown) => String((proposal as Data | undefined)?.['proposal_uuid'])

/** A customer with 100 points, to whom somebody proposes to give 400 more. */
async function proposeBy(person: Person) {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const wallet = await walletOf(database.db, merchant.program_id, phone)
  const path = `/merchants/${merchant.merchant_id}/customers/${wallet?.customer_id}/adjustments`
  const { body } = await person.call('POST', path, { points: 400, reason: 'A gift' })
  return { phone, uuid: uuidOf((body.data as Data)['proposal']) }
}

const confirm = (uuid: string) => omar.call('POST', `/programs/${merchant.program_id}/proposals/${uuid}/confirm`)
const remove = (person: Person) => owner.call('DELETE', `/merchants/${merchant.merchant_id}/team/${person.staff_uuid}`)
const setRole = (person: Person, role: Role, at: Merchant = merchant) =>
  database.db.run(setMember(at, { staff_uuid: person.staff_uuid, role }, new Date()))
const setOperator = (person: Person, is_operator: boolean) =>
  database.db.run(updateStaff(person.staff_uuid, { is_operator }, new Date()))

/** What a confirmation answers, and what it leaves in the wallet. */
async function confirmed({ phone, uuid }: { readonly phone: Phone; readonly uuid: string }) {
  const { status } = await confirm(uuid)
  return [status, (await pointsOf(database.db, merchant, phone))[0]]
}

it('a proposal of somebody who was removed from the team is not confirmed', async () => {
  const support = await makePerson(app, { ...merchant, role: 'support' })
  const proposed = await proposeBy(support)
  expect((await remove(support)).status).toBe(200)
  expect((await support.call('GET', '/session')).status).toBe(401)
  expect(await confirmed(proposed)).toEqual([409, 100])
})

it('a role at another merchant does not count', async () => {
  const support = await makePerson(app, { ...merchant, role: 'support' })
  await setRole(support, 'owner', (await oneShop(database.db)).merchant)
  const proposed = await proposeBy(support)
  await remove(support)
  expect(await confirmed(proposed)).toEqual([409, 100])
})

it('a role that adjusts no wallets does not count, a smaller one that does is enough', async () => {
  const [reader, support] = [
    await makePerson(app, { ...merchant, role: 'manager' }),
    await makePerson(app, { ...merchant, role: 'manager' }),
  ]
  const [first, second] = [await proposeBy(reader), await proposeBy(support)]
  await setRole(reader, 'read_only')
  await setRole(support, 'support')
  expect([await confirmed(first), await confirmed(second)]).toEqual([
    [409, 100],
    [200, 500],
  ])
})

it('a removal that the confirmation has waited for counts', async () => {
  const support = await makePerson(app, { ...merchant, role: 'support' })
  const proposed = await proposeBy(support)
  const confirming = await database.owner.transaction(async (tx) => {
    const text = 'delete from staff_membership where program_id = $1 and merchant_id = $2 and staff_uuid = $3'
    await tx.run({ text, values: [merchant.program_id, merchant.merchant_id, support.staff_uuid] })
    const reply = confirmed(proposed)
    await waitForLocks(database.owner)
    return { reply }
  })
  expect(await confirming.reply).toEqual([409, 100])
})

it('a former operator proposes what their role at the merchant lets them, and nothing else', async () => {
  const [leaving, staying] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
  const [first, second] = [await proposeBy(leaving), await proposeBy(staying)]
  const rate = { begins_on: '2099-01-01', sar_per_point: 0.02 }
  const { today } = (await staying.call('GET', `/programs/${merchant.program_id}/rates`)).body.data as Data
  const asked = { ...rate, begins_on: today }
  const { proposals } = (await staying.call('POST', `/programs/${merchant.program_id}/rates`, asked)).body.data as Data
  await setRole(staying, 'support')
  for (const person of [leaving, staying]) await setOperator(person, false)
  expect([await confirmed(first), await confirmed(second)]).toEqual([
    [409, 100],
    [200, 500],
  ])
  expect((await confirm(uuidOf((proposals as Data[])[0]))).status).toBe(409)
})

it('an operator who leaves a team still proposes', async () => {
  const sara = await makePerson(app, 'operator')
  await setRole(sara, 'manager')
  const proposed = await proposeBy(sara)
  await remove(sara)
  expect(await confirmed(proposed)).toEqual([200, 500])
})
