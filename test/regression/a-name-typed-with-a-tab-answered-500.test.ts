import { beforeAll, expect, it } from 'vitest'
import { max_merchant_name } from '../../src/domain/merchant.ts'
import { invitationMail } from '../../src/features/staff/mails.ts'
import { type App, makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// What went wrong: commands refused names with control characters, and the dashboard left that to the same check, which
// answered 500 there. A merchant's own staff could give it any name, also one that added paragraphs to the mails of invitations.

const database = testDatabase()
const started = testApp(database)
let app: App

beforeAll(() => {
  app = started()
})

const names = ['Shop\tRiyadh', 'Two\nlines', 'red \u001b[31m', 'next\u0085line']

it.each(names)('%j names neither a program nor a merchant', async (name) => {
  const { program_id } = await makeMerchant(app.db)
  const operator = await makePerson(app, 'operator')
  const errors = { name: ['The name must be one line of text.'] }
  const program = await operator.call('POST', '/programs', { name })
  expect([program.status, program.body.errors]).toEqual([422, errors])
  const merchant = await operator.call('POST', `/programs/${program_id}/merchants`, { name })
  expect([merchant.status, merchant.body.errors]).toEqual([422, errors])
  const arabic = await operator.call('POST', `/programs/${program_id}/merchants`, { name: 'Shop', name_ar: name })
  expect([arabic.status, Object.keys(arabic.body.errors ?? {})]).toEqual([422, ['name_ar']])
})

it.each(names)('%j is no name that the staff of a merchant can choose', async (name) => {
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const brand = `/merchants/${merchant_id}/brand`
  const { version } = (await owner.call('GET', brand)).body.data as { version: string }
  const { status, body } = await owner.call('PATCH', brand, { version, name, name_ar: name })
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['name', 'name_ar']])
})

it('counts characters of a name as the check before it does', async () => {
  const { program_id } = await makeMerchant(app.db)
  const operator = await makePerson(app, 'operator')
  const merchants = `/programs/${program_id}/merchants`
  expect((await operator.call('POST', merchants, { name: '🛍'.repeat(max_merchant_name) })).status).toBe(200)
  expect((await operator.call('POST', merchants, { name: '🛍'.repeat(max_merchant_name + 1) })).status).toBe(422)
  expect((await operator.call('POST', '/programs', { name: '🛍'.repeat(255) })).status).toBe(200)
})

it('keeps an older name from adding paragraphs to a mail', () => {
  const merchant_name = 'Shop.\n\nPay at https://elsewhere.example\n\n'
  const words = { merchant_name, merchant_name_ar: null, role: 'support', invited_by: 'owner@shop.example' } as const
  const { text } = invitationMail('new@shop.example', 'en', 'https://nuqta.example/link', words)
  expect(text.split('\n\n')).toHaveLength(3)
})
