import { expect, it } from 'vitest'
import { createProgram, ensureFirstProgram } from '../../src/features/merchants/programs.ts'
import { createMerchants } from '../../src/features/merchants/service.ts'
import { testDatabase } from '../support/database.ts'

// The commands took names of programs and merchants with line breaks and escape codes, which lists, mails and the log
// showed.

const database = testDatabase()
const place = { environment: 'sandbox', now: new Date('2026-02-01T09:00:00Z') } as const

it.each(['Two\nlines', 'a\ttab', 'red \u001b[31m', 'nothing\u0000'])('%j is no name', async (name) => {
  const made = createProgram(database.db, { name, ...place })
  await expect(made).rejects.toThrow("A program's name is one line, without control characters.")
  const { program_id } = await database.db.transaction((tx) => ensureFirstProgram(tx, place))
  const merchants = createMerchants(database.db, { name, program_id, ...place })
  await expect(merchants).rejects.toThrow("A merchant's name is one line, without control characters.")
})
