import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDataDirectory } from '../../src/data-directory.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { TestServer } from './server.ts'
import { at, connected, freshName } from './server.ts'

/**
 * One PostgreSQL for the whole run: the one at NUQTA_TEST_DATABASE_URL, where the role may create databases and roles,
 * or an embedded one of its own. Holds a migrated template that every test file clones.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['NUQTA_TEST_DATABASE_URL']
  const server = given ? { url: given, stop: async () => undefined } : await startServer()
  const template = freshName()
  const service = { user: freshName(), password: freshName() }
  try {
    await makeTemplate(server.url, template, service)
  } catch (error) {
    await server.stop()
    throw error
  }
  provide('server', { admin_url: server.url, template, service })

  return async () => {
    try {
      await connected(server.url, async (admin) => {
        await admin.script(`drop database if exists ${template} with (force)`)
        await admin.script(`drop role if exists ${service.user}`)
      })
    } finally {
      await server.stop()
    }
  }
}

async function makeTemplate(url: string, template: string, service: TestServer['service']): Promise<void> {
  await connected(url, async (admin) => {
    await admin.script(`create role ${service.user} login password '${service.password}'`)
    await admin.script(`create database ${template}`)
  })
  await connected(at(url, { database: template }), (owner) => migrate(owner, { service: service.user }))
}

/** The embedded PostgreSQL in a folder of the run's own, without durability. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'nuqta-test-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const server = await startEmbedded(await openDataDirectory(folder), { fsync: false, shared: false })
    const { host, port } = server.connection('owner')
    // A way through our own descriptors is of use to the processes that tests start, too, when it says whose they are.
    const socket = encodeURIComponent(host.replace(/^\/proc\/self\//, `/proc/${process.pid}/`))
    const stop = () => server.stop().finally(remove)
    return { url: `postgresql://postgres@localhost:${port}/postgres?host=${socket}`, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
