import { expect, it } from 'vitest'
import { setProgram } from '../../src/features/merchants/programs.ts'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// A close of a merchant that is not there, or is in another program, was answered as begun, and could wait for a second person.
// A number beyond a bigint answered 500.

const database = testDatabase()
const app = testApp(database)

it('previews and closes are of a merchant of their program', async () => {
  const { merchant } = await oneShop(database.db)
  const operator = await makePerson(app(), 'operator')
  const { data: made } = (await operator.call('POST', '/programs', { name: 'Mall' })).body
  const other = (made as never as { readonly program_id: number }).program_id
  const ask = (program_id: number, merchant_id: number, kind = 'close') =>
    operator.call('POST', `/programs/${program_id}/settlement-runs`, { kind, merchant_id })
  const statuses = []
  for (const two_person_settlements of [false, true]) {
    const changes = { two_person_settlements }
    await setProgram(database.db, 'Mall', { changes, now: app().clock.now() })
    for (const merchant_id of [merchant.merchant_id, 999_999, 1e300])
      statuses.push((await ask(other, merchant_id)).status, (await ask(other, merchant_id, 'preview')).status)
  }
  expect(statuses).toEqual([404, 404, 404, 404, 422, 422, 404, 404, 404, 404, 422, 422])
  expect((await operator.call('GET', `/programs/${other}/settlement-runs`)).body.data).toEqual([])
  expect((await operator.call('GET', `/programs/${other}/proposals`)).body.data).toEqual([])
  expect((await ask(merchant.program_id, merchant.merchant_id, 'preview')).status).toBe(200)
})

it('a day that is not over is said to be not over', async () => {
  const { merchant } = await oneShop(database.db)
  const operator = await makePerson(app(), 'operator')
  const asked = { kind: 'close', until: '2099-01-01' }
  const { body } = await operator.call('POST', `/programs/${merchant.program_id}/settlement-runs`, asked)
  expect(body.errors).toEqual({ until: ['The until must be a day that is over in Riyadh.'] })
})
