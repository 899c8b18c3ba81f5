import { execFile } from 'node:child_process'
import { appendFile, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { makeScratch } from '../../src/bench/scratch.ts'
import { distributeTables } from '../../src/db/citus.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { copyClusterDatabase, dropClusterDatabase, makeClusterDatabase } from './cluster.ts'
import { makeFreshCluster, openWithCluster } from './fresh-cluster.ts'
import { at, connected, freshName, type TestServer } from './server.ts'
import { preferMemory } from './temporary.ts'

/**
 * One PostgreSQL for the whole run: the one at NUQTA_TEST_DATABASE_URL, where the role may create databases and roles,
 * or an embedded one of its own. Holds a migrated template that every test file clones. NUQTA_TEST_CITUS_URL is the
 * coordinator of a Citus cluster instead, as a superuser: there each worker of the run has a migrated database. It also makes
 * one temporary folder, which the end of the run deletes, also on Ctrl-C.
 */
export async function setup({ provide, vitest }: TestProject): Promise<() => Promise<void>> {
  await preferMemory()
  await preferLongTurns()
  const scratch = await makeScratch('nuqta-test-')
  // Tests also run programs as another user, who creates folders there.
  await chmod(scratch.path, 0o1777)
  process.env['TMPDIR'] = scratch.path
  // The processes of tests run the same code: the first one fills the compile cache for all.
  process.env['NODE_COMPILE_CACHE'] = join(scratch.path, 'compiled')
  const cluster = process.env['NUQTA_TEST_CITUS_URL']
  const given = cluster ?? process.env['NUQTA_TEST_DATABASE_URL']
  const fresh = await makeFreshCluster(join(scratch.path, 'fresh'))
  const server = given ? { url: given, stop: async () => undefined } : await startServer(fresh)
  const service = { user: freshName(), password: freshName() }
  const workers = cluster ? Number(vitest.config.maxWorkers) : 0
  const of_workers = Array.from({ length: workers }, () => freshName())
  const template = freshName()
  const remove = async (): Promise<void> => {
    for (const name of of_workers) await dropClusterDatabase(server.url, name)
    await connected(server.url, async (admin) => {
      await admin.script(`drop database if exists ${template} with (force)`)
      await admin.script(`drop role if exists ${service.user}`)
    })
  }
  try {
    await connected(server.url, (admin) =>
      admin.script(`create role ${service.user} login password '${service.password}'`),
    )
    const [first, ...others] = of_workers
    if (first !== undefined) {
      await makeSpread(server.url, first, service)
      await copyClusterDatabase(server.url, first, others)
    } else await makeTemplate(server.url, template, service)
  } catch (error) {
    await remove().finally(server.stop).finally(scratch.remove)
    throw error
  }
  provide('server', { admin_url: server.url, cluster: fresh, template, of_workers, service })
  return () => remove().finally(server.stop).finally(scratch.remove)
}

/**
 * Has the processes of the run take turns as batches do, where the system can: one that wakes does not interrupt the one that
 * woke it. Four workers with their servers and browsers switch less often, which takes about a twentieth less time.
 */
async function preferLongTurns(): Promise<void> {
  // What a process starts later inherits it.
  await promisify(execFile)('chrt', ['-b', '-p', '0', String(process.pid)]).catch(() => undefined)
}

async function makeTemplate(url: string, template: string, service: TestServer['service']): Promise<void> {
  await connected(url, (admin) => admin.script(`create database ${template}`))
  await connected(at(url, { database: template }), (owner) => migrate(owner, { service: service.user }))
}

async function makeSpread(url: string, name: string, service: TestServer['service']): Promise<void> {
  await connected(await makeClusterDatabase(url, name), async (owner) => {
    await migrate(owner, { service: service.user })
    await distributeTables(owner)
  })
}

/**
 * The database is temporary, so it never syncs to disk. Autovacuum is off: it would analyse tables at a different moment in
 * each run, and visit every database again and again. A test that needs statistics runs ANALYZE. Statements are planned once
 * for each connection, except on the service's own pools: planning them up to six times took a ninth of the time.
 */
const settings = [
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'synchronous_commit=off',
  'full_page_writes=off',
  'checkpoint_timeout=1h',
  'plan_cache_mode=force_generic_plan',
]

/** The embedded PostgreSQL in a folder of the run's own, without durability. */
async function startServer(cluster: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const dir = await openWithCluster(join(tmpdir(), 'server'), cluster)
  await appendFile(join(dir.cluster, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const server = await startEmbedded(dir, { fsync: false, shared: false })
  const { host, port } = server.connection('owner')
  // Name our process id in a socket path of /proc/self, so that processes of tests can use it too.
  const socket = encodeURIComponent(host.replace(/^\/proc\/self\//, `/proc/${process.pid}/`))
  return { url: `postgresql://postgres@localhost:${port}/postgres?host=${socket}`, stop: () => server.stop() }
}
