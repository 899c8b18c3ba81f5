import { expect, it } from 'vitest'
import { testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson } from '../../support/staff.ts'

// Operators manage each other in the dashboard as by the commands, and can never lock the last one out.

const database = testDatabase()
const app = testApp(database)

it('disables, enables and recovers another operator, with a row of the audit log for each', async () => {
  const [me, other] = [await makePerson(app(), 'operator'), await makePerson(app(), 'operator')]
  const of = (person: typeof me, action: string) => `/operator/people/${person.staff_uuid}/${action}`
  for (const action of ['disable', 'enable', 'recover'])
    expect((await me.call('POST', of(me, action))).status).toBe(403)

  expect((await me.call('POST', of(other, 'disable'))).body.data).toEqual({ email: other.email, disabled: true })
  expect((await other.call('GET', '/session')).status).toBe(401)
  const listed = (await me.call('GET', '/operator/people')).body.data as { email: string; disabled: boolean }[]
  expect(listed.find(({ email }) => email === other.email)).toMatchObject({ disabled: true, you: false })
  // A link for somebody who is kept out would not work.
  const refused = await me.call('POST', '/operator/people', { email: other.email })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('somebody who is kept out')])
  expect((await me.call('POST', of(other, 'enable'))).body.data).toMatchObject({ disabled: false })
  const link = { link: expect.stringMatching(/\/dashboard\/link#[0-9a-z]{26}$/) }
  const key = { 'idempotency-key': 'one press' }
  const recovered = await me.call('POST', of(other, 'recover'), {}, key)
  expect(recovered.body.data).toMatchObject(link)
  // The first link still works: nobody is recovered twice by one press.
  expect((await me.call('POST', of(other, 'recover'), {}, key)).body.data).toEqual(recovered.body.data)
  const fresh = { email: 'second@points.example' }
  expect((await me.call('POST', '/operator/people', fresh)).body.data).toMatchObject(link)
  expect((await me.call('POST', '/operator/people', { email: 'nobody' })).status).toBe(422)

  const rows = await database.db.run<{ action: string; actor: string }>({
    text: "select action, actor from audit where program_id = 0 and action like 'operator.%' order by audit_id",
    values: [],
  })
  expect(rows.map(({ action }) => action)).toEqual(
    ['disable', 'enable', 'recover', 'create'].map((n) => `operator.${n}`),
  )
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([me.email]))

  // A sign-in of long ago is not enough for what opens an account.
  await database.db.run({
    text: 'update staff_session set created_at = $1, proven_at = $1',
    values: [new Date(Date.now() - 3_600_000)],
  })
  expect((await me.call('POST', of(other, 'recover'))).status).toBe(403)
  const owner = await makePerson(app(), 'operator')
  expect((await owner.call('POST', of({ ...other, staff_uuid: owner.staff_uuid }, 'disable'))).status).toBe(403)
})
