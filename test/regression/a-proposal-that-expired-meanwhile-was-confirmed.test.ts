import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { proposal_ms } from '../../src/domain/proposal.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import type { App } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, pointsOf } from '../support/orders.ts'
import { startTwoPersonShop } from '../support/proposals.ts'
import type { Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// A decision read the clock before it waited for its proposal. One that expired meanwhile was still confirmed or rejected.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let sara: Person
let omar: Person
beforeAll(async () => {
  const changes = { two_person_adjustments_over: 50 }
  const started = await startTwoPersonShop(database, { clock, changes })
  ;({ app, merchant, proposer: sara, decider: omar } = started)
})
afterAll(() => app.stop())

it.each(['confirm', 'reject'])('a proposal that expires while somebody waits to %s it has ended', async (decision) => {
  const { program_id, merchant_id } = merchant
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const wallet = await walletOf(database.db, program_id, phone)
  const path = `/merchants/${merchant_id}/customers/${wallet?.customer_id}/adjustments`
  const { body } = await sara.call('POST', path, { points: 400, reason: 'A gift' })
  const { proposal_uuid } = (body.data as { readonly proposal: { readonly proposal_uuid: string } }).proposal
  const { deciding } = await database.owner.transaction(async (tx) => {
    const text = 'select from proposal where program_id = $1 and proposal_uuid = $2 for update'
    await tx.run({ text, values: [program_id, proposal_uuid] })
    const asked = omar.call('POST', `/programs/${program_id}/proposals/${proposal_uuid}/${decision}`)
    await waitForLocks(database.owner)
    clock.advance(proposal_ms / 1_000)
    return { deciding: asked }
  })
  const { status } = await deciding
  expect(status).toBe(409)
  expect(await pointsOf(database.db, merchant, phone)).toEqual([100, 0])
})
