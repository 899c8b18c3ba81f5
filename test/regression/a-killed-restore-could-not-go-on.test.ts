import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { renderSchemaSql } from '../../src/db/catalogue.ts'
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts'
import { migrateNow, prepareSchema, requireSchema } from '../../src/db/prepare.ts'
import { verifyRestored } from '../../src/features/deployment/backup.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { writeLedger } from '../cli/ledger-fixture.ts'
import { backUp, quiet, restore } from '../support/backups.ts'
import { testDatabase } from '../support/database.ts'
import { at, connected, freshName } from '../support/server.ts'

// A restore that ended between the commit of its rows and its last steps said "This database is in use" when it was run
// again. The operator could only take it for done, but no due refund was protected from being made twice.

const { admin_url, service } = inject('server')
const database = testDatabase({ leaves: ['open holds'] })
const { path: cwd } = scratch()
const name = freshName()
const url = at(admin_url, { database: name })
const unfinished = /^The backup of 20\S+Z is not restored to the end in this database: /
let open: OpenDatabase
let first: Buffer
let second: Buffer

beforeAll(async () => {
  await writeLedger(database.db)
  await claimDeployment(database.db, 'sandbox')
  first = await backUp(database.db)
  second = await backUp(database.db)
  await connected(admin_url, (admin) => admin.script(`create database ${name}`))
  const place = { database_url: at(admin_url, { database: name, ...service }), migration_url: url }
  open = await openDatabase(place, undefined, { as: 'command', progress: quiet, log: quiet, warn: quiet })
})
afterAll(async () => {
  await open.close()
  await connected(admin_url, (admin) => admin.script(`drop database if exists ${name} with (force)`))
})

const endAt = (step: string) => (what: string) => {
  if (what === step) throw new Error(`ended at ${step}`)
}

describe('a restore that ends after its rows were loaded', () => {
  beforeAll(async () => {
    await expect(restore(open, first, endAt('migrations'))).rejects.toThrow('ended at migrations')
  })

  test('keeps the service and the migrations away, and says what to do', async () => {
    const quietly = { progress: quiet, warn: quiet }
    for (const begin of [() => prepareSchema(open, quietly), () => requireSchema(open), () => migrateNow(open)])
      await expect(begin()).rejects.toThrow(unfinished)
    const doctor = await nuqta(['doctor'], { cwd, env: { DATABASE_URL: url, NUQTA_SECRET_KEY: 'k'.repeat(32) } })
    expect(doctor.stdout).toContain('is not restored to the end in this database')
    expect(doctor.stdout).toContain('To begin, run nuqta restore again with the same file')
  })

  test('is not ended with another backup', async () => {
    await expect(restore(open, second)).rejects.toThrow('restore that one again, or this one into an empty database')
  })

  test('goes on with the same one, as often as it ends', async () => {
    const cut = first.subarray(0, -1)
    await expect(restore(open, cut)).rejects.toThrow('damaged')
    await expect(restore(open, first, endAt('statistics'))).rejects.toThrow('ended at statistics')
    const { rows, tables } = await restore(open, first)
    expect([rows, tables]).toEqual([expect.any(Number), expect.any(Number)])
    expect(rows).toBeGreaterThan(10)
    await requireSchema(open)
    expect(await renderSchemaSql(open.owner)).toBe(await renderSchemaSql(database.owner))
  })

  // Nothing notes a `nuqta ledger verify` of later, nor what the database was used for since.
  test('reports that it ended before the verification of the ledger, and that the database is not empty', async () => {
    await expect(restore(open, first)).rejects.toThrow(
      /^The backup of 20\S+Z is restored in this database already; the restore ended before its ledger was verified\. Run nuqta ledger verify, or restore into an empty database\.$/,
    )
    await expect(restore(open, second)).rejects.toThrow('This database is in use')
    await requireSchema(open)
    expect((await verifyRestored(open)).entries).toBeGreaterThan(0)
    await expect(restore(open, first)).rejects.toThrow('This database is in use')
  })
})
