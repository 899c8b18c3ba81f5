import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { Database } from '../../src/db/pool.ts'
import { foreignTables, refuseForeignTables } from '../../src/db/prepare.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { freePort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'
import { at, connected, freshName } from '../support/server.ts'

// What went wrong: a DATABASE_URL that named another application's database was migrated without a word, or the start ended
// with a raw error where that application had a table of the same name as one of ours.

const { admin_url } = inject('server')
const { path: home } = scratch()
let name: string
let url: string
let owner: Database

beforeEach(async () => {
  name = freshName()
  await connected(admin_url, (admin) => admin.script(`create database ${name}`))
  url = at(admin_url, { database: name })
  owner = new Database(url, { size: 2 })
})
afterEach(async () => {
  await owner.close()
  await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
})

const tablesNow = async () => {
  const rows = await owner.run<{ name: string }>({
    text: `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    values: [],
  })
  return rows.map((row) => row.name)
}

describe('a database with tables of another application and none of ours', () => {
  // A table with the name of one of ours, but other columns, failed at different statements of the start.
  const strangers: readonly (readonly [sql: string, tables: string[]])[] = [
    ['create table users (id int)', ['users']],
    ['create table merchant (id int)', ['merchant']],
    ['create table schema_migration (version text)', ['schema_migration']],
    [
      'create table "Orders" (id int) partition by list (id); create table part partition of "Orders" default',
      ['Orders'],
    ],
  ]
  test.each(strangers)('%s: is recognised', async (sql, tables) => {
    await owner.script(sql)
    expect(await foreignTables(owner)).toEqual(tables)
  })

  test('is refused by every command, and left as it is', async () => {
    await owner.script('create table users (id int); create table deployment (id int, environment int)')
    const env = { DATABASE_URL: url, NUQTA_SECRET_KEY: secret_key }
    const sentence = "The database holds tables of another application (deployment, users), and none of Nuqta's"
    for (const args of [['serve', '--port', '0'], ['migrate'], ['merchant', 'create', '--name', 'A']]) {
      const { code, stdout, stderr } = await nuqta(args, { cwd: home, env })
      expect([args, code, stdout, stderr.trim()]).toEqual([args, 1, '', expect.stringContaining(sentence)])
      expect(stderr).toContain('make an empty database for Nuqta')
    }
    // Another service may be on the usual port of this machine.
    const own = { ...env, NUQTA_PORT: String(await freePort()) }
    const doctor = await nuqta(['doctor', '--json'], { cwd: home, env: own })
    expect(doctor.json.filter(({ ok }) => ok !== true)).toMatchObject([{ check: 'migrations', detail: sentence }])
    expect(await tablesNow()).toEqual(['deployment', 'users'])
  })

  test('names only a few of many tables', async () => {
    await owner.script(Array.from({ length: 12 }, (_, index) => `create table t${index + 10} (id int);`).join(''))
    await expect(refuseForeignTables(owner)).rejects.toThrow('(t10, t11, t12, t13, t14 and 7 more)')
  })

  test('is still recognised after one of our migrations has failed in it', async () => {
    await owner.script('create table merchant (id int)')
    await expect(migrate(owner)).rejects.toThrow()
    expect(await foreignTables(owner)).toEqual(['merchant'])
  })
})

describe('these are accepted', () => {
  test('a database of ours, whatever other tables it has', async () => {
    await migrate(owner)
    await owner.script('create table report (id int)')
    expect(await foreignTables(owner)).toEqual([])
  })

  test('tables of an extension, and of other schemas', async () => {
    await owner.script('create schema audit; create table audit.users (id int); create table spatial_ref_sys (id int)')
    expect(await foreignTables(owner)).toEqual(['spatial_ref_sys'])
    await owner.script('alter extension plpgsql add table spatial_ref_sys')
    expect(await foreignTables(owner)).toEqual([])
  })
})
