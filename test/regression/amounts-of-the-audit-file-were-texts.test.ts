import { expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { makePerson } from '../support/staff.ts'

// A number below zero had the apostrophe of a formula before it in the file of the audit log: spreadsheets did not add it up.

const database = testDatabase()
const app = testApp(database)

it('numbers are numbers in the file, and texts that look like formulas are not', async () => {
  const { merchant } = await oneShop(database.db)
  const { program_id, merchant_id } = merchant
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const { customer_id } = (await walletOf(database.db, program_id, phone)) ?? {}
  const owner = await makePerson(app(), { ...merchant, role: 'owner' })
  const path = `/merchants/${merchant_id}/customers/${customer_id}/adjustments`
  expect((await owner.call('POST', path, { points: -40, reason: '=1+1' })).status).toBe(200)
  const { text } = await owner.call('GET', `/merchants/${merchant_id}/audit.csv`)
  expect(text).toContain(',points,,-40\r\n')
  expect(text).toContain(",reason,,'=1+1\r\n")
})
