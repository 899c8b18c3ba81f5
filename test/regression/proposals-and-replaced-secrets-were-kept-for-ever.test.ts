import { expect, test } from 'vitest'
import { purgeExpired } from '../../src/features/deployment/maintenance.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'

// Nothing deleted the proposals of a merchant's staff and the records of replaced webhook secrets: whoever may make them could
// fill the disk, slowly. docs/spec/operation.md#retention

const database = testDatabase()
const clock = new TestClock(new Date())

test('proposals and records of replaced secrets go when their retention is over, and not before', async () => {
  const { program_id } = await makeMerchant(database.db)
  const write = (text: string) => database.owner.run({ text, values: [program_id] })
  await write(`insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, proposed_by, decided_by, decided_uuid,
      decided_at, expires_at, created_at)
    select $1, gen_random_uuid(), 'wallet.adjust', state, '{}', '{}', state || age, decided_by, uuid, at, ends, ends - interval '7 days'
    from (values ('open', null, null::uuid, null::timestamptz), ('expired', null, null, null),
        ('rejected', 'Omar', gen_random_uuid(), now()), ('confirmed', 'Omar', gen_random_uuid(), now()))
        as s(state, decided_by, uuid, at),
      (values (401, now() - interval '401 days'), (399, now() - interval '399 days')) as e(age, ends)`)
  await write(`insert into webhook_rotation (program_id, webhook_uuid, rotation_uuid, old_last4, new_last4, effective_at, created_at)
    select $1, gen_random_uuid(), gen_random_uuid(), 'aaaa', age, now() - age * interval '1 day', now() - interval '500 days'
    from generate_series(399, 402) as age where age <> 400`)
  await purgeExpired({ open: { service: database.db }, clock, retention_days: 400, request_log_days: 30 })
  const proposals = await write('select proposed_by from proposal where program_id = $1 order by 1')
  const kept = ['confirmed399', 'expired399', 'open399', 'rejected399'].map((proposed_by) => ({ proposed_by }))
  expect(proposals).toEqual(kept)
  expect(await write('select new_last4 from webhook_rotation where program_id = $1')).toEqual([{ new_last4: '399' }])
})
