import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { secret_key } from '../support/secret-key.ts'

export interface WorkerProcess {
  readonly pid: number
  /** How often it has stopped at a place. */
  stopped(where: 'before' | 'after'): number
  /** The number of warnings since the start. */
  warned(): number
  /** kill -9. */
  kill(): Promise<void>
}

const running = new Set<ChildProcess>()

/** Starts `worker.ts` on a database and waits until it works; killed at the end of the test when it still runs then. */
export async function startWorkerProcess(
  url: string,
  settings: {
    readonly timeout_s?: number
    readonly retry_delays_s?: readonly number[]
    readonly lease_margin_ms?: number
  } = {},
): Promise<WorkerProcess> {
  const whole = { url, secret_key, timeout_s: 1, retry_delays_s: [1, 1, 1], lease_margin_ms: 1_000, ...settings }
  const script = fileURLToPath(new URL('worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(whole)], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const stopped = { before: 0, after: 0 }
  let warned = 0
  const ready = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', (line) => {
    const said = JSON.parse(line) as { ready?: true; stopped?: 'before' | 'after'; warned?: string }
    if (said.ready === true) ready.resolve()
    if (said.stopped !== undefined) stopped[said.stopped] += 1
    if (said.warned !== undefined) warned += 1
  })
  child.once('exit', () => ready.reject(new Error('the worker ended at its start')))
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    running.delete(child)
  }
  onTestFinished(kill)
  await ready.promise
  return { pid: child.pid ?? 0, stopped: (where) => stopped[where], warned: () => warned, kill }
}
