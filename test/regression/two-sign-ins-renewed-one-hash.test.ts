import { expect, test, vi } from 'vitest'
import { createPasswords } from '../../src/features/staff/passwords.ts'
import { makeProgram, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

// A sign-in makes a hash with old parameters anew. Of two at the same moment only one writes its hash. The other was then
// refused, because the password seemed to be changed, or got a ticket for a second factor that was worth nothing.

const database = testDatabase()
const started = testApp(database)
const password = 'kettle grants tuesday'

/** Signs in with a hash of old parameters, and does something once the password was found right. */
async function signInWhile(meanwhile: (signIn: () => Promise<number>, staff_uuid: string) => Promise<unknown>) {
  const app = started()
  await makeProgram(app.db)
  const { email, staff_uuid } = await makePerson(app, 'operator', password)
  const set = (password_hash: string) =>
    database.owner.run({
      text: 'update staff set password_hash = $2 where staff_uuid = $1',
      values: [staff_uuid, password_hash],
    })
  const old = createPasswords({ N: 2 ** 5, r: 8, p: 1 })
  await set(await old.hash(password))
  const signIn = async () => (await staffBrowser(app).call('POST', '/sign-in', { email, password })).status
  const { passwords } = app.services.staff
  const { verify } = passwords
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (typed, stored) => {
    const compared = await verify(typed, stored)
    expect(compared).toEqual({ right: true, outdated: true })
    await meanwhile(signIn, staff_uuid)
    return compared
  })
  return signIn()
}

test('two sign-ins that make one hash anew both begin their sessions', async () => {
  const others: number[] = []
  expect(await signInWhile(async (signIn) => others.push(await signIn()))).toBe(200)
  expect(others).toEqual([200])
})

test('a password that is changed before its hash is made anew is refused', async () => {
  const change = async (_: unknown, staff_uuid: string) =>
    database.owner.run({
      text: 'update staff set password_hash = $2 where staff_uuid = $1',
      values: [staff_uuid, await createPasswords({ N: 2 ** 5, r: 8, p: 1 }).hash('another kettle on monday')],
    })
  expect(await signInWhile(change)).toBe(401)
})
