import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder that is removed when this process ends, however it ends. */
export interface Scratch {
  readonly path: string
  /** Names the process that works in the folder and has to end with ours; undefined when it has ended. */
  endWith(pid: number | undefined): void
  remove(): Promise<void>
}

/**
 * A shell in its own session, so that neither Ctrl-C nor our death ends it. It reads process ids from a pipe that closes
 * with us, ends the last one, and removes the folder again and again: a database may still write while it stops.
 */
const reaper = `pid=
while read -r line; do pid=$line; done
[ -z "$pid" ] || kill "$pid" 2>/dev/null
tries=0
while [ -e "$0" ] && [ "$tries" -lt 150 ]; do
  rm -rf "$0" 2>/dev/null
  [ ! -e "$0" ] || sleep 0.2
  tries=$((tries + 1))
done`

/** Makes a folder whose name begins with `prefix`. */
export async function makeScratch(prefix: string): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const child = spawn('/bin/sh', ['-c', reaper, path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.unref()
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return {
    path,
    endWith(pid) {
      child.stdin.write(`${pid ?? ''}\n`)
    },
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.ref()
      child.stdin.end('\n')
      await gone
    },
  }
}
