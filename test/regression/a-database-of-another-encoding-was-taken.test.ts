import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { migrateNow } from '../../src/db/prepare.ts'
import { checkDatabase } from '../../src/doctor/database.ts'
import { restore } from '../support/backups.ts'
import { at, connected, freshName } from '../support/server.ts'

/*
 * A database with the encoding LATIN1 got tables, and the first Arabic name ended in a stack. SQL_ASCII, that of a server that
 * was made without a locale, counted the bytes of a name as its characters.
 */

const { admin_url } = inject('server')
const name = freshName()
const quietly = { as: 'command', progress: () => undefined, log: () => undefined, warn: () => undefined } as const
const open = () =>
  openDatabase({ database_url: at(admin_url, { database: name }), migration_url: undefined }, undefined, quietly)

beforeEach(() =>
  connected(admin_url, (admin) =>
    admin.script(
      `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' locale_provider libc template template0`,
    ),
  ),
)
afterEach(() => connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`)))

it('a database that cannot hold every name gets no tables and no backup, and the doctor says so', async () => {
  const refusal = `The database ${name} has the encoding LATIN1, and Nuqta needs UTF8`
  const database = await open()
  try {
    await expect(migrateNow(database)).rejects.toThrow(refusal)
    await expect(restore(database, await readFile('test/db/backups/format-1.backup'))).rejects.toThrow(refusal)
    const [found] = await checkDatabase(database, { environment: 'sandbox' } as Config)
    expect(found).toMatchObject({ ok: false, check: 'database' })
    expect(found?.detail).toContain('with the encoding LATIN1')
    expect(await database.owner.run({ text: "select from pg_class where relname = 'orders'", values: [] })).toEqual([])
  } finally {
    await database.close()
  }
})
