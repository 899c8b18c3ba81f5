import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

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

/** Starts `holder.ts` and waits for what it says first. */
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
