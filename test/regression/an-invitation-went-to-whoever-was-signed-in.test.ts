import { expect, test } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

// An invitation of somebody without an account asked for a name and a password, also in a browser in which somebody else was
// signed in. There it dropped both: the other person joined the team, and the link was used up.

const started = testApp(testDatabase())
const password = 'kettle grants tuesday'

test('an invitation that makes an account is for its own address, whoever is signed in', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const operator = await makePerson(app, 'operator')
  const team = `/merchants/${merchant_id}/team`
  const email = 'omar@shop.example'
  expect((await owner.call('POST', `${team}/invitations`, { email, role: 'manager' })).status).toBe(200)
  const [mail] = (await operator.call('GET', '/mails')).body.data as { text: string }[]
  const token = /\/dashboard\/link#([0-9a-z]{26})/.exec(mail?.text ?? '')?.[1]
  expect((await operator.call('POST', '/links/open', { token })).body.data).toMatchObject({ needs: 'account' })
  expect((await operator.call('POST', '/links/accept', { token, name: 'Omar', password })).status).toBe(200)
  const memberships = [expect.objectContaining({ merchant_id, role: 'manager' })]
  const session = await operator.call('GET', '/session')
  expect(session.body.data).toMatchObject({ email, name: 'Omar', is_operator: false, memberships })
  const { members } = (await owner.call('GET', team)).body.data as { members: { email: string }[] }
  expect(members.map((member) => member.email).sort()).toEqual([email, owner.email].sort())
})
