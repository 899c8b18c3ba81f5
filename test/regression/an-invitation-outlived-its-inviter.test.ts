import { expect, test } from 'vitest'
import type { Role } from '../../src/domain/staff.ts'
import { createStaff } from '../../src/features/staff/create.ts'
import { setMember } from '../../src/features/staff/member-queries.ts'
import { disablePerson } from '../../src/features/staff/operators.ts'
import { changeRole, invite, removeMember, type TeamOf } from '../../src/features/staff/team.ts'
import type { Mail } from '../../src/providers/mail/port.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person, staffBrowser } from '../support/staff.ts'

// A mail takes a while to be taken. Whoever was removed, or kept out, meanwhile had invited somebody all the same: the
// invitation was stored after the removal, in no list that the remover had seen, and its link worked for seven days.

const database = testDatabase()
const started = testApp(database)
const now = () => new Date()

async function shop() {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const at = { program_id, merchant_id }
  const [stays, goes] = [
    await makePerson(app, { ...at, role: 'owner' }),
    await makePerson(app, { ...at, role: 'owner' }),
  ]
  const operator = await makePerson(app, 'operator')
  const of = (who: Person): TeamOf => ({
    merchant: { ...at, name: 'Corner' },
    standing: who === operator ? 'operator' : 'owner',
    actor: { source: 'dashboard', name: who.email, staff_uuid: who.staff_uuid },
  })
  const by = { source: 'command', name: 'root' } as const
  const keepOut = (who: Person) => disablePerson({ db: app.db, now: now(), by }, who.email, true)
  const remove = ({ staff_uuid }: Person, from: Person) =>
    removeMember(app.services.staff, of(from), { staff_uuid, session_uuid: staff_uuid })
  const lower = ({ staff_uuid }: Person, role: Role) => app.db.run(setMember(at, { staff_uuid, role }, now()))
  return { app, at, stays, goes, operator, of, keepOut, remove, lower, team: `/merchants/${merchant_id}/team` }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Invites somebody, does something else while the mail is sent, and gives the token of the mail. */
async function inviteWhile({ app, of }: Shop, who: Person, meanwhile: () => Promise<unknown>) {
  let token = ''
  const mail = {
    name: 'smtp',
    async send({ text }: Mail) {
      token = /\/dashboard\/link#([0-9a-z]{26})/.exec(text)?.[1] ?? ''
      await meanwhile()
      return { kind: 'sent' } as const
    },
  } as const
  const invited = invite(createStaff({ ...app.services.staff, mail }), of(who), {
    email: `friend-of-${who.email}`,
    role: 'manager',
  })
  const outcome = await invited.then(
    () => 'stored',
    (error: unknown) => String(error instanceof Error ? error.message : error),
  )
  return { outcome, token }
}

test.each<readonly [string, (shop: Shop) => readonly [Person, () => Promise<unknown>]]>([
  ['removed from the team', ({ stays, goes, remove }) => [goes, () => remove(goes, stays)]],
  ['given a role that may not invite', ({ goes, lower }) => [goes, () => lower(goes, 'support')]],
  ['kept out', ({ goes, keepOut }) => [goes, () => keepOut(goes)]],
  ['an operator who is kept out', ({ operator, keepOut }) => [operator, () => keepOut(operator)]],
])('no invitation is stored of somebody %s while its mail is sent', async (_how, who) => {
  const made = await shop()
  const { outcome, token } = await inviteWhile(made, ...who(made))
  expect([outcome, token]).toEqual(['not_permitted', expect.stringMatching(/^[0-9a-z]{26}$/)])
  const opened = await staffBrowser(made.app).call('POST', '/links/open', { token })
  expect(opened.status).toBe(404)
  expect((await made.stays.call('GET', made.team)).body.data).toMatchObject({ invitations: [] })
  const values = [made.at.program_id, 'team.invite']
  const text = 'select from audit where program_id = $1 and action = $2'
  const rows = await database.owner.run({ text, values })
  expect(rows).toEqual([])
})

test('an invitation whose inviter stays is stored', async () => {
  const made = await shop()
  const { outcome, token } = await inviteWhile(made, made.goes, async () => undefined)
  expect(outcome).toBe('stored')
  expect((await staffBrowser(made.app).call('POST', '/links/open', { token })).status).toBe(200)
})

test('of two owners who remove each other at once, one stays', async () => {
  const made = await shop()
  const { app, at, stays, goes, remove, of } = made
  await makePerson(app, { ...at, role: 'owner' })
  const both = await Promise.allSettled([remove(goes, stays), remove(stays, goes)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [out, left] = both[0]?.status === 'fulfilled' ? [goes, stays] : [stays, goes]
  const change = changeRole(app.services.staff, of(out), { staff_uuid: left.staff_uuid, role: 'support' })
  await expect(change).rejects.toThrow('not_permitted')
})
