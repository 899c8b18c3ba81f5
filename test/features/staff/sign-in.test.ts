import { beforeAll, describe, expect, it } from 'vitest'
import { signInLimits } from '../../../src/domain/sign-in.ts'
import { recoverOperator } from '../../../src/features/staff/operators.ts'
import { createPasswords } from '../../../src/features/staff/passwords.ts'
import { dataOf } from '../../http/client.ts'
import { type App, makeMerchant, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson, type Person, staffBrowser } from '../../support/staff.ts'
import { type CodeApp, codeApp } from '../../support/totp.ts'

// People sign in over HTTPS as the pages of the dashboard do: by password, app, recovery code and link.

const database = testDatabase()
const started = testApp(database)
let app: App
let shop: { program_id: number; merchant_id: number }

beforeAll(async () => {
  app = started()
  shop = await makeMerchant(app.db)
})

const password = 'kettle grants tuesday'
const most_wrong = signInLimits.account_strangers.rules[0]?.most ?? 0
const owner = (secret?: string): Promise<Person> => makePerson(app, { ...shop, role: 'owner' }, secret)
const actions = async (person: Person): Promise<string[]> => {
  const text = `select action from audit where object = $1 order by audit_id`
  const rows = await database.owner.run<{ action: string }>({ text, values: [`staff:${person.staff_uuid}`] })
  return rows.map(({ action }) => action)
}

async function signIn(email: string, secret = password, browser = staffBrowser(app)) {
  const reply = await browser.call('POST', '/sign-in', { email, password: secret })
  return { ...browser, reply, data: reply.body.data as Record<string, unknown> }
}

/** Switches codes by an app on; gives the app and the recovery codes. */
async function useApp(person: Person): Promise<{ phone: CodeApp; codes: string[] }> {
  const begun = await person.call('POST', '/account/totp/begin')
  const phone = codeApp(String(dataOf(begun)['secret']))
  const confirmed = await person.call('POST', '/account/totp/confirm', { code: phone.next() })
  expect(confirmed.status).toBe(200)
  return { phone, codes: dataOf(confirmed)['recovery_codes'] as string[] }
}

describe('signing in by password', () => {
  it('begins a session by a cookie that only our pages send, and is recorded', async () => {
    const person = await owner(password)
    const { reply, ...browser } = await signIn(person.email.toUpperCase())
    expect([reply.status, reply.body.data]).toEqual([200, { state: 'signed_in', factors: [] }])
    expect(reply.headers['set-cookie']?.[0]).toMatch(
      /^__Host-nuqta-session=[0-9a-z]{26}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const session = await browser.call('GET', '/session')
    expect(session.body.data).toMatchObject({
      email: person.email,
      is_operator: false,
      memberships: [{ merchant_id: shop.merchant_id, role: 'owner' }],
      environment: 'sandbox',
    })
    expect(await actions(person)).toEqual(['session.begin'])
    expect(app.logged.join('')).not.toContain(person.email)
  })

  it('ends for a day where an account signs in again and again, and for no other address or account', async () => {
    const [person, other] = [await owner(password), await owner(password)]
    const { limits } = app.services.staff
    const [limit, most] = [signInLimits.sign_ins, signInLimits.sign_ins.rules[0]?.most ?? 0]
    const whom = [person.staff_uuid, '127.0.0.1']
    for (let counted = 1; counted < most; counted += 1) await limits.admit([{ limit, whom }])
    expect((await signIn(person.email)).reply.status).toBe(200)
    expect((await signIn(person.email, 'another kettle grants')).reply.status).toBe(401)
    expect((await signIn(person.email)).reply.status).toBe(429)
    expect((await signIn(other.email)).reply.status).toBe(200)
    expect(await limits.refusal([{ limit, whom: [person.staff_uuid, '203.0.113.7'] }])).toBeNull()
  })

  it('answers an unknown address, a wrong password and a disabled person in the same way', async () => {
    const [known, disabled] = [await owner(password), await owner(password)]
    await database.owner.run({
      text: 'update staff set disabled = true where staff_uuid = $1',
      values: [disabled.staff_uuid],
    })
    const replies = [
      await signIn('nobody@shop.example'),
      await signIn(known.email, 'another kettle grants'),
      await signIn(disabled.email),
      await signIn('not an address'),
    ]
    const answers = replies.map(({ reply: { status, text } }) => ({ status, text }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401 })
    expect((await disabled.call('GET', '/session')).status).toBe(401)
  })

  it('is refused for a while after too many wrong tries, except in a browser of earlier sign-ins', async () => {
    const person = await owner(password)
    const known = await signIn(person.email)
    for (let tried = 0; tried < most_wrong; tried += 1)
      expect((await signIn(person.email, 'wrong')).reply.status).toBe(401)
    const { reply } = await signIn(person.email)
    expect(reply.status).toBe(429)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await signIn(person.email, password, known)).reply.status).toBe(200)
  })

  it('counts wrong tries that come at once', async () => {
    const person = await owner(password)
    const tries = await Promise.all(Array.from({ length: most_wrong + 5 }, () => signIn(person.email, 'wrong')))
    const statuses = tries.map(({ reply }) => reply.status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(most_wrong)
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
  })

  it('renews the hash when the parameters were raised', async () => {
    const person = await owner(password)
    const read = async () => {
      const text = 'select password_hash from staff where staff_uuid = $1'
      const rows = await database.owner.run<{ password_hash: string }>({ text, values: [person.staff_uuid] })
      return rows[0]?.password_hash
    }
    const weak = await createPasswords({ N: 2, r: 8, p: 1 }).hash(password)
    await database.owner.run({
      text: 'update staff set password_hash = $2 where staff_uuid = $1',
      values: [person.staff_uuid, weak],
    })
    expect((await signIn(person.email)).reply.status).toBe(200)
    expect(await read()).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/)
  })
})

describe('a second factor', () => {
  it('is asked for after the password; a code of the app works once, even in two requests at once', async () => {
    const person = await owner(password)
    const { phone, codes } = await useApp(person)
    expect(codes).toHaveLength(10)
    const asked = await signIn(person.email)
    expect(asked.data).toEqual({ state: 'second_factor', factors: ['totp', 'recovery_code'] })
    const code = phone.next()
    const give = (given: string) => asked.call('POST', '/sign-in/second-factor', { code: given })
    const both = await Promise.all([give(code), give(code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await give(code)).status).toBe(401)
    expect((await give('000000')).status).toBe(401)
  })

  it('can be a recovery code, each once, however it is typed', async () => {
    const person = await owner(password)
    const { codes } = await useApp(person)
    const asked = await signIn(person.email)
    const give = (code: string) => asked.call('POST', '/sign-in/second-factor', { code })
    const typed = String(codes[0]).toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')
    const both = await Promise.all([give(typed), give(String(codes[0]))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await person.call('GET', '/account')).body.data).toMatchObject({ totp: true, recovery_codes: 9 })
  })

  it('needs the ticket of a password that is still the same', async () => {
    const person = await owner(password)
    const { phone } = await useApp(person)
    const asked = await signIn(person.email)
    const changed = { current_password: password, password: 'an entirely different kettle' }
    expect((await person.call('POST', '/account/password', changed)).status).toBe(200)
    const code = phone.next()
    const reply = await asked.call('POST', '/sign-in/second-factor', { code })
    expect([reply.status, reply.body.message]).toEqual([401, 'That took too long. Sign in with your password again.'])
    expect((await staffBrowser(app).call('POST', '/sign-in/second-factor', { code })).status).toBe(401)
  })

  it('is removed by a command after its loss, with a link that works once', async () => {
    const person = await owner(password)
    await useApp(person)
    const by = { source: 'command', name: 'Root' } as const
    const parts = { db: app.db, public_url: 'https://localhost:8443', now: new Date(), by }
    const { link } = await recoverOperator(parts, person.email)
    expect((await person.call('GET', '/session')).status).toBe(401)
    const token = link.split('#')[1]
    const opened = await staffBrowser(app).call('POST', '/links/open', { token })
    expect(opened.body.data).toMatchObject({ purpose: 'recovery', email: person.email, needs: 'password' })
    const accept = () => staffBrowser(app).call('POST', '/links/accept', { token, password: 'an entirely new kettle' })
    const both = await Promise.all([accept(), accept()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await signIn(person.email, 'an entirely new kettle')).data).toEqual({ state: 'signed_in', factors: [] })
    expect(await actions(person)).toEqual(expect.arrayContaining(['operator.recover', 'staff.password', 'staff.totp']))
  })
})

describe('sessions', () => {
  it('are listed with their browser, and ended one by one or all others at once', async () => {
    const person = await owner(password)
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const others = [staffBrowser(app), staffBrowser(app), staffBrowser(app)]
    for (const other of others) await other.call('POST', '/sign-in', { email: person.email, password }, agent)
    const list = (await person.call('GET', '/sessions')).body.data as Record<string, unknown>[]
    expect(list).toHaveLength(4)
    expect(list[0]).toMatchObject({
      browser: 'Firefox, Linux',
      address: '127.0.0.1',
      current: false,
      method: 'password',
    })
    expect(list.filter(({ current }) => current)).toHaveLength(1)
    expect((await person.call('DELETE', `/sessions/${list[0]?.['session_uuid']}`)).status).toBe(200)
    expect((await others[2]?.call('GET', '/session'))?.status).toBe(401)
    expect((await person.call('POST', '/sessions/end-others')).body.data).toEqual({ ended: 2 })
    expect((await others[0]?.call('GET', '/session'))?.status).toBe(401)
    expect((await person.call('GET', '/session')).status).toBe(200)
  })

  it('of others cannot be ended', async () => {
    const [one, two] = [await owner(), await owner()]
    const [theirs] = (await two.call('GET', '/sessions')).body.data as Record<string, unknown>[]
    expect((await one.call('DELETE', `/sessions/${theirs?.['session_uuid']}`)).status).toBe(404)
    expect((await two.call('GET', '/session')).status).toBe(200)
  })

  it('end with the password, except for the one that changed it, which gets another token', async () => {
    const person = await owner(password)
    const other = await signIn(person.email)
    const before = person.cookies.get('__Host-nuqta-session')
    const changed = { current_password: password, password: 'an entirely different kettle' }
    expect((await person.call('POST', '/account/password', changed)).status).toBe(200)
    expect((await other.call('GET', '/session')).status).toBe(401)
    expect(person.cookies.get('__Host-nuqta-session')).not.toBe(before)
    expect((await person.call('GET', '/session')).status).toBe(200)
    expect((await staffBrowser(app, before).call('GET', '/session')).status).toBe(401)
  })

  it('end by signing out', async () => {
    const person = await owner()
    const token = person.cookies.get('__Host-nuqta-session')
    expect((await person.call('POST', '/sign-out')).status).toBe(200)
    expect(person.cookies.size).toBe(0)
    expect((await staffBrowser(app, token).call('GET', '/session')).status).toBe(401)
  })
})

describe('a change of sign-in methods', () => {
  it('needs the password where the sign-in was a while ago', async () => {
    const person = await owner(password)
    const text = 'update staff_session set proven_at = $2 where staff_uuid = $1'
    await database.owner.run({ text, values: [person.staff_uuid, new Date(Date.now() - 16 * 60_000)] })
    expect((await person.call('POST', '/account/totp/begin')).status).toBe(403)
    expect((await person.call('POST', '/session/confirm', { password: 'wrong' })).status).toBe(403)
    expect((await person.call('POST', '/account/totp/begin')).status).toBe(403)
    expect((await person.call('POST', '/session/confirm', { password })).status).toBe(200)
    expect((await person.call('POST', '/account/totp/begin')).status).toBe(200)
  })

  it('refuses a common password, and says what is wrong with it', async () => {
    const person = await owner(password)
    const { status, body } = await person.call('POST', '/account/password', {
      current_password: password,
      password: 'password1234',
    })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['password']])
  })
})
