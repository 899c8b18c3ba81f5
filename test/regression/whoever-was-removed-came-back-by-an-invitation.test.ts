import { expect, test } from 'vitest'
import type { Email } from '../../src/domain/email.ts'
import { insertLink } from '../../src/features/staff/link-queries.ts'
import { makeLink } from '../../src/features/staff/links.ts'
import { withdraw } from '../../src/features/staff/team.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, type Person, staffBrowser } from '../support/staff.ts'

// An owner who invited another address of their own, and was then removed from the team or became a manager, came back as
// an owner by that link, which worked for seven days.

const database = testDatabase()
const started = testApp(database)

async function shop() {
  const app = started()
  const merchant = { ...(await makeMerchant(app.db)), name: 'Shop' }
  const owner = () => makePerson(app, { ...merchant, role: 'owner' })
  const [stays, goes] = [await owner(), await owner()]
  const invite = async (invited_by: Person, { email, at = merchant }: { email?: Email; at?: typeof merchant } = {}) => {
    const to = { ...at, role: 'owner', invited_by: invited_by.email } as const
    const whom = email ?? (`friend-of-${invited_by.email}` as Email)
    const made = makeLink('https://localhost', { purpose: 'invitation', email: whom, mailed: false, to }, new Date())
    await app.db.run(insertLink(made.row))
    const token = made.url.split('#')[1]
    const opens = async () => (await staffBrowser(app).call('POST', '/links/open', { token })).status === 200
    return { link_uuid: made.row.link_uuid, opens }
  }
  return { app, merchant, stays, goes, invite, path: `/merchants/${merchant.merchant_id}/team/${goes.staff_uuid}` }
}

const withdrawn = (program_id: number) =>
  database.owner.run({
    text: `select actor, before->>'email' as email from audit where program_id = $1 and action = 'team.withdraw'`,
    values: [program_id],
  })

test('the invitations of whoever is removed are taken back at this merchant, and no others', async () => {
  const { merchant, stays, goes, invite, path } = await shop()
  const other = await makeMerchant(started().db)
  const [theirs, elsewhere, others] = [
    await invite(goes),
    await invite(goes, { at: { ...other, name: 'Other' } }),
    await invite(stays),
  ]
  expect((await stays.call('DELETE', path)).status).toBe(200)
  expect([await theirs.opens(), await elsewhere.opens(), await others.opens()]).toEqual([false, true, true])
  expect(await withdrawn(merchant.program_id)).toEqual([{ actor: stays.email, email: `friend-of-${goes.email}` }])
})

test('an open invitation of their own address does not bring them back either', async () => {
  const { stays, goes, invite, path } = await shop()
  const own = await invite(stays, { email: goes.email as Email })
  expect((await stays.call('DELETE', path)).status).toBe(200)
  expect(await own.opens()).toBe(false)
})

test('the invitations of an owner who becomes a manager are taken back', async () => {
  const { stays, goes, invite, path } = await shop()
  const [theirs, others] = [await invite(goes), await invite(stays)]
  expect((await stays.call('PATCH', path, { role: 'owner' })).status).toBe(200)
  expect(await theirs.opens()).toBe(true)
  expect((await stays.call('PATCH', path, { role: 'manager' })).status).toBe(200)
  expect([await theirs.opens(), await others.opens()]).toEqual([false, true])
})

// The request of an owner who was removed in the same moment took an invitation back all the same.
test.each([
  ['removed', 'DELETE', undefined],
  ['made a manager', 'PATCH', { role: 'manager' }],
] as const)('whoever was %s meanwhile takes no invitation back', async (_, method, json) => {
  const { app, merchant, stays, goes, invite, path } = await shop()
  const { link_uuid, opens } = await invite(stays)
  expect((await stays.call(method, path, json)).status).toBe(200)
  const actor = { source: 'dashboard', name: goes.email, staff_uuid: goes.staff_uuid } as const
  const late = withdraw(app.services.staff, { merchant, standing: 'owner', actor }, link_uuid)
  await expect(late).rejects.toMatchObject({ failure: { kind: 'not_permitted' } })
  expect([await opens(), await withdrawn(merchant.program_id)]).toEqual([true, []])
})
