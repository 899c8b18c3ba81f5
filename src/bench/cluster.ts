import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from '../db/embedded/binaries.ts'
import { accountFor, type Place, programOptions, runProgram } from '../db/embedded/program.ts'
import { Database } from '../db/pool.ts'
import { serverVersion } from './database.ts'
import { makeScratch, type Scratch } from './scratch.ts'

/** A new PostgreSQL with the settings of `initdb`, as an operator's may be. */
export interface Cluster {
  readonly url: string
  /** Like `PostgreSQL 15.18`. */
  readonly version: string
  stop(): Promise<void>
}

const patience_ms = 30_000

/** Creates and starts it with the machine's newest PostgreSQL, or else the one of the npm packages. */
export async function startCluster(): Promise<Cluster> {
  const scratch = await makeScratch('nuqta-bench-pg-')
  try {
    return await startIn(scratch)
  } catch (error) {
    await scratch.remove()
    throw error
  }
}

async function startIn(scratch: Scratch): Promise<Cluster> {
  const folder = scratch.path
  const account = await accountFor(folder)
  if (account !== undefined) await chown(folder, account.uid, account.gid)
  const bin = (await installed()) ?? (await findBinaries({ account, cache: join(folder, 'programs') }))
  const place: Place = { bin, folder, account }
  const data = join(folder, 'data')
  const made = await runProgram(place, 'initdb', ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8'])
  if (!made.ok) throw new Error(`the database of the bench could not be made: ${made.output}`)
  const args = ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`]
  const child = spawn(join(bin, 'postgres'), args, { ...programOptions(account), stdio: 'ignore' })
  scratch.endWith(child.pid)
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGINT')
      await once(child, 'exit')
    }
    scratch.endWith(undefined)
    await scratch.remove()
  }
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  try {
    return { url, version: await answering(url, child), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The programs of the newest PostgreSQL where Debian installs them. */
async function installed(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const [newest] = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a))
  return newest === undefined ? undefined : join('/usr/lib/postgresql', newest, 'bin')
}

async function answering(url: string, child: ChildProcess): Promise<string> {
  const db = new Database(url, { size: 1 })
  const deadline_ms = performance.now() + patience_ms
  try {
    for (;;) {
      try {
        return await serverVersion(db)
      } catch (error) {
        if (child.exitCode !== null || performance.now() > deadline_ms) throw error
        await sleep(50)
      }
    }
  } finally {
    await db.close()
  }
}
