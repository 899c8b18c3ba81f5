import { hostname } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import { Database } from '../../src/db/pool.ts'
import { readServing } from '../../src/features/deployment/processes.ts'
import { nuqta, runningService } from '../cli/command.ts'
import { takenPort } from '../support/port.ts'
import { waitFor } from '../support/wait.ts'

// What went wrong: with the service on one port and another program on NUQTA_PORT, `nuqta doctor` said that the port is in use
// by the running service. In production without a certificate it said that a local authority will be made, which
// production never uses.

const service = runningService()
const { client, run } = service
let own = 0

beforeAll(async () => {
  own = Number(new URL(client().NUQTA_BASE_URL).port)
  const db = new Database(service.env['DATABASE_URL'] ?? '', { size: 1 })
  await waitFor('the first beat', async () => (await readServing(db, hostname())).ports.includes(own))
  await db.close()
})

async function portFinding(port: number) {
  const { json } = await nuqta(['doctor', '--json'], {
    cwd: service.cwd,
    env: { ...service.env, NUQTA_PORT: String(port) },
  })
  return json.find(({ check }) => check === 'port')
}

test('the port of the running service is its own', async () => {
  expect(await portFinding(own)).toMatchObject({ ok: true, detail: `${own} is in use, by the running service` })
})

test('a port that another program has is a problem', async () => {
  const port = await takenPort()
  expect(await portFinding(port)).toMatchObject({
    ok: false,
    detail: `${port} is in use by another program; the running service listens on ${own}`,
  })
})

test('production without a certificate needs one', async () => {
  const env = { NUQTA_ENVIRONMENT: 'production', NUQTA_PUBLIC_URL: 'https://points.example' }
  const { json } = await nuqta(['doctor', '--json'], { cwd: service.cwd, env: { ...service.env, ...env } })
  expect(json.find(({ check }) => check === 'certificate')).toMatchObject({ ok: false })
  const sandbox = await run('doctor', '--json')
  expect(sandbox.json.find(({ check }) => check === 'certificate')).toMatchObject({ ok: true })
})
