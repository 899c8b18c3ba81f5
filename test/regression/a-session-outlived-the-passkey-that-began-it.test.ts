import { expect, test } from 'vitest'
import { dataOf, type Envelope } from '../http/client.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// A stolen phone signs in by its passkey. Its owner removes the passkey, and the phone stayed signed in: other than a new
// password and an app, a passkey that was added or removed left all other sessions and the token as they were.

const database = testDatabase()
const started = testApp(database)
const password = 'kettle grants tuesday'
const site = { origin: 'https://localhost:8443', rp_id: 'localhost' }
const asked = (body: Envelope) => body.data as { challenge: string }

async function owner() {
  const app = started()
  const person = await makePerson(app, { ...(await makeMerchant(app.db)), role: 'owner' }, password)
  const device = createAuthenticator(site)
  const add = async () => {
    const options = asked((await person.call('POST', '/account/passkeys/options')).body)
    return person.call('POST', '/account/passkeys', { name: 'Phone', response: device.register(options) })
  }
  const enter = async () => {
    const browser = staffBrowser(app)
    const options = asked((await browser.call('POST', '/sign-in/passkey/options')).body)
    await browser.call('POST', '/sign-in/passkey', device.signIn(options))
    return browser
  }
  /** The same session by the token that the browser has now. */
  const copy = () => staffBrowser(app, person.cookies.get('__Host-nuqta-session'))
  return { app, person, add, enter, copy }
}

test('a passkey that is removed takes its sessions along', async () => {
  const { person, add, enter, copy } = await owner()
  const added = await add()
  const phone = await enter()
  expect((await phone.call('GET', '/session')).status).toBe(200)
  const copied = copy()
  const removed = await person.call('DELETE', `/account/passkeys/${dataOf(added)['passkey_uuid']}`)
  expect(removed.status).toBe(200)
  expect((await phone.call('GET', '/session')).status).toBe(401)
  expect((await copied.call('GET', '/session')).status).toBe(401)
  expect((await person.call('GET', '/session')).status).toBe(200)
})

test('a passkey that is added ends the sessions that a password alone has begun', async () => {
  const { person, add, enter, copy } = await owner()
  await add()
  const [other, copied] = [await enter(), copy()]
  const device = createAuthenticator(site)
  const options = asked((await person.call('POST', '/account/passkeys/options')).body)
  const added = await person.call('POST', '/account/passkeys', { name: 'Key', response: device.register(options) })
  expect([added.status, Object.keys(dataOf(added)).sort()]).toEqual([200, ['passkey_uuid', 'recovery_codes']])
  for (const { call } of [other, copied]) expect((await call('GET', '/session')).status).toBe(401)
  expect((await person.call('GET', '/session')).status).toBe(200)
})

test('a password alone begins no session while the first passkey is being added', async () => {
  const { app, person, add } = await owner()
  const sent: ReturnType<typeof add>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: 'select from staff where staff_uuid = $1 for update', values: [person.staff_uuid] })
    sent.push(add())
    await waitForLocks(database.owner, 1)
    sent.push(staffBrowser(app).call('POST', '/sign-in', { email: person.email, password }))
    await waitForLocks(database.owner, 2)
  })
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 401])
})
