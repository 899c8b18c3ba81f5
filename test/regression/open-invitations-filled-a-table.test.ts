import { expect, test } from 'vitest'
import { max_team } from '../../src/domain/sign-in.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const database = testDatabase()
const started = testApp(database)

// What went wrong: the bound of a team counted only its people, so a merchant could keep thousands of open invitations. The
// page of the team showed only the newest.
test('a team is full with its people and its open invitations', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const text = `insert into staff_link (link_uuid, token_hash, purpose, email, program_id, merchant_id, role, mailed, expires_at, created_at)
    select gen_random_uuid(), sha256(n::text::bytea), 'invitation', 'p' || n || '@shop.example', $1, $2, 'support', false,
      now() + interval '1 day', now() from generate_series(1, $3::integer) n`
  await database.owner.run({ text, values: [program_id, merchant_id, max_team - 2] })
  const invite = async (email: string) =>
    (await owner.call('POST', `/merchants/${merchant_id}/team/invitations`, { email, role: 'support' })).status
  expect(await invite('one-more@shop.example')).toBe(200)
  expect(await invite('too-many@shop.example')).toBe(422)
  expect(await invite('one-more@shop.example')).toBe(200)
})
