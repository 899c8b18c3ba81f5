import { expect, test } from 'vitest'
import { disablePerson } from '../../src/features/staff/operators.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

// An owner was kept out, with all sessions and links ended. But an open invitation of theirs went on for seven days, and who
// keeps somebody out sees no team: its link made whoever had it an owner again.

const database = testDatabase()
const started = testApp(database)

async function shop() {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = () => makePerson(app, { program_id, merchant_id, role: 'owner' })
  const [stays, goes] = [await owner(), await owner()]
  const invite = async (who: typeof stays) => {
    const email = `friend-of-${who.email}`
    const reply = await who.call('POST', `/merchants/${merchant_id}/team/invitations`, { email, role: 'owner' })
    expect(reply.status).toBe(200)
    const mails = await (await makePerson(app, 'operator')).call('GET', '/mails')
    const mail = (mails.body.data as { to: string; text: string }[]).find(({ to }) => to === email)
    return /\/dashboard\/link#([0-9a-z]{26})/.exec(mail?.text ?? '')?.[1] ?? ''
  }
  const keepOut = (disabled: boolean) =>
    disablePerson({ db: app.db, now: new Date(), by: { source: 'command', name: 'root' } }, goes.email, disabled)
  const open = (token: string) => staffBrowser(app).call('POST', '/links/open', { token })
  const team = async () => (await stays.call('GET', `/merchants/${merchant_id}/team`)).body.data
  return { program_id, merchant_id, stays, goes, invite, keepOut, open, team }
}

test('the invitations of somebody who is kept out are taken back, and those of others stay', async () => {
  const { program_id, merchant_id, stays, goes, invite, keepOut, open, team } = await shop()
  const [theirs, other] = [await invite(goes), await invite(stays)]
  expect([(await open(theirs)).status, (await open(other)).status]).toEqual([200, 200])
  await keepOut(true)
  expect([(await open(theirs)).status, (await open(other)).status]).toEqual([404, 200])
  expect(await team()).toMatchObject({ invitations: [{ email: `friend-of-${stays.email}` }] })
  const text = `select actor, object, before from audit where program_id = $1 and action = 'team.withdraw'`
  expect(await database.owner.run({ text, values: [program_id] })).toEqual([
    { actor: 'root', object: `merchant:${merchant_id}`, before: { email: `friend-of-${goes.email}`, role: 'owner' } },
  ])
})

test('they do not come back with whoever is let in again', async () => {
  const { goes, invite, keepOut, open } = await shop()
  const token = await invite(goes)
  await keepOut(true)
  await keepOut(false)
  expect((await open(token)).status).toBe(404)
})
