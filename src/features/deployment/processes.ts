import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/pool.ts'
import { before, day_ms, minute_ms } from '../../domain/spans.ts'
import { latestEnd, type OffsetClock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { JobBook } from '../../lib/job-book.ts'
import { settled } from '../../lib/within.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import {
  deleteProcesses,
  endProcess,
  findProcesses,
  type ProcessFacts,
  type ProcessName,
  type ProcessRow,
  writeProcess,
} from './process-queries.ts'

/** How often a process says that it runs. */
const heartbeat_ms = 10_000
/** A process that has not reported for this long counts as dead. */
const silent_ms = 3 * heartbeat_ms
/** The checks of the machine and the database are made less often. */
const checks_every_ms = 10 * minute_ms
/** How long after checks that failed, as long as there are none. */
const recheck_ms = minute_ms
const kept_ms = day_ms
/** Bounds the rows of a process that dies at each start. */
const most_kept = 200
const most_checks = 30
const longest_text = 300
/** How long a move of the clock waits for processes, and how often it looks. One that has just died never follows. */
const most_wait_ms = 5_000
const look_ms = 50

/** How long a stop waits for its report. */
const stop_patience_ms = 1_000

export interface HeartbeatParts {
  readonly db: Database
  readonly about: Omit<ProcessName, 'process_uuid' | 'started_at'>
  readonly jobs: JobBook
  /** What `nuqta doctor` would say. */
  readonly examine: () => Promise<NonNullable<ProcessFacts['checks']>['findings']>
  /** The last day of the certificate; null for a process without an API. */
  readonly certificateEnd: () => string | null
  /** The SHA-256 of the certificate. */
  readonly certificateDigest?: () => string
  /** Where its API listens. */
  readonly port?: number
  /** The clock of a sandbox. */
  readonly clock?: OffsetClock
}

export interface Heartbeat {
  /** Says at once how this process is. */
  readonly beat: () => Promise<void>
  /** Stops it, and says so. */
  readonly stop: () => Promise<void>
}

/**
 * Writes every few seconds what this process is and does, for operators. If the database is away, the next beat tries
 * again.
 */
export function startHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { db, about } = parts
  const name: ProcessName = { ...about, process_uuid: newUuid(), started_at: new Date() }
  let checks: ProcessFacts['checks'] = null
  let checked_ms = Number.NEGATIVE_INFINITY
  let last: Promise<unknown> = Promise.resolve()
  // One after the other, so that no older beat replaces a newer one.
  function beat(): Promise<void> {
    const written = last.then(() => db.run(writeProcess(name, factsOf(parts, checks), new Date())))
    last = written.catch(() => undefined)
    return written.then(() => undefined)
  }
  async function check(): Promise<void> {
    checked_ms = performance.now()
    await purgeProcesses(db, new Date())
    checks = { at: new Date().toISOString(), findings: short(await parts.examine()) }
  }
  const stopBeats = startWorkerLoop({
    async work() {
      const every_ms = checks === null ? recheck_ms : checks_every_ms
      // A process that only cannot be examined is not silent.
      if (performance.now() - checked_ms >= every_ms) await check().catch(() => undefined)
      await beat()
    },
    pause_ms: heartbeat_ms,
    failure_pause_ms: heartbeat_ms,
    stop_patience_ms,
  })
  async function stop(): Promise<void> {
    await stopBeats()
    // After a beat under way, which would overwrite it. The stop has only begun, and does not wait for a database that hangs.
    await settled(
      stop_patience_ms,
      last.then(() => db.run(endProcess(name.process_uuid, new Date()))),
    )
  }
  return { beat, stop }
}

type Checks = NonNullable<ProcessFacts['checks']>['findings']

function short(findings: Checks): Checks {
  return findings
    .slice(0, most_checks)
    .map(({ detail, ...rest }) => ({ ...rest, detail: detail.slice(0, longest_text) }))
}

function factsOf(parts: HeartbeatParts, checks: ProcessFacts['checks']): ProcessFacts {
  const { jobs, certificateEnd, certificateDigest, port, clock } = parts
  const text = (at: Date | null) => at?.toISOString() ?? null
  return {
    node: process.versions.node,
    jobs: jobs.jobs.map(({ started_at, ended_at, next_at, failed_at, ...job }) => ({
      ...job,
      started_at: text(started_at),
      ended_at: text(ended_at),
      next_at: text(next_at),
      failed_at: text(failed_at),
    })),
    checks,
    certificate_ends_on: certificateEnd(),
    ...(certificateDigest === undefined ? {} : { certificate_sha256: certificateDigest() }),
    ...(port === undefined ? {} : { port }),
    ...(clock === undefined ? {} : { clock_offset_s: clock.offset_s }),
  }
}

/** Whether a process still reports. One that was seen later than any clock can tell now died before its clock was set back. */
export function isHeard({ seen_at }: Pick<ProcessRow, 'seen_at'>, now: Date): boolean {
  const now_ms = now.getTime()
  return now_ms - seen_at.getTime() <= silent_ms && seen_at <= latestEnd(now_ms, 0)
}

/** The processes that run, by their reports of the last seconds. */
export async function findRunning(db: Database): Promise<ProcessRow[]> {
  const now = new Date()
  const rows = await db.run(findProcesses(before(now, silent_ms), most_kept))
  return rows.filter((row) => row.stopped_at === null && isHeard(row, now))
}

/** A certificate that a running process has. */
export interface ServedCertificate {
  readonly ends_on: string
  readonly sha256?: string
}

/** What running processes say of the API: whether one serves it on whatever machine, and how those on a host do. */
export async function readServing(
  db: Database,
  host: string,
): Promise<{
  readonly isServing: boolean
  readonly ports: readonly number[]
  readonly certificates: readonly ServedCertificate[]
}> {
  const running = await findRunning(db)
  const here = running.filter((row) => row.host === host).map(({ facts }) => facts)
  return {
    isServing: running.some(({ role }) => role !== 'worker'),
    ports: here.map(({ port }) => port).filter((port) => port !== undefined),
    certificates: here.flatMap(({ certificate_ends_on: ends_on, certificate_sha256: sha256 }) =>
      ends_on === null ? [] : [{ ends_on, ...(sha256 === undefined ? {} : { sha256 }) }],
    ),
  }
}

/** Waits until the clocks of all running processes are at an offset, but not for ever. */
export async function untilClocksAreAt(db: Database, offset_s: number, wait_ms = most_wait_ms): Promise<void> {
  const end_ms = performance.now() + wait_ms
  const isThere = ({ facts }: ProcessRow) => (facts.clock_offset_s ?? offset_s) === offset_s
  while (!(await findRunning(db)).every(isThere) && performance.now() < end_ms) await sleep(look_ms)
}

/** Deletes processes that were not seen for a day, by the machine's clock; gives their number. */
export async function purgeProcesses(db: Database, now: Date): Promise<number> {
  return (await db.run(deleteProcesses(before(now, kept_ms), most_kept))).length
}
