import { expect, it } from 'vitest'
import { purgeSignIns } from '../../../src/features/staff/purge.ts'
import { makeMerchant, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { makePerson } from '../../support/staff.ts'

const database = testDatabase()
const app = testApp(database)

it('sessions, links and used challenges that have ended are purged in steps; others stay', async () => {
  const shop = await makeMerchant(app().db)
  const people = [...Array(5).keys()].map(() => makePerson(app(), { ...shop, role: 'owner' }))
  const [first, ...others] = await Promise.all(people)
  const idle = `update staff_session set seen_at = now() - interval '13 hours' where staff_uuid <> $1`
  await database.owner.run({ text: idle, values: [first?.staff_uuid] })
  const used = `insert into staff_used (key_hash, expires_at) values ('a', now() - interval '1 minute'), ('b', now() + interval '1 hour')`
  await database.owner.run({ text: used, values: [] })
  const link = `insert into staff_link (link_uuid, token_hash, purpose, email, staff_uuid, mailed, expires_at, created_at)
    select gen_random_uuid(), sha256(days::text::bytea), 'reset', 'a@b.example', $1, true, now() - days * interval '1 day', now()
    from unnest(array[-1, 6, 8, 9]) as days`
  await database.owner.run({ text: link, values: [first?.staff_uuid] })
  expect(await purgeSignIns(database.db, new Date(), 2)).toBe(others.length + 1 + 2)
  expect(await purgeSignIns(database.db, new Date(), 2)).toBe(0)
  expect((await first?.call('GET', '/session'))?.status).toBe(200)
})
