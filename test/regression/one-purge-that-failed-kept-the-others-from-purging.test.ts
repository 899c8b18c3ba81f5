import { expect, test } from 'vitest'
import { purgeExpired } from '../../src/features/deployment/maintenance.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// The maintenance purged one table after the other and stopped at the first that failed. While that went on, as with rows that
// take too long to delete, strangers could fill all other tables, and no month was made or dropped.

const database = testDatabase()

test('a table that cannot be purged is reported, and all others are purged', async () => {
  const { program_id } = await makeMerchant(database.db)
  const expired = [
    `insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
      values ($1, 1, 'k', 'r', 'b', gen_random_uuid(), gen_random_uuid(), now(), now() - interval '2 days')`,
    `insert into otp (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, expires_at, created_at)
      values ($1, 'wallet', gen_random_uuid(), gen_random_uuid(), '512345678', '', now(), now() - interval '9 days')`,
    `insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, state, due_at, created_at, ended_at)
      values ($1, gen_random_uuid(), 'invitation', gen_random_uuid(), 1, 'sent', now(), now(), now() - interval '500 days')`,
  ]
  for (const text of expired) await database.owner.run({ text, values: [program_id] })
  await database.owner.transaction((tx) =>
    tx.script(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
       create trigger refuse before delete on idempotency for each row execute function refuse()`,
    ),
  )
  const purged = purgeExpired({
    open: { service: database.db },
    clock: { now: () => new Date() },
    ...{ retention_days: 400, request_log_days: 30 },
  })
  await expect(purged).rejects.toThrow('no room')
  const left = 'select (select count(*) from otp)::int as codes, (select count(*) from sms_queue)::int as messages'
  expect(await database.owner.run({ text: left, values: [] })).toEqual([{ codes: 0, messages: 0 }])
})
