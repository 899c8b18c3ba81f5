import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { signInLimits } from '../../src/domain/sign-in.ts'
import { createPasswords } from '../../src/features/staff/passwords.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'

const database = testDatabase()
const started = testApp(database)
const password = 'kettle grants tuesday'

async function withApp() {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const person = await makePerson(app, { program_id, merchant_id, role: 'owner' }, password)
  const { secret } = (await person.call('POST', '/account/totp/begin')).body.data as { secret: string }
  return {
    person,
    phone: codeApp(secret),
    codeAt: (offset_s: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + offset_s }),
  }
}

// What went wrong: a sign-in that renewed the hash gave a ticket for the old hash, so the second factor always came too late.
test('the second factor completes a sign-in that renewed the hash of the password', async () => {
  const app = started()
  const { person, phone } = await withApp()
  expect((await person.call('POST', '/account/totp/confirm', { code: phone.next() })).status).toBe(200)
  const old = await createPasswords({ N: 2 ** 9, r: 8, p: 1 }).hash(password)
  const text = 'update staff set password_hash = $2 where staff_uuid = $1'
  await database.owner.run({ text, values: [person.staff_uuid, old] })
  const browser = staffBrowser(app)
  const asked = await browser.call('POST', '/sign-in', { email: person.email, password })
  expect(asked.body.data).toMatchObject({ state: 'second_factor' })
  expect((await browser.call('POST', '/sign-in/second-factor', { code: phone.next() })).status).toBe(200)
})

// What went wrong: nothing limited wrong codes during the setup of an app, and a right one reveals recovery codes.
test('codes to confirm an app can be guessed a few times only', async () => {
  const { person, codeAt } = await withApp()
  const right = new Set([-30, 0, 30, 60, 90].map(codeAt))
  const wrong = ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.has(code)) ?? ''
  for (let tried = 0; tried < (signInLimits.confirm.rules[0]?.most ?? 0); tried += 1) {
    const { body } = await person.call('POST', '/account/totp/confirm', { code: wrong })
    expect(body.status).toBe(false)
  }
  expect((await person.call('POST', '/account/totp/confirm', { code: codeAt(0) })).status).toBe(429)
})
