import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf, type Envelope } from '../../http/client.ts'
import { type App, makeMerchant, testApp } from '../../support/api.ts'
import { type Authenticator, type AuthenticatorSettings, createAuthenticator } from '../../support/authenticator.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson, type Person, staffBrowser } from '../../support/staff.ts'

// A passkey signs in by itself. Its answers are made by an authenticator in software, and checked as those of a phone.

const database = testDatabase()
const started = testApp(database)
let app: App

beforeAll(() => {
  app = started()
})

const password = 'kettle grants tuesday'
const site = { origin: 'https://localhost:8443', rp_id: 'localhost' }
const asked = (body: Envelope) => body.data as { challenge: string }

async function owner(): Promise<Person> {
  return makePerson(app, { ...(await makeMerchant(app.db)), role: 'owner' }, password)
}

async function add(person: Person, settings: Partial<AuthenticatorSettings> = {}) {
  const device = createAuthenticator({ ...site, ...settings })
  const options = asked((await person.call('POST', '/account/passkeys/options')).body)
  const reply = await person.call('POST', '/account/passkeys', { name: 'Phone', response: device.register(options) })
  return { device, options, reply }
}

async function signIn(device: Authenticator, browser = staffBrowser(app)) {
  const options = asked((await browser.call('POST', '/sign-in/passkey/options')).body)
  const response = device.signIn(options)
  return { browser, response, reply: await browser.call('POST', '/sign-in/passkey', response) }
}

describe('a passkey', () => {
  it('signs in by itself, as both factors, and is listed with its last use', async () => {
    const person = await owner()
    const { device, reply } = await add(person)
    expect([reply.status, (dataOf(reply)['recovery_codes'] as string[]).length]).toEqual([200, 10])
    const entered = await signIn(device)
    expect(entered.reply.body.data).toEqual({ state: 'signed_in', factors: [] })
    expect((await entered.browser.call('GET', '/session')).body.data).toMatchObject({ email: person.email })
    expect((await person.call('GET', '/account/passkeys')).body.data).toMatchObject([
      { name: 'Phone', used_at: expect.stringMatching(/Z$/) },
    ])
  })

  it('is asked for after the password from then on', async () => {
    const person = await owner()
    await add(person)
    const reply = await staffBrowser(app).call('POST', '/sign-in', { email: person.email, password })
    expect(dataOf(reply)).toEqual({ state: 'second_factor', factors: ['passkey', 'recovery_code'] })
  })

  it('answers a challenge once, even in two requests at once', async () => {
    const { device } = await add(await owner())
    const options = asked((await staffBrowser(app).call('POST', '/sign-in/passkey/options')).body)
    const response = device.signIn(options)
    const give = () => staffBrowser(app).call('POST', '/sign-in/passkey', response)
    const both = await Promise.all([give(), give()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('is refused as a copy when its counter does not grow', async () => {
    const { device } = await add(await owner(), { counts: 1 })
    expect((await signIn(device)).reply.status).toBe(200)
    await database.owner.run({ text: 'update staff_passkey set counter = 9 where counter > 0', values: [] })
    expect((await signIn(device)).reply.status).toBe(401)
  })

  it.each([
    ['does not verify its user', { verifies: false }],
    ['is of another site', { origin: 'https://nuqta.example' }],
    ['is for another host', { rp_id: 'nuqta.example' }],
  ])('that %s is refused', async (_, settings) => {
    const { reply } = await add(await owner(), settings)
    expect(reply.status).toBe(401)
  })

  it('is refused with a challenge of another session, of another use, or from before', async () => {
    const [one, two] = [await owner(), await owner()]
    const device = createAuthenticator(site)
    const options = asked((await one.call('POST', '/account/passkeys/options')).body)
    const answer = (challenge: string) =>
      two.call('POST', '/account/passkeys', { name: 'X', response: device.register({ challenge }) })
    expect((await answer(options.challenge)).status).toBe(401)
    const other = asked((await two.call('POST', '/sign-in/passkey/options')).body)
    expect((await answer(other.challenge)).status).toBe(401)
    expect((await answer('AAAA')).status).toBe(401)
  })

  it('that nobody knows, and one that was removed, do not sign in', async () => {
    expect((await signIn(createAuthenticator(site))).reply.status).toBe(401)
    const person = await owner()
    const { device, reply } = await add(person)
    const path = `/account/passkeys/${dataOf(reply)['passkey_uuid']}`
    expect((await (await owner()).call('DELETE', path)).status).toBe(404)
    expect((await person.call('DELETE', path)).status).toBe(200)
    expect((await signIn(device)).reply.status).toBe(401)
    expect((await person.call('GET', '/account')).body.data).toMatchObject({ passkeys: 0, recovery_codes: 0 })
  })
})
