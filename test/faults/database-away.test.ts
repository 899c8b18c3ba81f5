import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataDirectory } from '../../src/config/data-directory.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded.ts'
import { errorCode } from '../../src/lib/errors.ts'
import { scratch } from '../cli/command.ts'
import { dataOf, type Reply } from '../http/client.ts'
import { type Service, startService } from '../journeys/service.ts'
import { purchase } from '../support/api.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'
import { type DatabaseProxy, startProxy } from '../support/proxy.ts'
import { connected } from '../support/server.ts'
import { waitFor } from '../support/wait.ts'

const { path: home } = scratch()
let dir: DataDirectory
let server: EmbeddedDatabase
let proxy: DatabaseProxy
let service: Service
let direct_url = ''
let key = ''

beforeAll(async () => {
  // Use a separate server: these tests would disturb the other files.
  dir = await openWithCluster(join(home, 'server'))
  server = await startEmbedded(dir, { fsync: false, shared: false })
  const { host, port, user, database } = server.connection('owner')
  direct_url = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  proxy = await startProxy(direct_url)
  service = await startService({ home, database: { url: proxy.url, owner_url: proxy.url } })
  key = service.keys.private_key
})
afterAll(async () => {
  await service.end('SIGTERM')
  await proxy.close()
  await server.stop()
})

const unavailable = {
  status: false,
  message: 'The service is temporarily unavailable. Retry after a short wait; an earning may be sent again safely.',
  appended_data: {},
}

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.headers['retry-after'], reply.body]).toEqual([503, '2', unavailable])
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
}

const get = (path: string) => service.client.call('GET', path)
const isReady = async () => (await get('/readyz')).status === 200

/** /readyz caches its answer for a second: an answer from before the failure may still come. */
async function expectNotReady(): Promise<void> {
  await waitFor('not to be ready', async () => !(await isReady()))
  expectUnavailable(await get('/readyz'))
}

/** Clients keep retrying: the service must recover in spite of them. */
async function waitForRecovery(): Promise<void> {
  await waitFor('an earning', async () => {
    const replies = await Promise.all([service.earn(key, purchase()), service.getOrder(key, 'x'), get('/readyz')])
    return replies.map(({ status }) => status).join() === '200,404,200'
  })
}

describe('a database that is out of reach', () => {
  test('is a 503 that says when to retry, until it is back, without a restart', async () => {
    const { uuid } = dataOf(await service.earn(key, purchase()))
    await proxy.down()
    expectUnavailable(await service.earn(key, purchase()))
    expectUnavailable(await service.getOrder(key, uuid))
    await expectNotReady()
    expect((await get('/healthz')).status).toBe(200)
    // Requests that need no database are answered as usual.
    expect((await service.client.call('POST', '/api/v1/orders/earning', { json: {} })).status).toBe(400)
    expect((await get('/nowhere')).status).toBe(404)
    const arabic = await service.earn(key, purchase(), { headers: { 'accept-language': 'ar' } })
    expect(arabic.body.message).toBe('الخدمة غير متاحة مؤقتًا. أعد المحاولة بعد قليل؛ إعادة إرسال عملية الكسب آمنة.')
    await proxy.up()
    await waitForRecovery()
    expect(dataOf(await service.getOrder(key, uuid))).toMatchObject({ uuid })
  })

  test('for a moment between requests changes nothing', async () => {
    await proxy.down()
    await proxy.up()
    // Its answer comes after the service has heard that its connections are closed.
    await get('/healthz')
    expect((await service.earn(key, purchase())).status).toBe(200)
  })

  test('after it ended every session, is reached again', async () => {
    const text =
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user'
    await connected(direct_url, (db) => db.script(text))
    await waitFor('an earning', async () => (await service.earn(key, purchase())).status === 200)
  })
})

/** Makes every new transaction of new sessions read-only, or no longer, and may end those that are open. */
async function setReadOnly(value: 'on' | 'off', { ending }: { readonly ending: boolean }): Promise<void> {
  await connected(direct_url, async (db) => {
    await db.script(`set transaction read write; alter database nuqta set default_transaction_read_only = ${value}`)
    if (ending) {
      await db.script(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user`,
      )
    }
  })
}

describe('a database that is read-only', () => {
  test('still reads, refuses earnings with a 503, and is not ready', async () => {
    const { uuid } = dataOf(await service.earn(key, purchase()))
    await setReadOnly('on', { ending: true })
    try {
      await waitFor('earnings to be refused', async () => (await service.earn(key, purchase())).status === 503)
      expectUnavailable(await service.earn(key, purchase()))
      await expectNotReady()
      expect(dataOf(await service.getOrder(key, uuid))).toMatchObject({ uuid })
    } finally {
      await setReadOnly('off', { ending: false })
    }
    await waitForRecovery()
    const many = Array.from({ length: 20 })
    await waitFor('every connection to write', async () => !(await Promise.all(many.map(isReady))).includes(false))
    expect((await service.earn(key, purchase())).status).toBe(200)
  })
})

/** The server and all its children. */
function signalServer(signal: NodeJS.Signals): void {
  const [postmaster = ''] = readFileSync(join(dir.cluster, 'postmaster.pid'), 'utf8').split('\n')
  const list = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = list.split('\n').map((line) => line.trim().split(/\s+/))
  const children = rows.flatMap(([pid, parent]) => (parent === postmaster ? [Number(pid)] : []))
  for (const pid of [Number(postmaster), ...children]) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A worker of the server may have ended since it was listed.
      if (errorCode(error) !== 'ESRCH') throw error
    }
  }
}

describe('a database that hangs', () => {
  test('causes a 503 for everybody while it hangs, and works again afterwards', async () => {
    await Promise.all(Array.from({ length: 10 }, () => service.getOrder(key, 'x')))
    signalServer('SIGSTOP')
    try {
      const first = Array.from({ length: 20 }, () => service.earn(key, purchase()))
      await get('/healthz')
      const second = Array.from({ length: 20 }, () => service.getOrder(key, 'x'))
      const ready = expectNotReady()
      for (const reply of await Promise.all([...first, ...second])) expectUnavailable(reply)
      await ready
      expect((await get('/healthz')).status).toBe(200)
    } finally {
      signalServer('SIGCONT')
    }
    await waitForRecovery()
  })
})
