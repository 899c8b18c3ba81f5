import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { minute_ms } from '../../domain/spans.ts'
import {
  cannotStart,
  dataArgument,
  EmbeddedError,
  explainFailure,
  type Place,
  programOptions,
  withFolder,
} from './program.ts'
import { port, readPidFile } from './running.ts'

/** A running postmaster that is a child of this process. */
export interface Server {
  readonly pid: number
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

export interface ServerMode {
  /** False trades durability for speed: for tests. */
  readonly fsync: boolean
  /** For one large transaction that makes its own tables, with nobody else connected. */
  readonly bulk_load?: boolean
  /** Ends the start. */
  readonly stopping?: AbortSignal | undefined
}

const start_timeout_ms = 5 * minute_ms
const fast_stop_ms = 15_000

/**
 * A shell script that runs a program and a watchdog. The watchdog reads descriptor 4, which closes when this process
 * ends, even by SIGKILL; then it stops the program. A line on the descriptor ends the watchdog. The double subshell
 * keeps the watchdog from being a child of the postmaster, which does not expect one.
 */
const watched = `
( ( trap '' HUP INT TERM
    read -r line <&4 && exit
    kill -INT $$; sleep 1.5; kill -QUIT $$
  ) </dev/null >/dev/null 2>&1 3<&- & )
exec "$@" 4<&-`

/**
 * Starts the postmaster of the cluster. Retries for some seconds while backends of an earlier postmaster still hold its
 * shared memory.
 * @throws EmbeddedError with the output, if it ends before it accepts connections; the reason of `stopping`
 */
export async function startServer(place: Place, mode: ServerMode, log: (line: string) => void): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(place, mode, log)
    } catch (error) {
      mode.stopping?.throwIfAborted()
      const output = error instanceof EmbeddedError ? String(error.cause) : ''
      if (tries === 20 || !/pre-existing shared memory block/.test(output)) throw error
      await sleep(500, undefined, { signal: mode.stopping })
    }
  }
}

/** Starts the postmaster once, and waits until it accepts connections. After a crash that includes recovery. */
async function startOnce(place: Place, mode: ServerMode, log: (line: string) => void): Promise<Server> {
  mode.stopping?.throwIfAborted()
  const child = launch(place, mode)
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
  // Not "close": the watchdog and orphaned backends keep the streams open for longer.
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const watchdog = child.stdio[4] as Socket
  watchdog.on('error', () => undefined)
  void ended.then(() => watchdog.end('ended\n'))
  const stop = (): void => void child.kill('SIGINT')
  mode.stopping?.addEventListener('abort', stop)
  await Promise.race([failed, ended, untilReady(place.folder, child)]).finally(() =>
    mode.stopping?.removeEventListener('abort', stop),
  )
  if (hasEnded(child)) {
    await Promise.race([silent, sleep(1_000, undefined, { ref: false })])
    throw explainFailure('did not start', printed.join('\n'), place.folder)
  }
  const streams = [watchdog, child.stderr as Socket]
  // The database must not keep an idle process alive. The watchdog stops it when the process ends.
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
      const timer = setTimeout(() => child.kill('SIGQUIT'), fast_stop_ms)
      await ended
      clearTimeout(timer)
    },
  }
}

function launch(place: Place, mode: ServerMode): ChildProcess {
  const args = [`${place.bin}/postgres`, '-D', dataArgument(place), ...options(mode)]
  return withFolder(place.folder, (descriptor) =>
    spawn('/bin/sh', ['-c', watched, 'sh', ...args], {
      ...programOptions(place.account),
      // In its own process group: we handle Ctrl-C, and stop the database last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', descriptor, 'pipe'],
    }),
  )
}

/** Rows of a table made in the same transaction need no WAL: at the commit its files are written to disk instead. */
const bulk = ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=8GB', 'checkpoint_timeout=1h', 'autovacuum=off']

/** Options that override postgresql.conf. */
function options({ fsync, bulk_load = false }: ServerMode): string[] {
  const durability = fsync ? ['fsync=on'] : ['fsync=off', 'full_page_writes=off']
  return [
    'listen_addresses=',
    // In the folder of the cluster: closed to other users, and not cleaned up like /tmp.
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    `port=${port}`,
    ...durability,
    ...(bulk_load ? bulk : []),
    'logging_collector=off',
    'log_destination=stderr',
    // Clients get their errors. In a log, error texts could show phone numbers.
    'log_min_messages=log',
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
  ].flatMap((setting) => ['-c', setting])
}

async function untilReady(cluster: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + start_timeout_ms
  while (!hasEnded(child)) {
    const found = await readPidFile(cluster)
    if (found?.pid === child.pid && found?.ready === true) return
    if (performance.now() > deadline) child.kill('SIGQUIT')
    await sleep(10)
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
