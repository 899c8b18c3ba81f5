import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError, explainFailure } from './error.ts'
import { readPidFile } from './pid-file.ts'
import type { Place } from './program.ts'
import { cannotStart, dataArgument, programOptions, withFolder } from './program.ts'
import { port } from './socket.ts'

/** A running postmaster that is a child of this process. */
export interface Server {
  readonly pid: number
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

const startPatience_ms = 300_000
const fastStop_ms = 15_000

/**
 * Runs a program and a watchdog beside it. The watchdog reads descriptor 4, which ends when its other end does: with
 * this process, however it was killed. A line on it says that all is well and there is nothing to stop any more.
 * Twice in brackets, the watchdog is no child of the postmaster, which would wonder about it.
 */
const watched = `
( ( trap '' HUP INT TERM
    read -r line <&4 && exit
    kill -INT $$; sleep 1.5; kill -QUIT $$
  ) </dev/null >/dev/null 2>&1 3<&- & )
exec "$@" 4<&-`

/**
 * Starts the cluster's postmaster as `startOnce` does, and tries again for some seconds while backends of an earlier
 * one still end: PostgreSQL refuses to share their memory.
 */
export async function startServer(place: Place, fsync: boolean, log: (line: string) => void): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(place, fsync, log)
    } catch (error) {
      const output = error instanceof EmbeddedError ? String(error.cause) : ''
      if (tries === 20 || !/pre-existing shared memory block/.test(output)) throw error
      await sleep(500)
    }
  }
}

/**
 * Starts the cluster's postmaster and waits until it accepts connections (after a crash: until it has recovered).
 * @throws EmbeddedError with what it printed, when it ends before that
 */
async function startOnce(place: Place, fsync: boolean, log: (line: string) => void): Promise<Server> {
  const child = launch(place, fsync)
  const printed: string[] = []
  const silent = new Promise<void>((resolve) => {
    if (child.stderr === null) return resolve()
    const lines = createInterface(child.stderr)
    lines.on('line', (line) => {
      log(line)
      printed.push(line)
      if (printed.length > 50) printed.shift()
    })
    lines.once('close', resolve)
  })
  const failed = new Promise<never>((_, reject) =>
    child.once('error', (error) => reject(cannotStart('postgres', error))),
  )
  // Not "close": the watchdog and orphaned backends hold their ends of the streams for longer.
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const watchdog = child.stdio[4] as Socket
  watchdog.on('error', () => undefined)
  void ended.then(() => watchdog.end('ended\n'))
  await Promise.race([failed, ended, untilReady(place.folder, child)])
  if (hasEnded(child)) {
    await Promise.race([silent, sleep(1_000, undefined, { ref: false })])
    throw explainFailure('did not start', printed.join('\n'))
  }
  const streams = [watchdog, child.stderr as Socket]
  // The database must not keep a process alive that has nothing left to do: the watchdog stops it then.
  child.unref()
  for (const stream of streams) stream.unref()
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      if (hasEnded(child)) return
      child.ref()
      for (const stream of streams) stream.ref()
      child.kill('SIGINT')
      const impatience = setTimeout(() => child.kill('SIGQUIT'), fastStop_ms)
      await ended
      clearTimeout(impatience)
    },
  }
}

function launch(place: Place, fsync: boolean): ChildProcess {
  const args = [`${place.bin}/postgres`, '-D', dataArgument(place), ...options(fsync)]
  return withFolder(place.folder, (descriptor) =>
    spawn('/bin/sh', ['-c', watched, 'sh', ...args], {
      ...programOptions(place.account),
      // Out of our process group: Ctrl-C is ours to handle, and the database ends last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', descriptor, 'pipe'],
    }),
  )
}

/** What must hold whatever postgresql.conf says. */
function options(fsync: boolean): string[] {
  const durability = fsync ? ['fsync=on'] : ['fsync=off', 'full_page_writes=off']
  return [
    'listen_addresses=',
    // In the cluster's own folder, which is closed to others, and where no cleaner of temporary files comes by.
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    `port=${port}`,
    ...durability,
    'logging_collector=off',
    'log_destination=stderr',
    // Errors reach the client that caused them; in a log their texts could show a customer's phone number.
    'log_min_messages=log',
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
  ].flatMap((setting) => ['-c', setting])
}

async function untilReady(cluster: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startPatience_ms
  while (!hasEnded(child)) {
    const found = await readPidFile(cluster)
    if (found?.pid === child.pid && found?.ready === true) return
    if (Date.now() > deadline) child.kill('SIGQUIT')
    await sleep(10)
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
