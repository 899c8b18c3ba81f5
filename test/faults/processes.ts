import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { waitFor } from '../support/wait.ts'

export interface HolderSaid {
  readonly connection?: { host: string; port: number; user: string; database: string } | null
  readonly postmaster?: number
  readonly locked?: boolean
  readonly interrupted?: boolean
  readonly released?: boolean
  readonly error?: string
  readonly name?: string
}

export interface Holder {
  readonly process: ChildProcess
  readonly said: HolderSaid
  next(): Promise<HolderSaid>
  /** kill -9. */
  kill(): Promise<void>
  /** Lets it stop its database cleanly. */
  release(): Promise<void>
}

/** The user of a holder, and its copy of the program. */
export interface Runner {
  readonly uid?: number
  readonly gid?: number
  readonly node?: string
  readonly script?: string
}

/** Starts `holder.ts` and waits for its first line. The end of the test kills it if it still runs. */
export async function startHolder(mode: string, path: string, runner: Runner = {}): Promise<Holder> {
  const { node = process.execPath, script = fileURLToPath(new URL('holder.ts', import.meta.url)), ...user } = runner
  const child = spawn(node, [script, mode, path], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<HolderSaid> => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`the holder ended with ${String(child.exitCode ?? child.signalCode)}`)
    return JSON.parse(line.value)
  }
  const end = async (how: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    how()
    await ended
  }
  onTestFinished(() => end(() => child.kill('SIGKILL')))
  return {
    process: child,
    said: await next(),
    next,
    kill: () => end(() => child.kill('SIGKILL')),
    release: () => end(() => child.stdin.end()),
  }
}

/** False for a process that has ended, even if its parent has not read its exit status yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  if (!existsSync('/proc/self/stat')) return true
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

export function waitForEnd(pid: number): Promise<void> {
  return waitFor(`the process ${pid} to end`, () => !isRunning(pid))
}

/** Every process of the machine with its group. */
async function processes(): Promise<{ readonly pid: number; readonly group: number }[]> {
  const list = spawn('ps', ['-eo', 'pid=,pgid='], { stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = (await text(list.stdout)).trim().split('\n')
  return lines.map((line) => {
    const [pid, group] = line.trim().split(/\s+/)
    return { pid: Number(pid), group: Number(group) }
  })
}

/** The watchdog is the other process of the postmaster's group. */
export async function watchdogOf(postmaster: number): Promise<number> {
  const watchdog = (await processes()).find(({ pid, group }) => group === postmaster && pid !== postmaster)
  if (watchdog === undefined) throw new Error('no watchdog')
  return watchdog.pid
}

/** The process group, which Ctrl-C reaches as a whole. */
export async function groupOf(pid: number): Promise<number | undefined> {
  return (await processes()).find((one) => one.pid === pid)?.group
}

/** Rows of one statement on a connection of its own. */
export async function query(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
