import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { max_open_proposals } from '../../src/domain/proposal.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { type App, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { makePerson } from '../support/staff.ts'

// A merchant's staff could use up a program's 100 proposals. Then no operator could propose a close or a rate.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let neighbour: Merchant
beforeAll(async () => {
  app = await startApp(database, {}, clock)
  ;[merchant, neighbour] = (await earningMerchants(database.db, 2)) as [Merchant, Merchant]
  const changes = { two_person_adjustments_over: 50, two_person_rates: true }
  await changeProgram(database.db, merchant.program_id, { changes, now: clock.now() })
})
afterAll(() => app.stop())

/** A way to propose an adjustment at a merchant, by its owner or an operator. */
async function ownerAt(shop: Merchant, who: 'owner' | 'operator' = 'owner'): Promise<() => Promise<number>> {
  const phone = await customerWith(database.db, shop, { points: 100 })
  const { customer_id } = (await walletOf(database.db, shop.program_id, phone)) ?? {}
  const owner = await makePerson(app, who === 'operator' ? who : { ...shop, role: who })
  const path = `/merchants/${shop.merchant_id}/customers/${customer_id}/adjustments`
  return async () => (await owner.call('POST', path, { points: 400, reason: 'A gift' })).status
}

/** Proposals that wait already, at a merchant or elsewhere. */
async function waiting(count: number, payload: object): Promise<void> {
  await database.owner.run({
    text: `insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, proposed_by, expires_at, created_at)
      select $1, gen_random_uuid(), 'wallet.adjust', 'open', $2, '{}', 'root', $3, $3 from generate_series(1, $4)`,
    values: [merchant.program_id, JSON.stringify(payload), new Date(clock.now().getTime() + 3_600_000), count],
  })
}

// What an operator proposed at a merchant counted among the 20 of its staff, and was limited by them.
it('what operators propose at a merchant takes no room of its staff', async () => {
  const [byOperator, byOwner] = [await ownerAt(merchant, 'operator'), await ownerAt(merchant)]
  for (let made = 0; made < max_open_proposals.merchant; made += 1) expect(await byOwner()).toBe(200)
  expect([await byOwner(), await byOperator(), await byOperator()]).toEqual([409, 200, 200])
  await database.owner.run({ text: `delete from proposal where payload -> 'by_operator' is null`, values: [] })
  expect(await byOwner()).toBe(200)
  for (let made = 1; made < max_open_proposals.merchant; made += 1) expect(await byOwner()).toBe(200)
  expect(await byOwner()).toBe(409)
  await database.owner.run({ text: 'delete from proposal', values: [] })
})

it('20 wait at one merchant, 80 at all of them, and operators propose up to 100', async () => {
  const { program_id } = merchant
  const [propose, proposeElsewhere] = [await ownerAt(merchant), await ownerAt(neighbour)]
  for (let made = 0; made < max_open_proposals.merchant; made += 1) expect(await propose()).toBe(200)
  expect([await propose(), await proposeElsewhere()]).toEqual([409, 200])
  await waiting(max_open_proposals.merchants - max_open_proposals.merchant - 1, { points: 400, merchant_id: -1 })
  expect(await proposeElsewhere()).toBe(409)
  const operator = await makePerson(app, 'operator')
  const begins_on = new Date(clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10)
  const proposeRate = async () =>
    (await operator.call('POST', `/programs/${program_id}/rates`, { begins_on, sar_per_point: 0.01 })).status
  expect(await proposeRate()).toBe(200)
  await waiting(max_open_proposals.program - max_open_proposals.merchants - 2, {})
  expect([await proposeRate(), await proposeRate()]).toEqual([200, 409])
})
