import { expect, test } from 'vitest'
import { disablePerson } from '../../src/features/staff/operators.ts'
import { makeProgram, testApp } from '../support/api.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// Whoever is kept out loses every session. A sign-in by passkey at that moment began its session afterwards: it opened
// nothing while the person was kept out, and everything again once they were let in, though they had not signed in since.

const database = testDatabase()
const started = testApp(database)

test('a sign-in by passkey of somebody who is kept out at that moment begins no session', async () => {
  const app = started()
  await makeProgram(app.db)
  const sara = await makePerson(app, 'operator')
  const device = createAuthenticator({ origin: 'https://localhost:8443', rp_id: 'localhost' })
  const asked = (await sara.call('POST', '/account/passkeys/options')).body.data as { challenge: string }
  await sara.call('POST', '/account/passkeys', { name: 'Phone', response: device.register(asked) })
  const browser = staffBrowser(app)
  const options = (await browser.call('POST', '/sign-in/passkey/options')).body.data as { challenge: string }
  const by = { source: 'command', name: 'Omar' } as const
  const sent: Promise<{ status: number }>[] = []
  /** The person is kept out, and the change is not committed yet. */
  const keep = async () => {
    const answer = browser.call('POST', '/sign-in/passkey', device.signIn(options))
    sent.push(answer)
    await Promise.race([answer, waitForLocks(database.owner)])
  }
  const parts = { db: app.db, by, now: new Date() }
  await disablePerson({ ...parts, keep }, sara.email, true)
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([401])
  await disablePerson(parts, sara.email, false)
  expect((await browser.call('GET', '/session')).status).toBe(401)
})
