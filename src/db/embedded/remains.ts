import { readdir, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from './pid-file.ts'
import { isListening, openSocketFolder } from './socket.ts'

const lockFiles = ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432']

/**
 * Clears what a killed server left: processes that still run on the cluster are ended, and pid files that name a
 * process of somebody else (after a restart of a container, the same number is soon taken) are removed.
 * The caller holds the data directory's lock, so that no server of a living Nuqta can be meant.
 */
export async function clearRemains(cluster: string, log: (line: string) => void): Promise<void> {
  const found = await readPidFile(cluster)
  if (found !== undefined && (await isPostmaster(found.pid, cluster))) {
    log(`ending the server ${found.pid} that an earlier process left running`)
    await end(found.pid, cluster)
  }
  // A postmaster that was killed leaves its backends: idle ones end at once, a busy one when its statement does.
  for (let tries = 0; (await processesOn(cluster)).length > 0 && tries < 20; tries++) await sleep(50)
  for (const pid of await processesOn(cluster)) signal(pid, 'SIGKILL')
  for (let tries = 0; (await processesOn(cluster)).length > 0 && tries < 20; tries++) await sleep(50)
  for (const name of lockFiles) await rm(join(cluster, name), { force: true })
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await processesOn(cluster)).includes(pid)
  const folder = await openSocketFolder(cluster)
  try {
    return signal(pid, 0) && (await isListening(folder))
  } finally {
    await folder.close()
  }
}

async function end(pid: number, cluster: string): Promise<void> {
  for (const [kind, patience_ms] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!signal(pid, kind)) return
    for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += 50) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(50)
    }
  }
}

/** Every PostgreSQL process that has the cluster as its working folder; on Linux only, elsewhere none are known. */
async function processesOn(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const ours = await Promise.all(
    pids.map(async (pid) => {
      const [folder, program] = await Promise.all([link(`/proc/${pid}/cwd`), link(`/proc/${pid}/exe`)])
      // An installation that was replaced meanwhile shows as "postgres (deleted)".
      return folder === cluster && basename(program).startsWith('postgres')
    }),
  )
  return pids.filter((_, index) => ours[index]).map(Number)
}

/** Other users' processes cannot be read, and some end while we look. */
function link(path: string): Promise<string> {
  return readlink(path).catch(() => '')
}

function signal(pid: number, kind: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, kind)
  } catch {
    return false
  }
}
