import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'

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
  /** Lets it stop what it holds. */
  release(): Promise<void>
}

/** How a holder is run: by whom, and from which copy of the program. */
export interface Runner {
  readonly uid?: number
  readonly gid?: number
  readonly node?: string
  readonly script?: string
}

/** Starts `holder.ts` and waits for what it says first; killed at the end of the test when it still runs then. */
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

/** False for a process that has ended, also when nobody has asked for its exit status yet. */
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

/** Waits for a process to end and gives the milliseconds it took, `limit_ms` at most. */
export async function waitForEnd(pid: number, limit_ms: number): Promise<number> {
  const begun = performance.now()
  while (isRunning(pid) && performance.now() - begun < limit_ms) await sleep(20)
  return performance.now() - begun
}

/** The watchdog is in the postmaster's session, and is a shell. */
export async function watchdogOf(postmaster: number): Promise<number> {
  const list = spawn('ps', ['-eo', 'pid=,pgid=,comm='], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  for await (const chunk of list.stdout) text += String(chunk)
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/))
  const row = rows.find(([pid, group]) => group === String(postmaster) && pid !== group)
  if (row === undefined) throw new Error('no watchdog')
  return Number(row[0])
}

/** Rows of one statement on a connection of its own. */
export async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
