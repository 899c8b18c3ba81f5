import { expect, test } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// Somebody who changes the password ends every other session. A passkey that one of them was adding at that moment was added
// afterwards, and opened the account for good.

const database = testDatabase()
const started = testApp(database)

const password = 'kettle grants tuesday'

test('a session that is ended while it adds a passkey adds none', async () => {
  const app = started()
  await makeProgram(app.db)
  const sara = await makePerson(app, 'operator', password)
  const thief = staffBrowser(app)
  expect((await thief.call('POST', '/sign-in', { email: sara.email, password })).status).toBe(200)
  const options = (await thief.call('POST', '/account/passkeys/options')).body.data as { challenge: string }
  const device = createAuthenticator({ origin: 'https://localhost:8443', rp_id: 'localhost' })
  const passkey = { name: 'Phone', response: device.register(options) }

  const sent: ReturnType<typeof thief.call>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: 'select from staff where staff_uuid = $1 for update', values: [sara.staff_uuid] })
    const fresh = { current_password: password, password: 'another kettle on monday' }
    sent.push(sara.call('POST', '/account/password', fresh))
    await waitForLocks(database.owner, 1)
    sent.push(thief.call('POST', '/account/passkeys', passkey))
    await waitForLocks(database.owner, 2)
  })
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 401])
  expect((await sara.call('GET', '/account/passkeys')).body.data).toEqual([])
})
