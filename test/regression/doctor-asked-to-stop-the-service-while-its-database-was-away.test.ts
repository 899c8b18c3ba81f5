import { expect, test } from 'vitest'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { takenPort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'
import { at } from '../support/server.ts'

// What went wrong: while an external database was away, `nuqta doctor` said of the service's port that it is in use, and to stop
// what listens there: the service, which docs/production.md says to leave running.

const database = testDatabase()
const { path: cwd } = scratch()

test('a port in use is no problem while nobody can tell whose it is', async () => {
  const port = String(await takenPort())
  const env = {
    NUQTA_SECRET_KEY: secret_key,
    NUQTA_PORT: port,
    DATABASE_URL: at(database.url, { database: 'nobodys' }),
  }
  const { json } = await nuqta(['doctor', '--json'], { cwd, env })
  expect(json.find(({ check }) => check === 'database')).toMatchObject({ ok: false, detail: 'cannot be used' })
  expect(json.find(({ check }) => check === 'port')).toEqual({
    check: 'port',
    ok: true,
    detail: `${port} is in use: whether by the service is known once the database can be used`,
  })
})
