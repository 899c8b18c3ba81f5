import { expect, it } from 'vitest'
import { explainedError } from '../../dashboard/src/pages/delivery/error-texts.ts'
import { oneShop } from '../support/app.ts'
import { signedInApp } from '../support/dashboard-api.ts'
import { testDatabase } from '../support/database.ts'
import { announceEvents, clearQueue, startWorker } from '../support/deliveries.ts'
import { TestClock } from '../support/earnings.ts'
import { freePort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'
import { waitFor } from '../support/wait.ts'

// The dashboard matched the English sentence that is stored with an attempt: another word in it left Arabic readers with English.

const database = testDatabase({ leaves: ['ledger differences'] })
const app = signedInApp(database, { clock: new TestClock('2026-02-01T09:00:00.000Z'), secret_key })

interface Attempt {
  readonly error: string
  readonly error_code: string | null
}

it('an attempt says by a code what failed, and one without a code keeps its sentence', async () => {
  const { merchant } = await oneShop(database.db)
  const ask = async (method: string, path: string, json?: object) =>
    (await app.call(method, merchant, path, json === undefined ? {} : { json })).body.data
  await ask('POST', '/webhooks', { name: 'Main', url: `http://127.0.0.1:${await freePort()}/` })
  await announceEvents(database.db, merchant, [{}])
  startWorker(database.db, { settings: { retry_delays_s: [] } })
  const failed = async () => (await ask('GET', '/deliveries?state=failed')) as readonly { delivery_id: string }[]
  await waitFor('the delivery to fail', async () => (await failed()).length === 1)
  const [delivery] = await failed()
  const read = async () =>
    (await ask('GET', `/deliveries/${delivery?.delivery_id}`)) as { attempts: readonly Attempt[] }
  const error = 'the connection was refused (ECONNREFUSED)'
  expect((await read()).attempts).toMatchObject([{ error, error_code: 'ECONNREFUSED' }])
  await database.owner.run({ text: 'update delivery_attempt set error_code = null', values: [] })
  expect((await read()).attempts).toMatchObject([{ error, error_code: null }])
  expect(explainedError(null)).toBeUndefined()
  await clearQueue(database.owner)
})
