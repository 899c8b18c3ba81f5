import { expect, test } from 'vitest'
import type { Email } from '../../src/domain/email.ts'
import { insertLink } from '../../src/features/staff/link-queries.ts'
import { makeLink } from '../../src/features/staff/links.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

const database = testDatabase()
const started = testApp(database)
const password = 'kettle grants tuesday'

async function invited(email: string) {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const to = { program_id, merchant_id, role: 'read_only', invited_by: 'stranger@shop.example' } as const
  const made = { purpose: 'invitation', email: email as Email, mailed: false, to } as const
  const { row, url } = makeLink('https://localhost', made, new Date())
  await app.db.run(insertLink(row))
  return { token: url.split('#')[1] ?? '', merchant_id }
}

// What went wrong: joining a team renewed the session of an unattended browser, and counted as a fresh sign-in. A
// stranger with a merchant invited the person, accepted in that browser, and added a passkey without the password.
test('joining a team does not stand in for the password', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const person = await makePerson(app, { program_id, merchant_id, role: 'owner' }, password)
  const text = `update staff_session set proven_at = $2 where staff_uuid = $1`
  await database.owner.run({ text, values: [person.staff_uuid, new Date(Date.now() - 3_600_000)] })
  expect((await person.call('POST', '/account/passkeys/options')).status).toBe(403)
  const { token } = await invited(person.email)
  const before = person.cookies.get('__Host-nuqta-session')
  expect((await person.call('POST', '/links/accept', { token })).status).toBe(200)
  expect(person.cookies.get('__Host-nuqta-session')).not.toBe(before)
  expect((await person.call('POST', '/account/passkeys/options')).status).toBe(403)
  expect((await person.call('POST', '/session/confirm', { password })).status).toBe(200)
  expect((await person.call('POST', '/account/passkeys/options')).status).toBe(200)
})

// What went wrong: without a mail server the inviter sees the link, and its page showed the name of the address's owner.
test('an invitation names its recipient only to the recipient', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const person = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const { token } = await invited(person.email)
  const strange = await staffBrowser(app).call('POST', '/links/open', { token })
  expect(strange.body.data).toMatchObject({ needs: 'sign_in', name: null, locale: null })
  const own = await person.call('POST', '/links/open', { token })
  expect(own.body.data).toMatchObject({ needs: 'nothing', name: expect.stringMatching(/^Person/) })
})
