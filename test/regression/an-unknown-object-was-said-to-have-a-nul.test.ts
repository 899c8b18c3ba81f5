import { expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// Filters, places of lists, names of versions and lines that are none were refused with the text about NUL characters.

const database = testDatabase()
const app = testApp(database)

it('a filter that names no object is told what names one', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const operator = await makePerson(app(), 'operator')
  const { status, body } = await operator.call('GET', `/programs/${program_id}/audit?object=customer:x`)
  expect(status).toBe(422)
  expect(body.errors).toEqual({
    object: ['The selected object is invalid. Use one of: merchant:7, customer:UUID, UUID.'],
  })
})

it('a place of the list of customers that is none is told as one', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const operator = await makePerson(app(), 'operator')
  const { status, body } = await operator.call('GET', `/programs/${program_id}/customers?after=x`)
  expect(status).toBe(422)
  expect(JSON.stringify(body.errors)).not.toContain('NUL')
})

it('a version of the terms and the name of an operator are told what they may be', async () => {
  const { program_id } = (await oneShop(database.db)).merchant
  const operator = await makePerson(app(), 'operator')
  const errorsOf = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<unknown> =>
    (await operator.call(method, `/programs/${program_id}${path}`, body)).body.errors
  const text = 'Terms\n\nPoints are a gift.'
  const terms = { version: 'two words', begins_on: '2999-01-01', text_en: text, text_ar: text }
  expect(await errorsOf('POST', '/terms', terms)).toMatchObject({
    version: ['The version must be up to 20 letters, digits, dots and dashes, and begin with a letter or a digit.'],
  })
  expect(await errorsOf('PATCH', '/settings', { operator_name: 'two\nlines' })).toMatchObject({
    operator_name: ['The operator name must be one line of text.'],
  })
})
