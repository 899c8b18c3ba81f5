import { expect, it } from 'vitest'
import { max_open_proposals } from '../../src/domain/proposal.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { makePerson } from '../support/staff.ts'

// The closes of one merchant that operators had proposed counted as made at the merchant: from 20 on, its staff could not
// propose an adjustment.

const database = testDatabase()
const app = testApp(database)

it('closes that operators propose are not counted as made at a merchant', async () => {
  const { merchant } = await oneShop(database.db)
  const { program_id, merchant_id } = merchant
  const changes = { two_person_adjustments_over: 50, two_person_settlements: true }
  await changeProgram(database.db, program_id, { changes, now: app().clock.now() })
  const operator = await makePerson(app(), 'operator')
  for (let made = 0; made < max_open_proposals.merchant; made += 1) {
    const { status } = await operator.call('POST', `/programs/${program_id}/settlement-runs`, {
      kind: 'close',
      merchant_id,
    })
    expect(status).toBe(200)
  }
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const { customer_id } = (await walletOf(database.db, program_id, phone)) ?? {}
  const owner = await makePerson(app(), { ...merchant, role: 'owner' })
  const path = `/merchants/${merchant_id}/customers/${customer_id}/adjustments`
  expect((await owner.call('POST', path, { points: 400, reason: 'A gift' })).status).toBe(200)
})
