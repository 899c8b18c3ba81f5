import { beforeAll, describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../../src/dashboard-routes.ts'
import { createOperator } from '../../../src/features/staff/operators.ts'
import { type App, makeMerchant, testApp } from '../../support/api.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson, type Person, type StaffBrowser, staffBrowser } from '../../support/staff.ts'

// A browser that somebody has left open, or a copied cookie, must not be enough to give keys, secrets or rights away.

const database = testDatabase()
const started = testApp(database)
let app: App
let merchant: { readonly program_id: number; readonly merchant_id: number }

beforeAll(async () => {
  app = started()
  merchant = await makeMerchant(app.db)
})

const password = 'kettle grants tuesday'
const regenerate = () => `/merchants/${merchant.merchant_id}/keys/regenerate`
const owner = (secret?: string) => makePerson(app, { ...merchant, role: 'owner' }, secret)

/** Has a person signed in an hour ago. */
async function age({ staff_uuid }: Pick<Person, 'staff_uuid'>): Promise<void> {
  const text = 'update staff_session set proven_at = $2 where staff_uuid = $1'
  await database.owner.run({ text, values: [staff_uuid, new Date(Date.now() - 3_600_000)] })
}

const confirmBy = async (who: StaffBrowser, path: string, method = 'POST', json: unknown = {}) => {
  const { status, body } = await who.call(method, path, json)
  return [status, (body.appended_data as { confirm_by?: unknown }).confirm_by]
}

describe('an act that needs a recent sign-in', () => {
  const recent = dashboardRoutes.filter((row) => row.recent)

  it('is one of the table that gives out keys, secrets or rights, or says where money and events go', () => {
    expect(recent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /account/totp/begin',
      'POST /account/totp/remove',
      'POST /account/recovery-codes',
      'POST /account/passkeys/options',
      'DELETE /account/passkeys/:passkeyUuid',
      'POST /operator/people',
      'POST /operator/people/:staffUuid/recover',
      'POST /operator/people/:staffUuid/enable',
      'POST /programs/:programId/webhook',
      'POST /programs/:programId/webhook/rotate',
      'POST /programs/:programId/proposals/:proposalUuid/confirm',
      'POST /programs/:programId/merchants',
      'PUT /merchants/:merchantId/payment',
      'POST /merchants/:merchantId/signed-checkouts',
      'POST /merchants/:merchantId/checkout-secret/rotate',
      'POST /merchants/:merchantId/keys/regenerate',
      'POST /merchants/:merchantId/webhooks',
      'PATCH /merchants/:merchantId/webhooks/:uuid',
      'POST /merchants/:merchantId/webhooks/:uuid/rotate',
      'POST /merchants/:merchantId/team/invitations',
      'PATCH /merchants/:merchantId/team/:staffUuid',
    ])
  })

  it.each(recent.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is refused a while after the sign-in, before its body is read, and let through again',
    async (_, { method, path, may }) => {
      const person = may === 'operator' ? await makePerson(app, 'operator', password) : await owner(password)
      await age(person)
      const uuid = '0193e7a1-0000-7000-8000-00000000000a'
      const url = path
        .replace(':programId', `${merchant.program_id}`)
        .replace(':merchantId', `${merchant.merchant_id}`)
        .replace(/:\w+/, uuid)
      expect(await confirmBy(person, url, method, 'not what it takes')).toEqual([403, ['password']])
      expect((await person.call('POST', '/session/confirm', { password })).status).toBe(200)
      const [status, by] = await confirmBy(person, url, method, { which: 'private' })
      expect([200, 404, 422]).toContain(status)
      expect(by).toBeUndefined()
    },
  )
})

describe('a confirmation', () => {
  it('is refused with a wrong password, and changes nothing then', async () => {
    const person = await owner(password)
    await age(person)
    expect(await confirmBy(person, '/session/confirm', 'POST', { password: 'not the password' })).toEqual([
      403,
      undefined,
    ])
    expect(await confirmBy(person, regenerate())).toEqual([403, ['password']])
  })

  it('gives the session another token: a copy of the old one gains nothing', async () => {
    const person = await owner(password)
    await age(person)
    const copy = staffBrowser(app, person.cookies.get('__Host-nuqta-session'))
    expect((await person.call('POST', '/session/confirm', { password })).status).toBe(200)
    expect((await copy.call('GET', '/session')).status).toBe(401)
    expect((await person.call('GET', '/session')).status).toBe(200)
  })

  it('can be a passkey, for somebody without a password too, and only one of their own', async () => {
    const [person, other] = [await owner(), await owner()]
    const make = async (who: Person) => {
      const device = createAuthenticator({ origin: 'https://localhost:8443', rp_id: 'localhost' })
      const options = (await who.call('POST', '/account/passkeys/options')).body.data as { challenge: string }
      await who.call('POST', '/account/passkeys', { name: 'Phone', response: device.register(options) })
      await age(who)
      return device
    }
    const [own, strange] = [await make(person), await make(other)]
    const answer = async (device: typeof own) =>
      device.signIn((await person.call('POST', '/sign-in/passkey/options')).body.data as { challenge: string })
    expect(await confirmBy(person, regenerate())).toEqual([403, ['passkey']])
    expect((await person.call('POST', '/session/confirm/passkey', await answer(strange))).status).toBe(401)
    expect(await confirmBy(person, regenerate())).toEqual([403, ['passkey']])
    const given = await answer(own)
    expect((await person.call('POST', '/session/confirm/passkey', given)).status).toBe(200)
    expect((await person.call('POST', regenerate(), { which: 'private' })).status).toBe(200)
    // An answer counts once.
    expect((await person.call('POST', '/session/confirm/passkey', given)).status).toBe(401)
  })

  it('is nothing that somebody has to give whom a sandbox has let in by its link alone', async () => {
    const by = { source: 'command', name: 'root' } as const
    const parts = { db: app.db, public_url: 'https://localhost:8443', now: new Date(), by }
    const { link, email } = await createOperator(parts, { email: 'first@shop.example', merchant })
    const person = staffBrowser(app)
    expect((await person.call('POST', '/links/accept', { token: link.split('#')[1] })).status).toBe(200)
    const text = `update staff_session set proven_at = $2 where staff_uuid = (select staff_uuid from staff where email = $1)`
    await database.owner.run({ text, values: [email, new Date(Date.now() - 3_600_000)] })
    expect((await person.call('POST', regenerate(), { which: 'private' })).status).toBe(200)
    expect((await person.call('POST', '/account/password', { password })).status).toBe(200)
    await database.owner.run({ text, values: [email, new Date(Date.now() - 3_600_000)] })
    expect(await confirmBy(person, regenerate())).toEqual([403, ['password']])
  })
})
