import { beforeAll, expect, test } from 'vitest'
import { writeProcess } from '../../src/features/deployment/process-queries.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { takenPort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'

// What went wrong: with an external database, `nuqta doctor` took whatever listened on the port for the running service, also
// before the first start, when docs/production.md asks for it: then `nuqta serve` could not listen there.

const database = testDatabase()
const { path: cwd } = scratch()

beforeAll(() => claimDeployment(database.db, 'sandbox'))

async function portFinding(port: number) {
  const env = { DATABASE_URL: database.url, NUQTA_SECRET_KEY: secret_key, NUQTA_PORT: String(port) }
  const { json } = await nuqta(['doctor', '--json'], { cwd, env })
  return json.find(({ check }) => check === 'port')
}

function beat(role: 'api' | 'worker') {
  const now = new Date()
  const name = { process_uuid: newUuid(), role, version: '0.1.0', host: 'elsewhere', pid: 1, started_at: now }
  const facts = { node: '26.0.0', jobs: [], checks: null, certificate_ends_on: null }
  return database.db.run(writeProcess(name, facts, now))
}

test('what listens on the port is the service only where one runs that has a port', async () => {
  const port = await takenPort()
  const stranger = { ok: false, detail: `${port} is in use` }
  expect(await portFinding(port)).toMatchObject(stranger)
  await beat('worker')
  expect(await portFinding(port)).toMatchObject(stranger)
  await beat('api')
  expect(await portFinding(port)).toMatchObject({ ok: true, detail: `${port} is in use, by the running service` })
})
