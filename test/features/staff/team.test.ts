import { beforeAll, describe, expect, it } from 'vitest'
import { createStaff } from '../../../src/features/staff/create.ts'
import { setMember } from '../../../src/features/staff/member-queries.ts'
import { createOperator, disablePerson } from '../../../src/features/staff/operators.ts'
import { invite } from '../../../src/features/staff/team.ts'
import { dataOf, type Reply } from '../../http/client.ts'
import { type App, makeMerchant, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson, type StaffBrowser, staffBrowser } from '../../support/staff.ts'
import { codeApp } from '../../support/totp.ts'

// Owners invite people by links that work once, change roles and remove people; a merchant always keeps an owner.

const database = testDatabase()
const started = testApp(database)
let app: App

beforeAll(() => {
  app = started()
})

const password = 'kettle grants tuesday'
let addressed = 0
const newAddress = () => `new${++addressed}@shop.example`

interface ShownMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

async function mailsTo(to: string): Promise<ShownMail[]> {
  await app.services.staff.background.idle()
  const { body } = await (await makePerson(app, 'operator')).call('GET', '/mails')
  return (body.data as ShownMail[]).filter((mail) => mail.to === to)
}

const tokenIn = (mail: ShownMail | undefined) => /\/dashboard\/link#([0-9a-z]{26})/.exec(mail?.text ?? '')?.[1] ?? ''

async function shop() {
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const at = { program_id, merchant_id }
  const owner = await makePerson(app, { ...at, role: 'owner' }, password)
  return { at, owner, team: `/merchants/${merchant_id}/team` }
}

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort()

describe('an invitation', () => {
  it('is mailed in both languages, makes an account once, and is gone from the list then', async () => {
    const { owner, team } = await shop()
    const email = newAddress()
    const invited = await owner.call('POST', `${team}/invitations`, { email: email.toUpperCase(), role: 'support' })
    expect([invited.status, dataOf(invited)]).toEqual([
      200,
      expect.objectContaining({ email, role: 'support', link: null }),
    ])
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toMatch(/^انضم إلى .* · Join Shop \d+ on Nuqta$/)
    expect(mail?.html).toContain('dir="rtl"')
    const token = tokenIn(mail)
    const opened = await staffBrowser(app).call('POST', '/links/open', { token })
    expect(opened.body.data).toMatchObject({
      purpose: 'invitation',
      needs: 'account',
      role: 'support',
      invited_by: owner.email,
    })
    const [one, two] = [staffBrowser(app), staffBrowser(app)]
    const accept = (browser: StaffBrowser) =>
      browser.call('POST', '/links/accept', { token, name: 'Omar', password, locale: 'ar' })
    const both = await Promise.all([accept(one), accept(two)])
    expect(statuses(both)[0]).toBe(200)
    expect(statuses(both)[1]).toBeGreaterThanOrEqual(401)
    const joined = both[0]?.status === 200 ? one : two
    expect((await joined.call('GET', '/session')).body.data).toMatchObject({
      name: 'Omar',
      locale: 'ar',
      memberships: [{ role: 'support' }],
    })
    const { members, invitations } = dataOf(await owner.call('GET', team))
    expect(members).toEqual(expect.arrayContaining([expect.objectContaining({ email, role: 'support' })]))
    expect(invitations).toEqual([])
  })

  it('of a person with an account can be accepted only when signed in with that address', async () => {
    const [first, second] = [await shop(), await shop()]
    const person = await makePerson(app, { ...first.at, role: 'read_only' }, password)
    await second.owner.call('POST', `${second.team}/invitations`, { email: person.email, role: 'manager' })
    const token = tokenIn((await mailsTo(person.email))[0])
    const nobody = staffBrowser(app)
    expect((await nobody.call('POST', '/links/open', { token })).body.data).toMatchObject({ needs: 'sign_in' })
    expect((await nobody.call('POST', '/links/accept', { token, name: 'X', password })).status).toBe(401)
    expect((await first.owner.call('POST', '/links/accept', { token })).status).toBe(403)
    const before = person.cookies.get('__Host-nuqta-session')
    expect((await person.call('POST', '/links/accept', { token })).status).toBe(200)
    expect(person.cookies.get('__Host-nuqta-session')).not.toBe(before)
    const { memberships } = dataOf(await person.call('GET', '/session'))
    expect(memberships).toEqual(expect.arrayContaining([expect.objectContaining({ role: 'manager' })]))
    expect(memberships).toHaveLength(2)
    expect((await person.call('POST', '/links/accept', { token })).status).toBe(404)
  })

  it('sent again replaces the one before, can be taken back, and is not for members', async () => {
    const { owner, team } = await shop()
    const email = newAddress()
    for (const role of ['manager', 'support']) await owner.call('POST', `${team}/invitations`, { email, role })
    const [newest, older] = (await mailsTo(email)).map(tokenIn)
    expect((await staffBrowser(app).call('POST', '/links/open', { token: older })).status).toBe(404)
    const { invitations } = dataOf(await owner.call('GET', team))
    expect(invitations).toHaveLength(1)
    const [{ link_uuid } = { link_uuid: '' }] = invitations as { link_uuid: string }[]
    expect((await owner.call('DELETE', `${team}/invitations/${link_uuid}`)).status).toBe(200)
    expect((await staffBrowser(app).call('POST', '/links/open', { token: newest })).status).toBe(404)
    expect((await owner.call('DELETE', `${team}/invitations/${link_uuid}`)).status).toBe(404)
    const again = await owner.call('POST', `${team}/invitations`, { email: owner.email, role: 'support' })
    expect(again.status).toBe(409)
    expect((await owner.call('POST', `${team}/invitations`, { email: 'nobody', role: 'support' })).status).toBe(422)
  })

  it('sent again with its Idempotency-Key is one invitation and one mail', async () => {
    const { owner, team } = await shop()
    const email = newAddress()
    const send = () =>
      owner.call('POST', `${team}/invitations`, { email, role: 'support' }, { 'idempotency-key': email })
    const [first, second] = [await send(), await send()]
    expect(second.text).toBe(first.text)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is refused where its mail is, and stored nowhere; without a mail server its link is shown', async () => {
    const { at, owner } = await shop()
    const merchant = { ...at, name: 'Shop' }
    const of = { merchant, standing: 'owner', actor: { source: 'dashboard', name: owner.email } } as const
    const { staff } = app.services
    const mail = { name: 'smtp', send: async () => ({ kind: 'refused', reason: 'EAUTH 535' }) as const } as const
    const refusing = createStaff({ ...staff, mail })
    await expect(invite(refusing, of, { email: newAddress(), role: 'support' })).rejects.toThrow('mail_not_sent')
    const counted = 'select count(*) from staff_link where merchant_id = $1'
    expect(await database.owner.run({ text: counted, values: [at.merchant_id] })).toEqual([{ count: 0 }])
    const silent = { ...staff, mail: undefined }
    const { link } = await invite(silent, of, { email: newAddress(), role: 'support' })
    expect(link).toMatch(/^https:\/\/localhost:8443\/dashboard\/link#[0-9a-z]{26}$/)
  })
})

describe('a link', () => {
  it('for a new password is mailed once to a person with an account; the answer reveals nothing', async () => {
    const { owner } = await shop()
    const ask = (email: string) => staffBrowser(app).call('POST', '/password/forgot', { email })
    const [known, unknown] = [await ask(owner.email), await ask(newAddress())]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const token = tokenIn((await mailsTo(owner.email))[0])
    const browser = staffBrowser(app)
    const weak = await browser.call('POST', '/links/accept', { token, password: 'password1234' })
    expect(weak.status).toBe(422)
    const fresh = 'an entirely new kettle'
    expect((await browser.call('POST', '/links/accept', { token, password: fresh })).status).toBe(200)
    expect((await browser.call('GET', '/session')).body.data).toMatchObject({ email: owner.email })
    expect((await owner.call('GET', '/session')).status).toBe(401)
    expect((await browser.call('POST', '/links/accept', { token, password: fresh })).status).toBe(404)
  })

  it('that has expired does not work', async () => {
    const { owner, team } = await shop()
    const email = newAddress()
    await owner.call('POST', `${team}/invitations`, { email, role: 'support' })
    const token = tokenIn((await mailsTo(email))[0])
    await database.owner.run({ text: `update staff_link set expires_at = now() where email = $1`, values: [email] })
    expect((await staffBrowser(app).call('POST', '/links/open', { token })).status).toBe(404)
    expect((await staffBrowser(app).call('POST', '/links/accept', { token, name: 'X', password })).status).toBe(404)
  })

  it('that proves an address for the first time removes keys that somebody else may have added', async () => {
    const { owner } = await shop()
    const codes = await owner.call('POST', '/account/totp/begin')
    const code = codeApp(String(dataOf(codes)['secret'])).next()
    expect((await owner.call('POST', '/account/totp/confirm', { code })).status).toBe(200)
    await staffBrowser(app).call('POST', '/password/forgot', { email: owner.email })
    const token = tokenIn((await mailsTo(owner.email))[0])
    const browser = staffBrowser(app)
    const accepted = await browser.call('POST', '/links/accept', { token, password: 'an entirely new kettle' })
    expect(accepted.body.data).toEqual({ state: 'signed_in', factors: [] })
    expect((await browser.call('GET', '/account')).body.data).toMatchObject({ totp: false, recovery_codes: 0 })
  })

  it('of a command makes the first owner, who signs in at once in a sandbox', async () => {
    const { at } = await shop()
    const by = { source: 'command', name: 'Root' } as const
    const parts = { db: app.db, public_url: 'https://localhost:8443', now: new Date(), by }
    const { link } = await createOperator(parts, { email: newAddress(), merchant: at })
    const token = link.split('#')[1]
    const browser = staffBrowser(app)
    expect((await browser.call('POST', '/links/open', { token })).body.data).toMatchObject({ needs: 'nothing' })
    expect((await browser.call('POST', '/links/accept', { token })).status).toBe(200)
    expect((await browser.call('GET', '/session')).body.data).toMatchObject({ memberships: [{ role: 'owner' }] })
  })
})

describe('a team', () => {
  it('keeps an owner, also when two remove each other at once', async () => {
    const { at, owner, team } = await shop()
    expect((await owner.call('PATCH', `${team}/${owner.staff_uuid}`, { role: 'manager' })).status).toBe(409)
    expect((await owner.call('DELETE', `${team}/${owner.staff_uuid}`)).status).toBe(409)
    const other = await makePerson(app, { ...at, role: 'owner' })
    const replies = await Promise.all([
      owner.call('DELETE', `${team}/${other.staff_uuid}`),
      other.call('DELETE', `${team}/${owner.staff_uuid}`),
    ])
    expect(statuses(replies)[0]).toBe(200)
    const text = `select count(*) from staff_membership where merchant_id = $1 and role = 'owner'`
    expect(await database.owner.run({ text, values: [at.merchant_id] })).toEqual([{ count: 1 }])
  })

  it('gives another role and removes people at once, leaves them signed in elsewhere, and records both', async () => {
    const { at, owner, team } = await shop()
    const elsewhere = await shop()
    const [one, two] = [
      await makePerson(app, { ...at, role: 'support' }),
      await makePerson(app, { ...at, role: 'manager' }),
    ]
    expect((await owner.call('PATCH', `${team}/${one.staff_uuid}`, { role: 'manager' })).status).toBe(200)
    const { program_id, merchant_id } = elsewhere.at
    const both = setMember({ program_id, merchant_id }, { staff_uuid: one.staff_uuid, role: 'read_only' }, new Date())
    await app.db.run(both)
    expect((await owner.call('DELETE', `${team}/${two.staff_uuid}`)).status).toBe(200)
    expect((await two.call('GET', '/session')).status).toBe(401)
    const settings = `/merchants/${at.merchant_id}/settings`
    expect((await one.call('PATCH', settings, {})).status).toBe(422)
    expect((await owner.call('DELETE', `${team}/${one.staff_uuid}`)).status).toBe(200)
    expect((await one.call('GET', settings)).status).toBe(404)
    expect((await one.call('GET', elsewhere.team)).status).toBe(200)
    const text = `select actor, action, object, before, after from audit where program_id = $1 and action like 'team.%' order by audit_id`
    expect(await database.owner.run({ text, values: [at.program_id] })).toEqual([
      {
        actor: owner.email,
        action: 'team.role',
        object: `staff:${one.staff_uuid}`,
        before: { merchant_id: at.merchant_id, role: 'support' },
        after: { merchant_id: at.merchant_id, role: 'manager' },
      },
      {
        actor: owner.email,
        action: 'team.remove',
        object: `staff:${two.staff_uuid}`,
        before: { merchant_id: at.merchant_id, role: 'manager' },
        after: null,
      },
      {
        actor: owner.email,
        action: 'team.remove',
        object: `staff:${one.staff_uuid}`,
        before: { merchant_id: at.merchant_id, role: 'manager' },
        after: null,
      },
    ])
  })

  it('is changed by owners alone, and only that of their own merchant', async () => {
    const { at, team } = await shop()
    const other = await shop()
    const manager = await makePerson(app, { ...at, role: 'manager' })
    expect((await manager.call('POST', `${team}/invitations`, { email: newAddress(), role: 'support' })).status).toBe(
      403,
    )
    expect((await other.owner.call('GET', team)).status).toBe(404)
    expect((await other.owner.call('DELETE', `${other.team}/${manager.staff_uuid}`)).status).toBe(404)
  })
})

describe('a disabled person', () => {
  it('is signed out at once, cannot sign in by any method, and keeps the role for later', async () => {
    const { at, owner, team } = await shop()
    const person = await makePerson(app, { ...at, role: 'support' }, password)
    const by = { source: 'command', name: 'operator' } as const
    const set = (disabled: boolean) => disablePerson({ db: app.db, by, now: new Date() }, person.email, disabled)
    expect(await set(true)).toEqual({ email: person.email, disabled: true })
    expect((await person.call('GET', '/session')).status).toBe(401)
    const stranger = staffBrowser(app)
    const signIn = () => stranger.call('POST', '/sign-in', { email: person.email, password })
    expect((await signIn()).status).toBe(401)
    await stranger.call('POST', '/password/forgot', { email: person.email })
    expect(await mailsTo(person.email)).toEqual([])
    const members = dataOf(await owner.call('GET', team))['members'] as {
      email: string
      disabled: boolean
      role: string
    }[]
    expect(members.find(({ email }) => email === person.email)).toMatchObject({ disabled: true, role: 'support' })
    await set(false)
    expect((await signIn()).status).toBe(200)
    await expect(disablePerson({ db: app.db, by, now: new Date() }, 'no@shop.example', true)).rejects.toThrow(/Nobody/)
  })
})
