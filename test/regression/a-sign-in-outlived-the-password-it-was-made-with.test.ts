import { expect, test, vi } from 'vitest'
import { makeProgram, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

// A password takes some tenths of a second to compare, and seconds while many are compared. Somebody who changed a stolen
// one ended every other session; a sign-in by the old one that was being compared at that moment began its session
// afterwards, and kept it.

const database = testDatabase()
const started = testApp(database)

const old = 'a stolen password of Sara'

/** Signs in by the old password, and does something once it was found right. */
async function signInWhile(meanwhile: (sara: Awaited<ReturnType<typeof makePerson>>) => Promise<unknown>) {
  const app = started()
  await makeProgram(app.db)
  const sara = await makePerson(app, 'operator', old)
  const { passwords } = app.services.staff
  const { verify } = passwords
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (password, stored) => {
    const compared = await verify(password, stored)
    await meanwhile(sara)
    return compared
  })
  const thief = staffBrowser(app)
  const answer = await thief.call('POST', '/sign-in', { email: sara.email, password: old })
  return { sara, thief, answer }
}

test('a sign-in by a password that is changed meanwhile begins no session', async () => {
  const { sara, thief, answer } = await signInWhile(async (person) => {
    const fresh = { current_password: old, password: 'another password of Sara' }
    expect((await person.call('POST', '/account/password', fresh)).status).toBe(200)
  })
  expect(answer.status).toBe(401)
  expect((await thief.call('GET', '/session')).status).toBe(401)
  expect((await sara.call('GET', '/session')).status).toBe(200)
})

test('a sign-in during which nothing changes goes on', async () => {
  const { thief, answer } = await signInWhile(async () => undefined)
  expect(answer.status).toBe(200)
  expect((await thief.call('GET', '/session')).status).toBe(200)
})
