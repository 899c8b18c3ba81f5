import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `postmaster.pid` says of the server that wrote it. */
export interface PidFile {
  readonly pid: number
  /** Seconds since 1970; with the pid it names one server for good. */
  readonly started_at_s: number
  readonly ready: boolean
}

/** Reads the cluster's pid file; undefined when there is none, or none that is complete. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  const startedAt = Number.parseInt(lines[2] ?? '', 10)
  if (!(pid > 0) || Number.isNaN(startedAt)) return undefined
  return { pid, started_at_s: startedAt, ready: lines[7]?.trim() === 'ready' }
}
