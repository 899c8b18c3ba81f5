import { expect, it } from 'vitest'
import { DomainError } from '../../src/domain/failures.ts'
import { signInLimits } from '../../src/domain/sign-in.ts'
import { insertCounter } from '../../src/features/limits/queries.ts'
import { signIn } from '../../src/features/staff/sign-in.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// What went wrong: only wrong passwords were counted before they were compared. Whoever knew the password of any account could
// have it compared without end, by signing in or by confirming a change, and kept both places busy in which that is done.

const app = testApp(testDatabase())

const password = 'kettle grants tuesday'
const most = signInLimits.compared.rules[0]?.most ?? 0
const person = async () => makePerson(app(), { ...(await makeMerchant(app().db)), role: 'read_only' }, password)

/** Counts all but one. */
async function useUp(whom: readonly string[]): Promise<void> {
  const { limits, secrets } = app().services.staff
  const key_hash = secrets.derive(['limit', signInLimits.compared.name, ...whom])
  const at = limits.now()
  await app().db.run(insertCounter({ key_hash, tallies: [{ at, count: most - 1 }], kept_until: at }))
}

it('right passwords from an address are counted, and no longer compared after the most', async () => {
  const { email } = await person()
  const from = (address: string) =>
    signIn(app().services.staff, { email, password }, { visitor: { address, user_agent: undefined }, known: undefined })
  await useUp(['address', '203.0.113.9'])
  expect(await from('203.0.113.9')).toMatchObject({ kind: 'signed_in' })
  await expect(from('203.0.113.9')).rejects.toMatchObject({ failure: { kind: 'too_many_sign_ins' } })
  expect(await from('203.0.113.10')).toMatchObject({ kind: 'signed_in' })
})

it('right passwords of confirmations are counted by the person', async () => {
  const [one, other] = [await person(), await person()]
  await useUp(['person', one.staff_uuid])
  const statusOf = async (who: typeof one) => (await who.call('POST', '/session/confirm', { password })).status
  expect([await statusOf(one), await statusOf(one), await statusOf(other)]).toEqual([200, 429, 200])
})

it('what could not be compared does not count', async () => {
  const { email } = await person()
  const { staff } = app().services
  const busy = { ...staff.passwords, verify: () => Promise.reject(new DomainError({ kind: 'sign_in_busy' })) }
  const caller = { visitor: { address: '203.0.113.11', user_agent: undefined }, known: undefined }
  await useUp(['address', '203.0.113.11'])
  const refused = signIn({ ...staff, passwords: busy }, { email, password }, caller)
  await expect(refused).rejects.toMatchObject({ failure: { kind: 'sign_in_busy' } })
  expect(await signIn(staff, { email, password }, caller)).toMatchObject({ kind: 'signed_in' })
})
