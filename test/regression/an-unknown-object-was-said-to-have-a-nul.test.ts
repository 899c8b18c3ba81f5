import { expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// A filter of the audit log that names no object was refused with the text about NUL characters.

const database = testDatabase()
const app = testApp(database)

it('a filter that names no object is told what names one', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const operator = await makePerson(app(), 'operator')
  const { status, body } = await operator.call('GET', `/programs/${program_id}/audit?object=customer:x`)
  expect(status).toBe(422)
  expect(body.errors).toEqual({
    object: ['The selected object is invalid. Use one of: merchant:7, customer:UUID, a UUID alone.'],
  })
})

it('a place of the list of customers that is none is told as one', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const operator = await makePerson(app(), 'operator')
  const { status, body } = await operator.call('GET', `/programs/${program_id}/customers?after=x`)
  expect(status).toBe(422)
  expect(JSON.stringify(body.errors)).not.toContain('NUL')
})
