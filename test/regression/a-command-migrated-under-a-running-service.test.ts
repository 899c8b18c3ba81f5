import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDataDirectory } from '../../src/config/data-directory.ts'
import { openDatabase } from '../../src/db/open.ts'
import { nuqta, scratch, serve } from '../cli/command.ts'

// `nuqta migrate` of a new version changed the tables of the embedded database while the `serve` of the former version used it,
// and other commands of the new version sent people there.

const { path: cwd } = scratch()

/** It changes nothing where it was applied before. */
const migration = '0057_validate_orders_of_erasures.sql'

/** Takes a migration back, as if the running service were of the version before it. */
async function forgetMigration(): Promise<void> {
  const silent = { progress: () => undefined, log: () => undefined, warn: () => undefined }
  const place = { database_url: undefined, migration_url: undefined }
  const dir = await openDataDirectory(join(cwd, 'data'))
  const open = await openDatabase(place, dir, { as: 'command', ...silent })
  expect(open.attached).toBe(true)
  await open.owner.script(`delete from schema_migration where name = '${migration}'`)
  await open.close()
}

test('commands of a new version leave the database of a running service as it is, and say what to do', async () => {
  const served = await serve([], { cwd })
  expect(await nuqta(['migrate', '--json'], { cwd })).toMatchObject({ code: 0, json: [{ applied: [] }] })
  await forgetMigration()
  const advice = 'wait until nuqta serve is ready or, if it is of an earlier version, stop it and start this one.'
  for (const command of [['migrate'], ['merchant', 'list']])
    expect(await nuqta(command, { cwd })).toMatchObject({
      code: 1,
      stderr: `The database is not migrated (1 step): ${advice}\n`,
    })
  const examined = await nuqta(['doctor', '--json'], { cwd })
  expect(examined.json).toContainEqual({
    check: 'migrations',
    ok: false,
    detail: '1 to do',
    advice: `To begin, ${advice}`,
  })
  expect(await served.end('SIGTERM')).toBe(0)
  expect((await nuqta(['migrate', '--json'], { cwd })).json).toEqual([{ applied: [migration] }])
})
