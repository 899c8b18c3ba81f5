import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '../db/pool.ts'

/** A PostgreSQL of a cluster. */
export interface CitusNode {
  readonly name: string
  /** Its first process, on this machine; undefined elsewhere. */
  readonly pid: number | undefined
}

/** What a cluster has done since it was watched. */
interface Watched {
  /** Processor time by node, in microseconds; null where it cannot be read. */
  readonly cpu_us: Readonly<Record<string, number | null>>
  readonly single_shard: number
  readonly multi_shard: number
}

/** Finds the coordinator and the workers, and their processes where they are on this machine. */
export async function findNodes(db: Database, coordinator_url: string): Promise<readonly CitusNode[]> {
  const rows = await db.run<{ host: string; port: number; groupid: number }>({
    text: 'select nodename as host, nodeport as port, groupid from pg_dist_node where isactive order by groupid, nodeport',
    values: [],
  })
  const nodes: CitusNode[] = []
  let workers = 0
  for (const { host, port, groupid } of rows) {
    const url = new URL(coordinator_url)
    url.hostname = host
    url.port = String(port)
    nodes.push({ name: groupid === 0 ? 'coordinator' : `worker ${++workers}`, pid: await findProcess(url.href) })
  }
  return nodes
}

/** Reads the process of the server at `url` from its data directory. */
async function findProcess(url: string): Promise<number | undefined> {
  const db = new Database(url, { size: 1 })
  try {
    const row = await db.one<{ folder: string }>({
      text: `select current_setting('data_directory') as folder`,
      values: [],
    })
    const [pid] = (await readFile(join(row?.folder ?? '', 'postmaster.pid'), 'utf8')).split('\n')
    return Number(pid)
  } catch {
    return undefined
  } finally {
    await db.close()
  }
}

/** Begins to watch; the function it gives tells what has been done since. */
export async function watchNodes(db: Database, nodes: readonly CitusNode[]): Promise<() => Promise<Watched>> {
  const [cpu, sent] = [await cpuOf(nodes), await countSent(db)]
  return async () => {
    const [cpu_after, sent_after] = [await cpuOf(nodes), await countSent(db)]
    return {
      cpu_us: Object.fromEntries(
        nodes.map(({ name }, n) => {
          const [from, to] = [cpu[n], cpu_after[n]]
          return [name, from === undefined || to === undefined ? null : to - from]
        }),
      ),
      single_shard: sent_after.single_shard - sent.single_shard,
      multi_shard: sent_after.multi_shard - sent.multi_shard,
    }
  }
}

async function countSent(db: Database): Promise<{ single_shard: number; multi_shard: number }> {
  const row = await db.one<{ single_shard: number; multi_shard: number }>({
    text: `select query_execution_single_shard as single_shard, query_execution_multi_shard as multi_shard
      from citus_stat_counters where name = current_database()`,
    values: [],
  })
  return row ?? { single_shard: Number.NaN, multi_shard: Number.NaN }
}

/** Linux counts processor time in hundredths of a second. */
const tick_us = 10_000

/** Processor time of each node's processes, those that have ended included, in microseconds. */
async function cpuOf(nodes: readonly CitusNode[]): Promise<readonly (number | undefined)[]> {
  const parents = await readProcesses()
  return nodes.map(({ pid }) => {
    const first = pid === undefined ? undefined : parents.get(pid)
    if (first === undefined) return undefined
    const children = [...parents.values()].filter(({ parent }) => parent === pid)
    return children.reduce((sum, { own }) => sum + own, first.own + first.ended) * tick_us
  })
}

interface Process {
  readonly parent: number
  /** Its own processor time and that of its ended children, in ticks. */
  readonly own: number
  readonly ended: number
}

/** Reads /proc; empty where there is none. */
async function readProcesses(): Promise<ReadonlyMap<number, Process>> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(join('/proc', name, 'stat'), 'utf8').catch(() => '')
      // The name of the program, in brackets, may hold blanks.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [parent = 0, user = 0, system = 0, ended_user = 0, ended_system = 0] = [1, 11, 12, 13, 14].map(
        (n) => fields[n],
      )
      return [Number(name), { parent, own: user + system, ended: ended_user + ended_system }] as const
    }),
  )
  return new Map(read)
}
