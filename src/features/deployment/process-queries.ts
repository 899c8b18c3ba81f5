import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

/** What a process says of itself beside its name. Stored as JSON, so its times are texts. */
export interface ProcessFacts {
  readonly node: string
  readonly jobs: readonly {
    readonly name: string
    readonly started_at: string | null
    readonly ended_at: string | null
    readonly took_ms: number | null
    readonly next_at: string | null
    readonly failures: number
    readonly failed_at: string | null
    readonly error: string | null
  }[]
  /** What `nuqta doctor` would say; null before the first look. */
  readonly checks: {
    readonly at: string
    readonly findings: readonly {
      readonly check: string
      readonly ok: boolean
      readonly detail: string
      readonly advice?: string
    }[]
  } | null
  /** The last day of the certificate; null for a process without an API. */
  readonly certificate_ends_on: string | null
  /** The SHA-256 of that certificate; absent for a process without an API, and for an older version. */
  readonly certificate_sha256?: string
  /** Where its API listens; absent for a process without one. */
  readonly port?: number
  /** How many seconds the clock of a sandbox is ahead of the machine's; absent in production. */
  readonly clock_offset_s?: number
}

export interface ProcessName {
  readonly process_uuid: Uuid
  readonly role: 'all' | 'api' | 'worker'
  readonly version: string
  readonly host: string
  readonly pid: number
  readonly started_at: Date
}

export interface ProcessRow extends ProcessName {
  readonly facts: ProcessFacts
  readonly seen_at: Date
  readonly stopped_at: Date | null
}

/** Writes the status of a process. */
export function writeProcess(of: ProcessName, facts: ProcessFacts, now: Date): Statement<never> {
  return {
    text: `insert into service_process (process_uuid, role, version, host, pid, facts, started_at, seen_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (process_uuid) do update set facts = excluded.facts, seen_at = excluded.seen_at`,
    values: [of.process_uuid, of.role, of.version, of.host, of.pid, JSON.stringify(facts), of.started_at, now],
  }
}

/** Records that a process has stopped. */
export function endProcess(process_uuid: Uuid, now: Date): Statement<never> {
  return {
    text: 'update service_process set stopped_at = $2, seen_at = $2 where process_uuid = $1',
    values: [process_uuid, now],
  }
}

/** The processes that were seen since an instant, the last seen first. */
export function findProcesses(since: Date, most: number): Statement<ProcessRow> {
  return {
    text: `select process_uuid, role, version, host, pid, facts, started_at, seen_at, stopped_at from service_process
      where seen_at >= $1 order by seen_at desc limit $2`,
    values: [since, most],
  }
}

/** Deletes the processes that were not seen since an instant, and the oldest beyond `keep`. */
export function deleteProcesses(before: Date, keep: number): Statement<{ process_uuid: Uuid }> {
  return {
    text: `delete from service_process where seen_at < $1 or process_uuid in (
        select process_uuid from service_process order by seen_at desc offset $2) returning process_uuid`,
    values: [before, keep],
  }
}
