import { describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'
import { at } from '../support/server.ts'

// With a wrong password in NUQTA_MIGRATION_URL, `nuqta migrate` and the start of a worker ended in a stack, and `nuqta
// doctor` found nothing. Where it named another database, the tables were made there, and the service said for ever that
// nothing was migrated.

const { admin_url } = inject('server')
const database = testDatabase()
const { path: cwd } = scratch()
const quiet = () => undefined
const nameOf = (url: string) => new URL(url).pathname.slice(1)

const wrong = [
  [
    'nobody',
    () => at(database.owner_url, { database: nameOf(database.owner_url), user: 'nuqta_nobody' }),
    /^The database of NUQTA_MIGRATION_URL cannot be used: .*nuqta_nobody/,
  ],
  [
    'another database',
    () => at(database.owner_url, { database: nameOf(admin_url) }),
    /^NUQTA_MIGRATION_URL leads to the database \S+, and DATABASE_URL to \S+: name the same one in both\.$/m,
  ],
] as const

describe.each(wrong)('NUQTA_MIGRATION_URL that names %s', (_whom, url, reason) => {
  const env = () => ({
    DATABASE_URL: database.url,
    NUQTA_MIGRATION_URL: url(),
    NUQTA_SECRET_KEY: secret_key,
  })

  test('is refused by a migration', async () => {
    const { code, stdout, stderr } = await nuqta(['migrate'], { cwd, env: env() })
    expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2])
    expect(stderr).toMatch(reason)
  })

  test('is refused at the start of the service', async () => {
    const place = { database_url: database.url, migration_url: url() }
    const opening = openDatabase(place, undefined, { as: 'serve', progress: quiet, log: quiet, warn: quiet })
    await expect(opening).rejects.toThrow(reason)
  })

  test('is found by doctor', async () => {
    const { code, json } = await nuqta(['doctor', '--json'], { cwd, env: env() })
    expect(code).toBe(1)
    expect(json).toContainEqual({
      check: 'owner',
      ok: false,
      detail: 'the owner of the tables cannot be used',
      advice: expect.stringMatching(reason),
    })
  })

  test('does not keep a command from working that needs no owner', async () => {
    const { stderr } = await nuqta(['program', 'list'], { cwd, env: env() })
    expect(stderr).toBe('This database has not been started yet: run nuqta serve once, or make a merchant.\n')
  })
})

test('the owner of the service is found to connect', async () => {
  const env = {
    DATABASE_URL: database.url,
    NUQTA_MIGRATION_URL: database.owner_url,
    NUQTA_SECRET_KEY: secret_key,
  }
  const { json } = await nuqta(['doctor', '--json'], { cwd, env })
  expect(json).toContainEqual({ check: 'owner', ok: true, detail: expect.stringMatching(/^\S+ can connect$/) })
})
