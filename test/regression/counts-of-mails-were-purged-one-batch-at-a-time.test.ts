import { expect, test } from 'vitest'
import { deployment_program_id } from '../../src/domain/audit.ts'
import { createCountMessage, purgeMessageCounts } from '../../src/features/limits/message-counts.ts'
import { testDatabase } from '../support/database.ts'

// Each maintenance deleted one batch of the counts of mails, and all of other programs'. A mail server that gives every refusal
// another number adds a row for each: more of them in an hour than a batch stayed for ever.

const database = testDatabase()

test('a purge deletes all counts of mails that are past keeping', async () => {
  const count = createCountMessage(database.db, () => new Date('2026-01-01T00:00:00Z'))
  const refused = { program_id: deployment_program_id, kind: 'mail', outcome: 'failed' } as const
  for (const id of ['A', 'B', 'C', 'D', 'E']) await count({ ...refused, error: `450 refused as ${id}` })
  // Each has a row of its hour, and one of its day.
  expect(await purgeMessageCounts(database.db, new Date('2027-01-01T00:00:00Z'), 90, 2)).toBe(10)
  expect(await database.db.run({ text: 'select from message_count', values: [] })).toEqual([])
})
