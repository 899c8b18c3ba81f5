import { expect, it } from 'vitest'
import { signInLimits } from '../../src/domain/sign-in.ts'
import { insertCounter } from '../../src/features/limits/queries.ts'
import { signIn } from '../../src/features/staff/sign-in.ts'
import { siteOf } from '../../src/lib/client-network.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// What went wrong: wrong sign-ins were counted by the /56 of an IPv6 address. Whoever has a /48, as each rented server does,
// had 25,600 an hour, enough to keep both places busy in which passwords are compared: everybody else was told to come later.

const app = testApp(testDatabase())

const password = 'kettle grants tuesday'
const most = signInLimits.site.rules[0]?.most ?? 0
const address = (home: string) => `2001:db8:4a:${home}00::1`

it('wrong sign-ins from all the homes of one site are counted together', async () => {
  const { program_id, merchant_id } = await makeMerchant(app().db)
  const { email } = await makePerson(app(), { program_id, merchant_id, role: 'owner' }, password)
  const { staff } = app().services
  const from = (place: string, secret: string, known?: string) =>
    signIn(staff, { email, password: secret }, { visitor: { address: place, user_agent: undefined }, known })
  const key_hash = staff.secrets.derive(['limit', signInLimits.site.name, siteOf(address('00')) ?? ''])
  const at = staff.limits.now()
  await app().db.run(insertCounter({ key_hash, tallies: [{ at, count: most - 1 }], kept_until: at }))
  await expect(from(address('ab'), 'wrong')).rejects.toMatchObject({ failure: { kind: 'sign_in_refused' } })
  for (const home of ['01', 'cd'])
    await expect(from(address(home), password)).rejects.toMatchObject({ failure: { kind: 'too_many_sign_ins' } })
  const elsewhere = await from('2001:db8:4b::1', password)
  expect(elsewhere).toMatchObject({ kind: 'signed_in' })
  expect(await from('203.0.113.7', password)).toMatchObject({ kind: 'signed_in' })
  // A browser in which they have signed in before is no stranger's.
  const { known } = elsewhere as { readonly known: string }
  expect(await from(address('cd'), password, known)).toMatchObject({ kind: 'signed_in' })
})
