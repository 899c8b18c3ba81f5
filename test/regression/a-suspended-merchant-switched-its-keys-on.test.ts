import { expect, it } from 'vitest'
import { makeMerchant, purchase, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase({ leaves: ['due deliveries'] })
const started = testApp(database)

// An operator suspended a merchant together with its keys, which were stolen. Any of its owners switched them on again.
it('only lifting the suspension makes the keys of a suspended merchant valid again', async () => {
  const app = started()
  const shop = await makeMerchant(app.db)
  const { program_id, merchant_id } = shop
  const earned = await app.post('/v1/orders/earning', shop.private_key, purchase())
  const { uuid } = earned.body.data as { uuid: string }
  const operator = await makePerson(app, 'operator')
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const path = `/programs/${program_id}/merchants/${merchant_id}`
  const read = async () => (await app.get(`/v1/orders/${uuid}`, shop.private_key)).status
  const switchTo = async (status: boolean) =>
    (await owner.call('PATCH', `/merchants/${merchant_id}/keys`, { status })).status

  expect((await operator.call('POST', `${path}/suspend`, { reason: 'Stolen keys', keys_off: true })).status).toBe(200)
  expect([await switchTo(true), await read()]).toEqual([409, 400])
  expect((await operator.call('POST', `${path}/resume`, { keys_on: false })).status).toBe(200)
  expect([await switchTo(true), await read()]).toEqual([200, 200])

  // A suspension that leaves the keys alone: its owners may still switch them off.
  expect((await operator.call('POST', `${path}/suspend`, { reason: 'Unpaid', keys_off: false })).status).toBe(200)
  expect([await read(), await switchTo(false), await read(), await switchTo(true)]).toEqual([200, 200, 400, 409])
})
