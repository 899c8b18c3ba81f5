import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { Database } from '../../src/db/pool.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { bin, nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { type DatabaseProxy, startProxy } from '../support/proxy.ts'
import { at, connected, freshName } from '../support/server.ts'
import { waitFor } from '../support/wait.ts'

const { admin_url } = inject('server')
const { path: cwd } = scratch()
const database = testDatabase()
const there = (name: string): boolean => existsSync(join(cwd, name))

let proxy: DatabaseProxy
beforeAll(async () => {
  proxy = await startProxy(database.url)
  await claimDeployment(database.db, 'sandbox')
  // Texts that hardly compress, so that half of the backup has half of the rows.
  await database.owner.script(`insert into translation (program_id, target, text, translated, created_at)
    select 1, 'ar', n::text, string_agg(md5(n::text || m::text), ''), now()
    from generate_series(1, 1000) as n, generate_series(1, 50) as m group by n`)
})
afterAll(() => proxy.close())

/** Starts a command that the test ends. */
function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(bin, args, { cwd, env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env } })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => undefined)
  return { child: child satisfies ChildProcess, ended }
}

describe('a backup that is stopped half-way', () => {
  const env = () => ({ DATABASE_URL: proxy.url })

  test('by kill -9 leaves no file under its name, and the next one takes its place', async () => {
    const stalled = proxy.stallAfter(700_000)
    const { child, ended } = start(['backup', 'killed'], env())
    await stalled
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    expect([there('killed'), there('killed.part')]).toEqual([false, true])
    const again = await nuqta(['backup', 'killed'], { cwd, env: { DATABASE_URL: database.url } })
    expect([again.code, there('killed'), there('killed.part')]).toEqual([0, true, false])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves nothing', async (signal) => {
    const stalled = proxy.stallAfter(700_000)
    const { child, ended } = start(['backup', signal], env())
    await stalled
    child.kill(signal)
    expect([await ended, there(signal), there(`${signal}.part`)]).toEqual([1, false, false])
  })

  test('by the database leaves nothing, and says why', async () => {
    const stalled = proxy.stallAfter(700_000)
    const writing = nuqta(['backup', 'cut'], { cwd, env: env() })
    await stalled
    await proxy.down()
    const { code, stderr } = await writing
    await proxy.up()
    expect([code, there('cut'), there('cut.part')]).toEqual([1, false, false])
    expect(stderr).toContain('The database cannot be reached')
  })
})

describe('a restore that is killed half-way', () => {
  let bytes: Buffer
  beforeAll(async () => {
    await nuqta(['backup', 'whole'], { cwd, env: { DATABASE_URL: database.url } })
    bytes = readFileSync(join(cwd, 'whole'))
  })
  /** Feeds a restore with the first half of the backup. */
  function startHalf(args: readonly string[], env: Readonly<Record<string, string>>) {
    const started = start(['restore', '-', ...args], env)
    started.child.stdin.write(bytes.subarray(0, bytes.length / 2))
    return started
  }

  test('leaves nothing in an external database, and the next one succeeds', async () => {
    const name = freshName()
    await connected(admin_url, (admin) => admin.script(`create database ${name}`))
    const url = at(admin_url, { database: name })
    const db = new Database(url, { size: 1, application_name: 'nuqta-test-owner' })
    const count = async (text: string) => (await db.run({ text, values: [] })).length
    try {
      const { child, ended } = startHalf([], { DATABASE_URL: url })
      // It holds locks on tables that no other transaction can see yet, and waits for the others.
      const begun = `select from pg_locks l join pg_stat_activity a using (pid)
        where a.application_name = 'nuqta-copy' and a.datname = '${name}' and a.wait_event = 'ClientRead'
        and l.mode = 'AccessExclusiveLock' limit 1`
      await waitFor('the restore to begin', async () => (await count(begun)) === 1)
      child.kill('SIGKILL')
      await ended
      const sessions = `select from pg_stat_activity where application_name = 'nuqta-copy' and datname = '${name}'`
      await waitFor('its session to end', async () => (await count(sessions)) === 0)
      expect(await count(`select from pg_class where relnamespace = 'public'::regnamespace`)).toBe(0)
      expect(await nuqta(['restore', 'whole'], { cwd, env: { DATABASE_URL: url } })).toMatchObject({ code: 0 })
      expect(await count('select from translation')).toBe(1000)
    } finally {
      await db.close()
      await connected(admin_url, (admin) => admin.script(`drop database ${name} with (force)`))
    }
  })

  test('leaves nothing in a new data directory, and the next one succeeds', async () => {
    // As its first start leaves it.
    await openWithCluster(join(cwd, 'fresh'))
    const dir = ['--data-dir', 'fresh']
    const { child, ended } = startHalf(dir, {})
    await waitFor('its database', () => there('fresh/postgres/postmaster.pid'))
    child.kill('SIGKILL')
    await ended
    const again = await nuqta(['restore', 'whole', ...dir, '--json'], { cwd })
    expect(again.json).toMatchObject([{ differences: [] }])
    expect(again.code).toBe(0)
  })
})
