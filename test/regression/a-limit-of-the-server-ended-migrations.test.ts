import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts'
import type { Database } from '../../src/db/pool.ts'
import { cloneDatabase } from '../support/database.ts'
import { at, connected, freshName } from '../support/server.ts'

/*
 * An administrator had limited the statements of the database. The index that a migration builds over a large table, and
 * the verification of a large ledger, were cut off by that limit, at every try.
 */

const { admin_url, template } = inject('server')
const name = freshName()
const database_url = at(admin_url, { database: name })
const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout']
let open: OpenDatabase | undefined

beforeAll(async () => {
  await cloneDatabase(template, name)
  await connected(admin_url, async (admin) => {
    const known = await admin.run<{ name: string }>({
      text: 'select name from pg_settings where name = any($1::text[])',
      values: [limits],
    })
    for (const limit of known) await admin.script(`alter database ${name} set ${limit.name} = '7s'`)
  })
  const quietly = { as: 'command', progress: () => undefined, log: () => undefined, warn: () => undefined } as const
  open = await openDatabase({ database_url, migration_url: undefined }, undefined, quietly)
})
afterAll(async () => {
  await open?.close()
  await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
})

/** The limits of its sessions that are those of the administrator. */
async function limitsOf(db: Database | undefined): Promise<string[]> {
  const text = `select name from pg_settings where name = any($1::text[]) and setting = '7000'`
  const found = await db?.run<{ name: string }>({ text, values: [limits] })
  return (found ?? []).map((limit) => limit.name)
}

it('migrations and reports have limits of their own', async () => {
  const reports = open?.service.forReports('test')
  try {
    expect(await limitsOf(open?.owner)).toEqual([])
    expect(await limitsOf(reports)).toEqual([])
  } finally {
    await reports?.close()
  }
})
