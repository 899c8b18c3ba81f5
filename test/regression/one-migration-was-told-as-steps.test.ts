import { expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/open.ts'
import { requireSchema } from '../../src/db/prepare.ts'
import { testDatabase } from '../support/database.ts'

// A database that lacked one migration was told as "(1 steps)".

const database = testDatabase()

test('one step is reported in the singular', async () => {
  const { owner } = database
  const open: OpenDatabase = {
    ...{ service: owner, owner, service_role: undefined, embedded: false, attached: false },
    close: async () => undefined,
  }
  const [kept] = await owner.run({
    text: `delete from schema_migration where name = (select max(name) from schema_migration)
      returning name, checksum, applied_at`,
    values: [],
  })
  try {
    await expect(requireSchema(open)).rejects.toThrow('The database is not migrated (1 step): run nuqta migrate.')
  } finally {
    await owner.run({
      text: `insert into schema_migration select * from jsonb_populate_record(null::schema_migration, $1)`,
      values: [JSON.stringify(kept)],
    })
  }
})
