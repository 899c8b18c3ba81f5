import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { checkDisk } from '../../src/doctor/machine.ts'

// What went wrong: in the pods of deploy/kubernetes, whose data directory is a file system of 16 MB in memory, `nuqta
// doctor` and the dashboard said that the disk of the database is full. The database is elsewhere.

// A file system without room, as Linux has one.
const small = '/proc'

describe.skipIf(!existsSync(small))('a file system that is smaller than the room that a database needs', () => {
  const diskOf = (env: Record<string, string>) => checkDisk(loadConfig({ env, flags: { data_dir: small }, cwd: small }))

  it('is enough beside an external database', async () => {
    const env = { DATABASE_URL: 'postgresql://db.internal/nuqta', NUQTA_SECRET_KEY: '5'.repeat(64) }
    expect(await diskOf(env)).toMatchObject({ ok: true, detail: expect.stringContaining('the database is elsewhere') })
  })

  it('is too small for an embedded one', async () => {
    expect(await diskOf({})).toMatchObject({ ok: false })
  })
})
