import { expect, test } from 'vitest'
import { deployment_program_id } from '../../src/domain/audit.ts'
import { purgeKeys } from '../../src/features/idempotency/service.ts'
import { testDatabase } from '../support/database.ts'

// Each maintenance deleted one batch of the keys of operators' POSTs outside of any program, and all of other programs'.

const database = testDatabase()

test('a purge deletes all expired keys of the deployment', async () => {
  await database.owner.run({
    text: `insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
      select $1, 0, sha256(n::text::bytea), 'r', sha256('a'), gen_random_uuid(), gen_random_uuid(), now(), now() - interval '2 days'
      from generate_series(1, 5) as n`,
    values: [deployment_program_id],
  })
  expect(await purgeKeys(database.db, new Date(), 2)).toBe(5)
  expect(await database.owner.run({ text: 'select from idempotency', values: [] })).toEqual([])
})
