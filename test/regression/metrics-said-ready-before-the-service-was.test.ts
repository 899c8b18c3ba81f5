import { request } from 'node:http'
import { expect, test } from 'vitest'
import { requireSecretKey } from '../../src/features/deployment/canary.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { scratch, serveHere } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'
import { waitForLocks } from '../support/wait.ts'

// What went wrong: /readyz of the metrics said that the service was ready while its start went on: nothing listened for requests
// yet, and no worker ran.

const database = testDatabase()
const { path: cwd } = scratch()

test('the metrics say that the service is ready once it is', async () => {
  await claimDeployment(database.db, 'sandbox')
  await requireSecretKey(database.db, createSecretBox(secret_key))
  const port = await freePort()
  const readiness = () =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, path: '/readyz', agent: false }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end()
    })
  const env = {
    ...{ DATABASE_URL: database.url, NUQTA_MIGRATION_URL: database.owner_url, NUQTA_SECRET_KEY: secret_key },
    ...{ NUQTA_METRICS_PORT: String(port), NUQTA_METRICS_HOST: '127.0.0.1' },
  }
  const starting = await database.owner.transaction(async (tx) => {
    await tx.script('lock table merchant')
    const started = serveHere({ cwd, env })
    await waitForLocks(database.owner)
    expect(await readiness()).toBe(503)
    return { started }
  })
  const service = await starting.started
  expect(await readiness()).toBe(200)
  await service.stop()
})
