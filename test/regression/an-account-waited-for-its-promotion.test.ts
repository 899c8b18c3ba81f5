import { expect, test } from 'vitest'
import type { Email } from '../../src/domain/email.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { insertLink } from '../../src/features/staff/link-queries.ts'
import { makeLink } from '../../src/features/staff/links.ts'
import { createOperator } from '../../src/features/staff/operators.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'

const database = testDatabase()
const started = testApp(database, { environment: 'production' })
const password = 'kettle grants tuesday'

const tokenOf = (link: string) => link.split('#')[1]
const by = { source: 'command', name: 'Root' } as const
const promote = (email: string) =>
  createOperator(
    { db: started().db, public_url: 'https://localhost', now: new Date(), by },
    { email, merchant: undefined },
  )

// What went wrong: without a mail server, an owner can invite any address and create its account with a chosen password. When a
// command made the person with that address an operator, that password opened the operator's account.
test('a password set before the address was proven does not open the account of a new operator', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const early = await makePerson(app, { program_id, merchant_id, role: 'read_only' }, password)
  await early.call('POST', '/account/totp/begin')
  const { link } = await promote(early.email)
  expect((await early.call('GET', '/session')).status).toBe(401)
  expect((await staffBrowser(app).call('POST', '/sign-in', { email: early.email, password })).status).toBe(401)
  const person = staffBrowser(app)
  const chosen = { token: tokenOf(link), name: 'Sara', password: 'an entirely new kettle' }
  expect((await person.call('POST', '/links/accept', chosen)).body.data).toEqual({ state: 'signed_in', factors: [] })
  expect((await person.call('GET', '/session')).body.data).toMatchObject({ is_operator: true })
})

// What went wrong: a link of a command did not count as a proof of the address, so the first mailed link to choose a password
// removed the second factor of an operator: the mailbox alone opened the account.
test('an operator keeps the second factor when a mailed link changes the password', async () => {
  const app = started()
  const email = 'root@points.example'
  const { link } = await promote(email)
  const person = staffBrowser(app)
  await person.call('POST', '/links/accept', { token: tokenOf(link), name: 'Root', password })
  const begun = await person.call('POST', '/account/totp/begin')
  const { secret } = begun.body.data as { secret: string }
  expect((await person.call('POST', '/account/totp/confirm', { code: codeApp(secret).next() })).status).toBe(200)
  const { staff_uuid } = (await person.call('GET', '/session')).body.data as { staff_uuid: Uuid }
  const mailed = { purpose: 'reset', email: email as Email, mailed: true, to: staff_uuid } as const
  const { row, url } = makeLink('https://localhost', mailed, new Date())
  await app.db.run(insertLink(row))
  const chosen = { token: tokenOf(url), password: 'an entirely new kettle' }
  const reply = await staffBrowser(app).call('POST', '/links/accept', chosen)
  expect(reply.body.data).toEqual({ state: 'second_factor', factors: ['totp', 'recovery_code'] })
})
