import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type DataDirectory, lockDataDirectory, openDataDirectory } from '../../src/config/data-directory.ts'
import { accountFor, EmbeddedError, explainFailure } from '../../src/db/embedded/program.ts'
import { readPidFile } from '../../src/db/embedded/running.ts'
import { startServer } from '../../src/db/embedded/server.ts'
import { attachEmbedded, type StartOptions, startEmbedded } from '../../src/db/embedded.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { waitFor } from '../support/wait.ts'
import { isRoot, nobody } from './installation.ts'
import { isRunning, query } from './processes.ts'

const onLinux = process.platform === 'linux'

let root = ''
beforeEach(async () => {
  // A private folder with a space in its name, like the home of root and the folders of many people.
  root = await mkdtemp(join(tmpdir(), 'nuqta home '))
  // Register this hook first, so that it runs last: after the servers have stopped.
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
})

interface Begin extends StartOptions {
  /** Creates the cluster; the other tests start on a copy. */
  readonly first?: boolean
}

/** Opens, locks and starts; stopped and released at the end of the test. */
async function start(path: string, { first = false, ...options }: Begin = {}) {
  const isThere = existsSync(join(path, 'postgres'))
  const dir = await (first || isThere ? openDataDirectory(path) : openWithCluster(path))
  const lock = await lockDataDirectory(dir)
  expect(lock).not.toBeNull()
  const database = await startEmbedded(dir, { fsync: false, ...options })
  const stop = async () => {
    await database.stop()
    await lock?.release()
  }
  onTestFinished(stop)
  return { dir, database, stop }
}

async function postmasterOf(dir: DataDirectory): Promise<number> {
  const found = await readPidFile(dir.cluster)
  if (found === undefined) throw new Error('no postmaster.pid')
  return found.pid
}

test('a durable server on a Unix socket only, in UTF-8 and UTC, with two roles of few rights', async () => {
  const { dir, database } = await start(join(root, 'data'), { fsync: true, first: true })
  const owner = database.connection('owner')
  const service = database.connection('service')
  const [settings] = await query(
    owner,
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('listen_addresses') as tcp,
       current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit, current_setting('server_encoding') as encoding,
       current_setting('timezone') as timezone, current_setting('max_connections') as connections,
       datlocprovider, datlocale, inet_server_addr() as address
     from pg_database where datname = current_database()`,
  )
  expect(settings).toEqual({
    major: 18,
    tcp: '',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    encoding: 'UTF8',
    timezone: 'UTC',
    connections: '100',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    address: null,
  })
  expect(
    await query(
      owner,
      'select rolname, rolsuper, rolcreaterole from pg_roles where not rolsuper and rolcanlogin order by 1',
    ),
  ).toEqual([
    { rolname: 'nuqta_owner', rolsuper: false, rolcreaterole: false },
    { rolname: 'nuqta_service', rolsuper: false, rolcreaterole: false },
  ])
  await query(owner, 'create table secret (value int)')
  await query(owner, 'create schema another')
  expect(await query(service, 'select current_user as me')).toEqual([{ me: 'nuqta_service' }])
  await expect(query(service, 'select * from secret')).rejects.toThrow(/permission denied for table secret/)
  await expect(query(service, 'create table mine (value int)')).rejects.toThrow(/permission denied for schema public/)
  await expect(query(service, 'create temp table mine (value int)')).rejects.toThrow(/permission denied/)
  expect((await stat(dir.cluster)).mode & 0o777).toBe(0o700)
  if (onLinux) expect(await tcpSocketsOf(await postmasterOf(dir))).toEqual([])
})

async function tcpSocketsOf(pid: number): Promise<string[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const inodes = new Set(tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9])))
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return targets.filter((target) => {
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    return inode !== undefined && inodes.has(inode)
  })
}

test('committed rows survive a stop and a start', async () => {
  const first = await start(join(root, 'data'))
  await query(first.database.connection('owner'), 'create table kept as select 42 as value')
  await first.stop()
  expect(await readdir(first.dir.path)).toEqual(['lock', 'postgres'])
  const second = await start(join(root, 'data'))
  expect(await query(second.database.connection('owner'), 'select value from kept')).toEqual([{ value: 42 }])
})

test('a path that is too long for a socket works, also after a restart', async () => {
  const path = join(root, 'very long '.repeat(12), 'data')
  const { dir, database } = await start(path)
  const host = database.connection('owner').host
  expect(Buffer.byteLength(host)).toBeLessThan(80)
  expect(await query(database.connection('service'), 'select 1 as one')).toEqual([{ one: 1 }])
  process.kill(await postmasterOf(dir), 'SIGKILL')
  await database.exited
  const again = await startEmbedded(dir, { fsync: false })
  onTestFinished(() => again.stop())
  expect(again.connection('owner').host).toBe(host)
  expect(await query({ ...again.connection('service'), host }, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('the log has lines of the server, but never the text of a failed statement', async () => {
  const lines: string[] = []
  const { database } = await start(join(root, 'data'), { log: (line) => lines.push(line) })
  const owner = database.connection('owner')
  await query(owner, "create table customer (phone text primary key); insert into customer values ('512345678')")
  await expect(query(owner, "insert into customer values ('512345678')")).rejects.toThrow(/duplicate key/)
  await expect(query(owner, "select '512345678'::date")).rejects.toThrow(/date/)
  await database.stop()
  const log = lines.join('\n')
  expect(log).toContain('database system is ready to accept connections')
  expect(log).toContain('database system is shut down')
  expect(log).not.toContain('512345678')
})

test('a postmaster that is killed is noticed, and starts again although a backend of it is busy', async () => {
  const { dir, database } = await start(join(root, 'data'), { fsync: true })
  const owner = database.connection('owner')
  await query(owner, 'create table kept as select 42 as value')
  const busy = new pg.Client(owner)
  busy.on('error', () => undefined)
  await busy.connect()
  const [row] = (await busy.query('select pg_backend_pid() as pid')).rows
  const looping = busy.query('do $$ begin loop end loop; end $$').catch((error: unknown) => error)
  await waitFor('the backend to loop', async () => {
    const [backend] = await query(owner, `select state from pg_stat_activity where pid = ${row.pid}`)
    return backend?.['state'] === 'active'
  })
  process.kill(await postmasterOf(dir), 'SIGKILL')
  await database.exited
  expect(isRunning(row.pid)).toBe(true)
  const again = await startEmbedded(dir, { fsync: false })
  onTestFinished(() => again.stop())
  expect(isRunning(row.pid)).toBe(false)
  expect(await query(again.connection('owner'), 'select value from kept')).toEqual([{ value: 42 }])
  expect(await looping).toBeInstanceOf(Error)
})

test('a start waits for shared memory that an earlier server still uses', async () => {
  const bin = join(root, 'bin')
  await mkdir(bin)
  await chmod(root, 0o755)
  // Replace the server: refuse twice as PostgreSQL does, then for another reason.
  await writeFile(
    join(bin, 'postgres'),
    `#!/bin/sh
     n=$(ls | grep -c '^try'); : > "try$n"
     [ "$n" -ge 2 ] && { echo 'FATAL:  something else' >&2; exit 1; }
     echo 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use' >&2; exit 1`.replace(
      '#!/bin/sh',
      `#!/bin/sh\ncd '${root}'`,
    ),
    { mode: 0o755 },
  )
  const place = { bin, folder: root, account: undefined }
  await expect(startServer(place, { fsync: false }, () => undefined)).rejects.toThrow(
    /did not start: FATAL: {2}something else\.$/,
  )
  expect((await readdir(root)).filter((name) => name.startsWith('try'))).toHaveLength(3)
})

test('a stop is no unexpected exit, and can be requested twice', async () => {
  const { dir, database } = await start(join(root, 'data'))
  const pid = await postmasterOf(dir)
  const exited = vi.fn()
  void database.exited.then(exited)
  await Promise.all([database.stop(), database.stop()])
  expect(isRunning(pid)).toBe(false)
  await nextTurn()
  expect(exited).not.toHaveBeenCalled()
  await database.stop()
})

test('a stale pid file that names a living process of somebody else is removed, and that process left alone', async () => {
  const first = await start(join(root, 'data'))
  await query(first.database.connection('owner'), 'create table kept as select 42 as value')
  const pidFile = join(first.dir.cluster, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8')
  await first.stop()
  // Use a process of the server's own user: PostgreSQL itself recognises all others.
  const owner = await stat(first.dir.cluster)
  const other = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid, cwd: '/', stdio: 'ignore' })
  onTestFinished(() => void other.kill('SIGKILL'))
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const path = join(first.dir.cluster, name)
    await writeFile(path, text.replace(/^\d+/, String(other.pid)), { mode: 0o600 })
    await chown(path, owner.uid, owner.gid)
  }
  const second = await start(join(root, 'data'))
  expect(await query(second.database.connection('owner'), 'select value from kept')).toEqual([{ value: 42 }])
  expect(other.exitCode ?? other.signalCode).toBeNull()
})

// Root made the first database of another user, and that user could not start it.
test.skipIf(!isRoot)(
  'root makes a cluster for the owner of the data directory, if PostgreSQL can run as them',
  async () => {
    for (const [owner, found] of [
      [1, 1],
      [54_321, nobody.uid],
    ] as const) {
      const path = join(root, `of ${owner}`)
      await mkdir(path)
      await chown(path, owner, owner)
      expect((await accountFor(join(path, 'postgres')))?.uid).toBe(found)
    }
    const { dir } = await start(join(root, 'of 1'), { first: true })
    const { uid, gid } = await stat(dir.cluster)
    expect([uid, gid]).toEqual([1, 1])
  },
)

test('a killed first start leaves nothing in the way of the next one', async () => {
  const path = join(root, 'data')
  await mkdir(join(path, 'postgres.new-abc', 'base'), { recursive: true })
  await writeFile(join(path, 'postgres.new-abc', 'PG_VERSION'), '18\n')
  const { dir, database } = await start(path, { first: true })
  expect(await query(database.connection('owner'), 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await readdir(dir.path)).sort()).toEqual(['lock', 'postgres', 'postgres.json'])
})

test('a cluster of another major version is refused with what to do, and left as it is', async () => {
  const first = await start(join(root, 'data'))
  await first.stop()
  await writeFile(join(first.dir.cluster, 'PG_VERSION'), '17\n')
  const refused = startEmbedded(first.dir, { fsync: false })
  await expect(refused).rejects.toThrow(EmbeddedError)
  await expect(refused).rejects.toThrow(/was made by PostgreSQL 17 and this version brings 18: take a backup/)
  expect(await readdir(first.dir.cluster)).toContain('base')
})

test('a server that cannot start says why', async () => {
  const first = await start(join(root, 'data'))
  await first.stop()
  await writeFile(join(first.dir.cluster, 'postgresql.conf'), 'shared_buffers = plenty\n')
  await expect(startEmbedded(first.dir, { fsync: false })).rejects.toThrow(
    /^The embedded PostgreSQL in \/.*\/postgres did not start: .*invalid value for parameter "shared_buffers": "plenty"/,
  )
})

test('a shared server can be attached to while it runs, and survives the end of the attachment', async () => {
  const shared = await start(join(root, 'data'))
  const pid = await postmasterOf(shared.dir)
  const beside = await attachEmbedded(shared.dir)
  expect(beside?.connection('service')).toEqual(shared.database.connection('service'))
  await beside?.stop()
  expect(isRunning(pid)).toBe(true)
  await shared.stop()
  expect(await attachEmbedded(shared.dir)).toBeNull()
  // A command's own server ends with the command: others must not rely on it.
  const own = await start(join(root, 'data'), { shared: false })
  expect(await query(own.database.connection('owner'), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await attachEmbedded(own.dir)).toBeNull()
})

test('a record that a killed server left attaches to nothing', async () => {
  const { dir, database } = await start(join(root, 'data'))
  expect(await attachEmbedded(dir)).not.toBeNull()
  process.kill(await postmasterOf(dir), 'SIGKILL')
  await database.exited
  expect(await readdir(dir.path)).toContain('postgres.json')
  // A backend that was just being forked holds the listening socket until it notices that its parent is gone.
  await waitFor('nothing to attach to', async () => {
    const attached = await attachEmbedded(dir)
    await attached?.stop()
    return attached === null
  })
})

test('root on a system without /proc/self/fd is refused with what to do', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', real ?? {})
    vi.restoreAllMocks()
  })
  Object.defineProperty(process, 'platform', { ...real, value: 'darwin' })
  vi.spyOn(process, 'getuid').mockReturnValue(0)
  await expect(accountFor(join(root, 'postgres'))).rejects.toThrow(/run as an ordinary user, or set DATABASE_URL\.$/)
})

test.each([
  [
    'could not be made',
    'initdb: error: could not write file "x/base/1/1255": No space left on device',
    /the disk is full/,
  ],
  [
    'could not be made',
    "Error: ENOSPC: no space left on device, mkdtemp '/data/postgres.new-XXXXXX'",
    /the disk is full/,
  ],
  [
    'could not be made',
    'initdb: error: could not look up effective user ID 4711: user does not exist',
    /no name on this machine/,
  ],
  [
    'could not be made',
    'initdb: error: could not access directory "/proc/self/fd/3": Permission denied',
    /as an ordinary user/,
  ],
  ['did not start', 'FATAL:  data directory "/data/postgres" has invalid permissions', /keeps no permissions/],
  ['did not start', 'FATAL:  could not map anonymous shared memory: Cannot allocate memory', /not enough memory/],
  ['did not start', 'FATAL:  data directory "/data/postgres" has wrong ownership', /belong to another user/],
  ['did not start', '', /did not start: it said nothing\.$/],
])('%s, "%s": one sentence that says what to do', (what, output, sentence) => {
  const error = explainFailure(what, output, '/data/postgres')
  expect(error).toBeInstanceOf(EmbeddedError)
  expect(error.message).toMatch(sentence)
  expect(error.message).toMatch(/^The embedded PostgreSQL in \/data\/postgres .*\.$/)
})
