import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serviceVersion } from '../lib/version.ts'
import { wrkVersion } from './wrk.ts'

const run = promisify(execFile)

/** What was measured, when and on which machine: the head of a table and of a stored result. It names no host and no folder. */
export interface Head {
  readonly date: string
  readonly machine: string
  /** The version of the service. */
  readonly nuqta: string
  /** Null unless the service runs from a clone; ends with `-dirty` if files of the clone were changed. */
  readonly commit: string | null
  /** Null without wrk. */
  readonly wrk: string | null
}

/** Reads what the head of a result says. */
export async function readHead(now: Date): Promise<Head> {
  const [cpu] = cpus()
  const memory_gb = Math.round(totalmem() / 2 ** 30)
  const host = `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory_gb} GB, ${platform()} ${release()}`
  return {
    date: now.toISOString(),
    machine: `${now.toISOString().slice(0, 10)} · ${host} · Node.js ${process.version}`,
    nuqta: serviceVersion(),
    commit: await commitOf(fileURLToPath(new URL('../../', import.meta.url))),
    wrk: await wrkVersion(),
  }
}

/** The head as lines above a table. */
export function renderHead({ machine, nuqta, commit, wrk }: Head, database: string): readonly string[] {
  const service = `Nuqta ${nuqta}${commit === null ? '' : ` (${commit})`}`
  return [machine, [service, database, ...(wrk === null ? [] : [wrk])].join(' · ')]
}

/** The commit that is checked out in a folder. A package that lies in the clone of another project has none. */
async function commitOf(folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder })).stdout.trim()
  try {
    const commit = await git('rev-parse', '--short=12', 'HEAD')
    // Stored results change nothing that is measured.
    const changes = await git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results')
    return changes === '' ? commit : `${commit}-dirty`
  } catch {
    return null
  }
}
