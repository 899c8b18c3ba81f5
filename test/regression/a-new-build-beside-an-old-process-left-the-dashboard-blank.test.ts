import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readClientEnv, scratch, serve } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'
import { root } from '../support/tree.ts'

// An upgrade in place replaces the build before it restarts the process. Until then the process gave its own index.html, which
// names files that were gone: a page that was loaded then stayed blank.

const database = testDatabase()
const place = scratch()

interface Answer {
  readonly status: number | undefined
  readonly body: Buffer
}

function get(url: URL, ca: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, agent: false })
    sent.once('error', reject)
    sent.once('response', (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
    sent.end()
  })
}

it('a process serves the dashboard of its own build, whatever has replaced it meanwhile', async () => {
  const installed = join(place.path, 'installed')
  mkdirSync(installed)
  for (const part of ['bin', 'dist', 'docs', 'migrations', 'openapi.json', 'package.json'])
    cpSync(join(root, part), join(installed, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
  const env = { DATABASE_URL: database.url, NUQTA_MIGRATION_URL: database.owner_url, NUQTA_SECRET_KEY: secret_key }
  const served = await serve([], { cwd: place.path, env, program: join(installed, 'bin/nuqta') })
  const { NUQTA_BASE_URL, NUQTA_CA } = readClientEnv(join(place.path, 'data/sandbox.env'))
  const ask = (path: string) => get(new URL(path, NUQTA_BASE_URL), readFileSync(NUQTA_CA))
  rmSync(join(installed, 'dist/dashboard'), { recursive: true })

  const { body: index } = await ask('/dashboard/')
  const named = index.toString().match(/\/dashboard\/assets\/[\w.-]+/g) ?? []
  expect(named.length).toBeGreaterThan(1)
  for (const path of named) {
    const { status, body } = await ask(path)
    expect([path, status, body.equals(readFileSync(join(root, 'dist', path)))]).toEqual([path, 200, true])
  }
  expect(await served.end('SIGTERM')).toBe(0)
})
