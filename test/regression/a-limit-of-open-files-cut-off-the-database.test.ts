import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionsWithin } from '../../src/http/transport/connections.ts'
import { findFreePort } from '../../src/lib/listen.ts'
import { mostOpenFiles } from '../../src/lib/open-files.ts'
import { bin, readClientEnv, scratch, serve } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'

// A process that might open 256 files took 2,000 connections all the same. Some 230 idle ones of a stranger used up its files:
// /readyz and /metrics were cut, a new connection to the database failed, and nothing in the log said why.

const database = testDatabase()
const { path: cwd } = scratch()

const limits = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             96000                96000                processes
Max open files            ${files.padEnd(20)} 1048576              files
`

test('the system says how many files a process may open', () => {
  expect(mostOpenFiles(() => limits('256'))).toBe(256)
  expect(mostOpenFiles(() => limits('unlimited'))).toBeUndefined()
  expect(
    mostOpenFiles(() => {
      throw new Error('ENOENT')
    }),
  ).toBeUndefined()
})

test('connections of clients leave files for the database and the rest', () => {
  expect([64, 256, 1_024, 2_600, 65_536, undefined].map(connectionsWithin)).toEqual([32, 128, 512, 2_000, 2_000, 2_000])
})

test('a process that may open few files stays ready while somebody opens many connections', async () => {
  const program = join(cwd, 'with-few-files')
  writeFileSync(program, `#!/bin/sh\nulimit -n 256\nexec '${bin}' "$@"\n`, { mode: 0o755 })
  const metrics_port = String(await findFreePort('127.0.0.1'))
  const env = { DATABASE_URL: database.owner_url, NUQTA_SECRET_KEY: secret_key, NUQTA_METRICS_PORT: metrics_port }
  const served = await serve([], { cwd, program, env })
  expect(served.stderr()).toContain('"open_files":256,"connections":128')
  const { port } = new URL(readClientEnv(join(cwd, 'data', 'sandbox.env')).NUQTA_BASE_URL)
  const strangers = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined))
  onTestFinished(() => {
    for (const stranger of strangers) stranger.destroy()
  })
  await Promise.all(strangers.map((stranger) => stranger.connecting && once(stranger, 'connect')))
  expect((await fetch(`http://127.0.0.1:${metrics_port}/readyz`)).status).toBe(200)
  expect(await served.end('SIGTERM')).toBe(0)
})
