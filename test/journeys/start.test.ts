import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { sendTest } from '../../src/features/webhooks/log.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import {
  type ClientEnv,
  call,
  earn,
  nuqta,
  nuqtaProcess,
  readClientEnv,
  type Served,
  scratch,
  serve,
} from '../cli/command.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { registerWith } from '../support/deliveries.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { startReceiver } from '../support/receiver.ts'
import { secret_key } from '../support/secret-key.ts'
import { at } from '../support/server.ts'
import { waitFor, waitForLocks } from '../support/wait.ts'

const { path: home } = scratch()
/** The keys of the sandbox in the usual data directory. */
const file = join(home, 'data/sandbox.env')
const secret = { NUQTA_SECRET_KEY: secret_key }
const pasted = promisify(execFile)

/** The lines of the banner that a newcomer copies. */
function curlOf(banner: string): string {
  return banner.slice(banner.indexOf('  . '))
}

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

/** The curl numbers its orders by the second. */
function nextSecond(): () => boolean {
  const second = Math.floor(Date.now() / 1000)
  return () => Math.floor(Date.now() / 1000) > second
}

describe('a newcomer', () => {
  const cwd = home

  test('starts, pastes the curl, and a customer has points; twice in a row, and after a kill', async () => {
    const first = await serve([], { cwd })
    expect(first.banner).toContain(`  Keys       ${file}`)
    expect(first.banner).not.toMatch(/sk_test_/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const shell of ['sh', 'bash']) {
      const { stdout } = await pasted(shell, ['-c', curlOf(first.banner)], { env: { PATH: process.env['PATH'] } })
      const answer = JSON.parse(stdout)
      expect(answer).toMatchObject({ status: true, data: { order_status: 'approved', total_points: 1995 } })
      await waitFor('the next second, whose order number is another', nextSecond())
    }
    const before = readClientEnv(file)
    expect(await first.end('SIGKILL')).toBe('SIGKILL')

    const second = await serve([], { cwd })
    const after = readClientEnv(file)
    expect({ ...after, NUQTA_BASE_URL: '' }).toEqual({ ...before, NUQTA_BASE_URL: '' })
    expect(await earn(after)).toMatchObject({ status: 200 })
    const wallet = await nuqta(['wallet', 'show', '0512345678', '--json'], { cwd })
    expect(wallet.json).toEqual([
      { phone: '512345678', customer_status: 'active', posted: 3990, held: 0, available: 3990 },
    ])
    expect((await nuqta(['merchant', 'list', '--json'], { cwd })).json).toHaveLength(1)
    expect(await second.end('SIGTERM')).toBe(0)
    expect(await nuqta(['ledger', 'verify'], { cwd })).toMatchObject({ code: 0 })
  })

  test('has links to look at, one a line, and a sandbox with three merchants and their history', async () => {
    const dir = ['--data-dir', (await openWithCluster(join(home, 'full'))).path]
    const served = await serve(dir, { cwd, history: true })
    const client = readClientEnv(join(home, 'full/sandbox.env'))
    const site = client.NUQTA_BASE_URL.replace(/\/api$/, '')
    const pages = ['/', '/demo', '/wallet', '/widget/playground', '/docs', '/readyz']
    for (const path of pages) expect(served.banner).toMatch(new RegExp(`^  [A-Z][a-z ]+ ${site}${path}$`, 'm'))
    expect(await earn(client)).toMatchObject({ status: 200 })
    const names = (await nuqta(['merchant', 'list', '--json', ...dir], { cwd })).json.map(({ name }) => name)
    expect(names).toEqual(['Layan Books', 'محمصة سدرة', 'Demo Store'])
    const posted = async (phone: string) =>
      (await nuqta(['wallet', 'show', phone, '--json', ...dir], { cwd })).json[0]?.['posted']
    expect([await posted('500000001'), await posted('500000002'), await posted('500000003')]).toEqual([10_000, 0, 0])
    expect(await posted('500000011')).toBe(3_290)
    expect(await nuqta(['ledger', 'verify', ...dir], { cwd })).toMatchObject({ code: 0 })
    expect(await served.end('SIGTERM')).toBe(0)
  })
})

describe('one data directory', () => {
  const cwd = home
  let served: Served

  test('commands wait for each other where nothing serves', async () => {
    const names = ['One', 'Two', 'Three']
    const made = await Promise.all(
      names.map((name) => nuqtaProcess(['merchant', 'create', '--name', name, '--json'], { cwd })),
    )
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0])
  })

  test('a first command may begin a deployment, which serve then goes on with', async () => {
    const dir = ['--data-dir', join(home, 'begun')]
    const made = await nuqta(['merchant', 'create', '--name', 'Early', '--json', ...dir], { cwd })
    expect(made.json[0]).toMatchObject({ name: 'Early', program_id: 1 })
    const served = await serve(dir, { cwd })
    expect(await earn(readClientEnv(join(home, 'begun/sandbox.env')))).toMatchObject({ status: 200 })
    const names = (await nuqta(['merchant', 'list', '--json', ...dir], { cwd })).json.map(({ name }) => name)
    // The newest first.
    expect(names).toEqual(['Demo Store', 'Early'])
    // The terminal closes.
    expect(await served.end('SIGHUP')).toBe(0)
  })

  test('the identities of a sandbox are there, and a lost sandbox.env comes back with new keys', async () => {
    const old = readClientEnv(file)
    rmSync(file)
    served = await serve([], { cwd })
    const shown = async (phone: string) => (await nuqta(['wallet', 'show', phone, '--json'], { cwd })).json[0]
    expect(await shown('500000001')).toMatchObject({ customer_status: 'active', posted: 10_000 })
    expect(await shown('500000002')).toMatchObject({ customer_status: 'active', posted: 0 })
    expect(await shown('500000003')).toMatchObject({ customer_status: 'invited', posted: 0 })
    expect(served.banner).toContain('has new keys')
    const fresh = readClientEnv(file)
    expect(await earn({ ...fresh, NUQTA_PRIVATE_KEY: old.NUQTA_PRIVATE_KEY })).toMatchObject({ status: 400 })
    expect(await earn(fresh)).toMatchObject({ status: 200 })
  })

  test('a second serve says so and stops, and one on a port that is taken names it', async () => {
    const second = await nuqta(['serve', '--port', '0'], { cwd })
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain('Another nuqta serve is using the data directory')
    const { port } = new URL(readClientEnv(file).NUQTA_BASE_URL)
    const same = await nuqta(['serve', '--port', port], { cwd })
    expect(same.stderr).toContain('Another nuqta serve is using the data directory')
    const other = await nuqta(['serve', '--port', port, '--data-dir', join(home, 'begun')], { cwd })
    expect(other.code).toBe(1)
    expect(other.stderr).toContain(`The port ${port} is in use`)
  })

  test('the database that dies under a service is started again, and what it had acknowledged is there', async () => {
    const client = readClientEnv(file)
    const before = (await earn(client)).body.data
    const [postmaster] = readFileSync(join(cwd, 'data/postgres/postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(postmaster), 'SIGKILL')
    await waitFor('an earning', async () => {
      const { status } = await earn(client)
      expect([200, 429, 503]).toContain(status)
      return status === 200
    })
    // A backend may outlive its postmaster by an earning, and end with the next request.
    await waitFor('the order that was there before', async () => {
      const kept = await call(client, { path: `/api/v1/orders/${before?.['uuid']}`, key: client.NUQTA_PRIVATE_KEY })
      expect([200, 503]).toContain(kept.status)
      if (kept.status !== 200) return false
      expect(kept.body.data).toMatchObject({ order_number: before?.['order_number'] })
      return true
    })
    await waitFor('readiness', async () => (await call(client, { path: '/readyz' })).status === 200)
    expect(await nuqta(['ledger', 'verify'], { cwd })).toMatchObject({ code: 0 })
    // Ctrl-C.
    expect(await served.end('SIGINT')).toBe(0)
  })

  test('the environment chosen at the first start stays', async () => {
    const sms = { NUQTA_SMS: 'taqnyat', NUQTA_SMS_KEY: 'x', NUQTA_SMS_SENDER: 'Nuqta' }
    const local = { NUQTA_HOST: '127.0.0.1', NUQTA_PUBLIC_URL: 'https://localhost:8443' }
    const env = { ...sms, ...local }
    const other = await nuqta(['serve', '--port', '0', '--environment', 'production'], { cwd, env })
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('This database belongs to the environment sandbox, and production was asked for')
  })
})

describe('production', () => {
  test('prints no keys, makes no demo merchant, and gives its merchants live keys', async () => {
    const sms = { NUQTA_SMS: 'taqnyat', NUQTA_SMS_KEY: 'x', NUQTA_SMS_SENDER: 'Nuqta' }
    const local = { NUQTA_HOST: '127.0.0.1', NUQTA_PUBLIC_URL: 'https://localhost:8443', NUQTA_DRAIN_S: '0' }
    const env = { NUQTA_ENVIRONMENT: 'production', ...local, ...sms }
    const cwd = home
    const dir = ['--data-dir', (await openWithCluster(join(home, 'production'))).path]
    const served = await serve(dir, { cwd, env })
    expect(served.banner).not.toContain('sandbox.env')
    expect((await nuqta(['merchant', 'list', '--json', ...dir], { cwd })).stdout).toBe('')
    const made = await nuqta(['merchant', 'create', '--name', 'Real', '--json', ...dir], { cwd })
    expect(made.json[0]?.['private_key']).toMatch(/^sk_live_/)
    expect(made.json[0]?.['public_key']).toMatch(/^pk_live_/)
    const shown = await nuqta(['merchant', 'show', 'Real', '--json', ...dir], { cwd })
    expect(shown.json[0]).toMatchObject({ payment_provider: 'merchant', verified: false })
    expect(await nuqta(['wallet', 'show', '500000001', ...dir], { cwd })).toMatchObject({ code: 1 })
    expect(await nuqta(['clock', 'advance', '1d', ...dir], { cwd })).toMatchObject({ code: 1 })
    expect(await nuqta(['merchant', 'set', 'Real', '--payment', 'sandbox', ...dir], { cwd })).toMatchObject({ code: 1 })
    expect(await served.end('SIGTERM')).toBe(0)
  })
})

describe('an external database', () => {
  const migrated = testDatabase()
  let served: Served
  let client: ClientEnv

  test('two services that start at once both serve, with one demo merchant; one of them gets its key', async () => {
    const cwd = home
    const env = { DATABASE_URL: migrated.url, NUQTA_MIGRATION_URL: migrated.owner_url, ...secret }
    const folders = ['left', 'right'].map((name) => join(home, name))
    const start = (folder: string) => serve(['--data-dir', folder], { cwd, env })
    const clientOf = (folder: string) => readClientEnv(join(folder, 'sandbox.env'))
    const both = await Promise.all(folders.map(start))
    expect(both.filter(({ banner }) => banner.includes('curl'))).toHaveLength(1)
    const [first = '', second = ''] = folders.sort((a) => (clientOf(a).NUQTA_PRIVATE_KEY === undefined ? 1 : -1))
    const [holder, other] = [clientOf(first), clientOf(second)]
    expect([other.NUQTA_PUBLIC_KEY, other.NUQTA_PRIVATE_KEY]).toEqual([holder.NUQTA_PUBLIC_KEY, undefined])
    expect(readFileSync(join(second, 'sandbox.env'), 'utf8')).toContain('# NUQTA_PRIVATE_KEY is in the sandbox.env of')
    expect(both.find(({ banner }) => !banner.includes('curl'))?.banner).toContain("nuqta keys regenerate 'Demo Store'")
    const demo = (await nuqta(['merchant', 'list', '--json'], { cwd, env })).json
    expect(demo.map(({ name }) => name)).toEqual(['Demo Store'])
    // A key is good at every process of the deployment, and ends at every one.
    for (const one of [holder, other]) expect(await earn(one, holder.NUQTA_PRIVATE_KEY)).toMatchObject({ status: 200 })
    await nuqta(['keys', 'regenerate', 'Demo Store', '--data-dir', second], { cwd, env })
    expect(await earn(holder)).toMatchObject({ status: 400 })
    expect(await earn({ ...holder, NUQTA_PRIVATE_KEY: clientOf(second).NUQTA_PRIVATE_KEY })).toMatchObject({
      status: 200,
    })
    expect((await nuqta(['program', 'list', '--json'], { cwd, env })).json).toHaveLength(1)
    for (const one of both) expect(await one.end('SIGTERM')).toBe(0)

    // The file drops keys that no longer work, and keeps a copied one.
    const again = await start(first)
    expect(again.banner).toContain('in the sandbox.env of the data directory where it was')
    expect(clientOf(first).NUQTA_PRIVATE_KEY).toBeUndefined()
    expect(await again.end('SIGTERM')).toBe(0)
    const { NUQTA_PRIVATE_KEY } = clientOf(second)
    appendFileSync(join(first, 'sandbox.env'), `NUQTA_PRIVATE_KEY=${NUQTA_PRIVATE_KEY}\n`)
    served = await start(first)
    client = clientOf(first)
    expect(served.banner).toContain('curl')
    expect(await earn(client)).toMatchObject({ status: 200 })
    expect(await nuqta(['ledger', 'verify'], { cwd, env })).toMatchObject({ code: 0 })
  })

  test('a database that is not migrated is reported, and migrate fixes it', async () => {
    const cwd = home
    const { admin_url } = inject('server')
    const name = new URL(migrated.url).pathname.slice(1)
    const schema = { DATABASE_URL: at(admin_url, { database: name }) }
    const fresh = `${schema.DATABASE_URL}&options=-csearch_path%3Dnowhere`
    const listed = await nuqta(['merchant', 'list'], { cwd, env: { DATABASE_URL: fresh } })
    expect(listed).toMatchObject({ code: 1 })
    expect(listed.stderr).toContain('run nuqta migrate')
    const again = await nuqta(['migrate', '--json'], { cwd, env: schema })
    expect(again.json).toEqual([{ applied: [] }])
  })

  test('a role that owns nothing gets an error that names the setting of the role that migrates', async () => {
    const { code, stderr } = await nuqta(['migrate'], { cwd: home, env: { DATABASE_URL: migrated.url } })
    expect(code).toBe(1)
    expect(stderr).toContain('with NUQTA_MIGRATION_URL')
  })

  test('an unreachable database and wrong settings are all reported', async () => {
    const cwd = home
    const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', NUQTA_PORT: 'x', NUQTA_TIMEOUT: '1' }
    const { code, stderr } = await nuqta(['serve'], { cwd, env })
    expect(code).toBe(2)
    expect(stderr.split('\n')).toHaveLength(5)
    expect(stderr).toContain('The settings have 3 mistakes')
  })

  test('SIGTERM lets an earning that runs finish, takes no new connection, and ends with 0', async () => {
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = migrated.owner.transaction(async (tx) => {
      await tx.run({ text: `select account_id from account where kind = 'customer' for update`, values: [] })
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const earning = earn(client)
    await waitForLocks(migrated.owner)
    const ended = served.end('SIGTERM')
    const { port } = new URL(client.NUQTA_BASE_URL)
    await waitFor('new connections to be refused', () => isRefused(Number(port)))
    released.resolve()
    await holding
    expect(await earning).toMatchObject({ status: 200, body: { data: { order_status: 'approved' } } })
    expect(await ended).toBe(0)
  })

  test('a worker runs beside it, without an API', async () => {
    const cwd = home
    const env = { DATABASE_URL: migrated.url, NUQTA_MIGRATION_URL: migrated.owner_url, ...secret }
    const worker = await serve(['--role', 'worker', '--data-dir', join(home, 'worker')], { cwd, env })
    expect(worker.banner).toContain('worker: no API here')
    expect(worker.banner).not.toContain('/api')
    const { program_id, merchant_id } = await makeMerchant(migrated.db)
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const sealing = createSecretBox(secret.NUQTA_SECRET_KEY)
    const [webhook] = await registerWith(migrated.db, { program_id, merchant_id }, { urls: [receiver.url], sealing })
    if (webhook === undefined) throw new Error('no webhook')
    const { event_id } = await sendTest(migrated.db, { program_id, merchant_id, ...webhook }, new Date())
    expect(await receiver.waitFor(1)).toMatchObject([{ id: event_id, secret: webhook.secret }])
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})
