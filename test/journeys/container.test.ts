import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { earn, nuqtaProcess, readClientEnv, type Served, scratch, serve } from '../cli/command.ts'
import { filesOfImage, packagesOfImage } from '../support/dockerfile.ts'
import { at, connected, freshName } from '../support/server.ts'
import { root } from '../support/tree.ts'

// The container, without the container: the files and packages of the image, the Node.js of the system, and an external
// database with the roles that deploy/postgres/roles.sql makes.

const { path: home } = scratch()
const program = join(home, 'bin/nuqta')
const { admin_url } = inject('server')
const names = { database: freshName(), owner: freshName(), service: freshName() }

/** The script for psql with names of our own, one statement each. */
function rolesScript(): string[] {
  const script = readFileSync(`${root}deploy/postgres/roles.sql`, 'utf8')
    .replace(/^(\\|--).*$/gm, '')
    .replaceAll(/:'\w+'/g, "'secret'")
    .replaceAll('nuqta_owner', names.owner)
    .replaceAll('nuqta_service', names.service)
    .replaceAll(/\bdatabase nuqta\b/g, `database ${names.database}`)
  return script.split(';').filter((statement) => statement.trim() !== '')
}

function url(user: string): string {
  return at(admin_url, { database: names.database, user, password: 'secret' })
}

function copy(path: string): void {
  // Nested packages have rows of their own in the lockfile.
  const isNested = (from: string): boolean => from.slice(root.length + path.length).includes('node_modules')
  cpSync(root + path, join(home, path), { recursive: true, filter: (from) => !isNested(from) })
}

beforeAll(async () => {
  for (const path of [...filesOfImage(), ...packagesOfImage()]) copy(path)
  await connected(admin_url, async (admin) => {
    for (const text of rolesScript()) await admin.run({ text, values: [] })
  })
})

afterAll(() =>
  connected(admin_url, (admin) =>
    admin
      .script(`drop database if exists ${names.database} with (force)`)
      .then(() => admin.script(`drop role if exists ${names.service}; drop role if exists ${names.owner}`)),
  ),
)

describe('the files of the image, without optional packages', () => {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { PATH, DATABASE_URL: url(names.service), NUQTA_SECRET_KEY: 'of a container, 32 characters long' }
  const cwd = join(home, 'empty')
  const run = { program, cwd, env }
  let served: Served

  it('carry neither a Node.js nor a PostgreSQL', () => {
    mkdirSync(cwd)
    expect(packagesOfImage().filter((path) => /node-|embedded|typescript/.test(path))).toEqual([])
  })

  it('migrate the database as the owner of the tables', async () => {
    const { code, stdout } = await nuqtaProcess(['migrate'], {
      ...run,
      env: { ...env, NUQTA_MIGRATION_URL: url(names.owner) },
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining('Applied 0001_')])
  })

  it("serve with the service's role alone, and award points", async () => {
    served = await serve(['--role', 'api'], run)
    const { status } = await earn(readClientEnv(join(cwd, 'data/sandbox.env')))
    expect(status).toBe(200)
    expect(await nuqtaProcess(['ledger', 'verify'], run)).toMatchObject({ code: 0 })
  })

  it('end with exit code 0 at SIGTERM', async () => {
    expect(await served.end('SIGTERM')).toBe(0)
  })

  it.each(['update entry set amount = 0', 'delete from transfer', 'drop table entry', 'create table mine (id int)'])(
    'refuse the role of the service: %s',
    async (text) => {
      const refused = connected(url(names.service), (db) => db.run({ text, values: [] }))
      await expect(refused).rejects.toMatchObject({ code: '42501' })
    },
  )
})
