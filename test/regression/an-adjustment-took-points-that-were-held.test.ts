import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import type { App } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, pointsOf, replacingOrder } from '../support/orders.ts'
import { startTwoPersonShop } from '../support/proposals.ts'
import type { Person } from '../support/staff.ts'

// A proposed adjustment was compared with the balance alone. A checkout that had begun to hold points meanwhile did not count, so
// staff took points that the wallet could not spend any more.

const database = testDatabase({ leaves: ['open holds'] })
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let owner: Person
let omar: Person

beforeAll(async () => {
  const changes = { two_person_adjustments_over: 50 }
  const started = await startTwoPersonShop(database, { clock, changes, proposes: 'owner' })
  ;({ app, merchant, proposer: owner, decider: omar } = started)
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>

async function propose(phone: Phone, points: number) {
  const wallet = await walletOf(database.db, merchant.program_id, phone)
  const path = `/merchants/${merchant.merchant_id}/customers/${wallet?.customer_id}/adjustments`
  const { status, body } = await owner.call('POST', path, { points, reason: 'Given twice' })
  const { proposal } = (body.data ?? {}) as { readonly proposal?: Data }
  return { status, path: `/programs/${merchant.program_id}/proposals/${String(proposal?.['proposal_uuid'])}` }
}

it.each([-100, 100])(
  'an adjustment by %d points is refused when a checkout holds points of the wallet by then',
  async (points) => {
    const phone = await customerWith(database.db, merchant, { points: 100 })
    const { status, path } = await propose(phone, points)
    expect(status).toBe(200)
    await replacingOrder(database.db, merchant, { phone, points: 80 })
    expect((await omar.call('POST', `${path}/confirm`)).status).toBe(409)
    expect(await pointsOf(database.db, merchant, phone)).toEqual([100, 80])
    expect((await omar.call('GET', path)).body.data).toMatchObject({ facts: { posted: 100, held: 0 }, current: false })
  },
)

it('staff propose to take what the wallet can spend, and no more', async () => {
  const phone = await customerWith(database.db, merchant, { points: 200 })
  await replacingOrder(database.db, merchant, { phone, points: 80 })
  expect((await propose(phone, -121)).status).toBe(422)
  const { path } = await propose(phone, -120)
  expect((await omar.call('POST', `${path}/confirm`)).status).toBe(200)
  expect(await pointsOf(database.db, merchant, phone)).toEqual([80, 80])
})
