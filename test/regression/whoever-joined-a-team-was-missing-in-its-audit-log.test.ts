import { expect, test } from 'vitest'
import { createOperator } from '../../src/features/staff/operators.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

// A merchant's audit log showed who was invited, and neither who joined nor whom a command made an owner.

const started = testApp(testDatabase())

test('the audit log of a merchant shows who joins its team', async () => {
  const app = started()
  const merchant = await makeMerchant(app.db)
  const { program_id, merchant_id } = merchant
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const operator = await makePerson(app, 'operator')
  const invitation = { email: 'omar@shop.example', role: 'support' }
  await owner.call('POST', `/merchants/${merchant_id}/team/invitations`, invitation)
  const [mail] = (await operator.call('GET', '/mails')).body.data as { text: string }[]
  const token = /\/dashboard\/link#([0-9a-z]{26})/.exec(mail?.text ?? '')?.[1]
  const accepted = { token, name: 'Omar', password: 'kettle grants tuesday' }
  expect((await staffBrowser(app).call('POST', '/links/accept', accepted)).status).toBe(200)
  const by = { source: 'command', name: 'root@host' } as const
  const parts = { db: app.db, public_url: 'https://localhost:8443', now: new Date(), by }
  await createOperator(parts, { email: 'noura@shop.example', merchant })
  const { body } = await owner.call('GET', `/merchants/${merchant_id}/audit`)
  const actions = (body.data as { action: string; by: string }[]).map((row) => `${row.action} by ${row.by}`)
  expect(actions).toEqual([
    'operator.create by root@host',
    'team.join by omar@shop.example',
    `team.invite by ${owner.email}`,
  ])
})
