import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { Disposer, unlessStopped } from '../../src/lib/disposer.ts'
import { bin, environment, scratch, serve } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'

// Ctrl-C during a start had an effect only once the service was ready, with its history, and cut a first start's programs off.

const { path: cwd } = scratch()
const database = testDatabase()
const data = join(cwd, 'data')

/** Starts `serve`, and sends SIGINT to its whole group, as a terminal does, once it has come so far. */
async function interrupted(hasCome: (told: string) => boolean, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(bin, ['serve', '--port', '0'], {
    ...{ cwd, env: environment(env), detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  await waitFor('the start to come so far', () => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${err}`)
    return hasCome(err)
  })
  process.kill(-(child.pid ?? 0), 'SIGINT')
  const [code] = await ended
  expect([code, out]).toEqual([0, ''])
  expect(err).toContain('stopped before it was ready')
  expect(err).not.toContain('"ready"')
}

/** The programs that work in the data directory; `/proc` is that of Linux. */
function processesInData(): string[] {
  if (process.platform !== 'linux') return []
  const folderOf = (pid: string): string => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch {
      return ''
    }
  }
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && folderOf(pid).startsWith(data))
}

const isBeingMade = (): boolean => {
  const made = readdirSync(data).find((name) => name.startsWith('postgres.new-'))
  return made !== undefined && readdirSync(join(data, made)).includes('PG_VERSION')
}

test('Ctrl-C while the database is made, and while it is migrated, leaves what the next start goes on with', async () => {
  await interrupted((told) => told.includes('Making a database') && isBeingMade())
  expect(readdirSync(data)).toEqual(['lock'])
  expect(processesInData()).toEqual([])

  await interrupted((told) => told.includes('Migrating the database'))
  expect(readdirSync(data)).toEqual(['lock', 'postgres'])
  expect(readdirSync(join(data, 'postgres'))).not.toContain('postmaster.pid')
  expect(processesInData()).toEqual([])

  const served = await serve([], { cwd })
  expect(await served.end('SIGINT')).toBe(0)
})

test('Ctrl-C ends the wait for a database', async () => {
  const env = { DATABASE_URL: `postgresql://nuqta@127.0.0.1:${await freePort()}/nuqta`, NUQTA_SECRET_KEY: secret_key }
  await interrupted((told) => told.includes('Waiting for the database'), env)
})

test('a start that is stopped does not wait for a statement of an external database', async () => {
  const place = { database_url: database.url, migration_url: database.owner_url }
  const quiet = { progress: () => undefined, log: () => undefined, warn: () => undefined }
  const disposer = new Disposer()
  const stopping = new AbortController()
  const start = async (): Promise<void> => {
    const open = await openDatabase(place, undefined, { as: 'serve', ...quiet, stopping: stopping.signal })
    disposer.add((how) => open.close(how))
    await open.owner.script('begin; lock table program; commit')
  }
  await database.owner.transaction(async (tx) => {
    await tx.script('lock table program')
    const started = unlessStopped(start(), stopping.signal, disposer)
    await waitForLocks(database.owner)
    stopping.abort()
    // The lock is still held.
    await expect(started).rejects.toBe(stopping.signal.reason)
  })
})
