import { expect, test } from 'vitest'
import { createLog } from '../../src/observability/log.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()

// What went wrong: PostgreSQL puts the whole refused row into the detail of a constraint error, and the log of an
// unexpected error showed it with the customer's name. The log recognises keys and phone numbers by their shape, not names.
test('an error of the database is logged without the row that it refused', async () => {
  const name = 'Noura Alqahtani'
  const error: unknown = await database.owner
    .run({ text: `insert into customer (program_id, name) values (1, $1)`, values: [name] })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ detail: expect.stringContaining(name) })
  const lines: string[] = []
  const log = createLog({ level: 'trace', stream: { write: (line) => lines.push(line) } })
  log.error({ err: error }, 'unexpected error')
  log.warn({ err: new AggregateError([error], 'several') }, 'unexpected errors')
  log.error(new Error('wrapped', { cause: error }))
  expect(lines.join('')).not.toMatch(/Noura|Alqahtani/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { code: '23502', table: 'customer', detail: '[redacted]' } })
})
