import { expect, it } from 'vitest'
import { compose, type Running } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/config/config.ts'
import { findFreePort } from '../../src/lib/listen.ts'
import { createLog } from '../../src/observability/log.ts'
import { environment, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { takenPort } from '../support/port.ts'
import { secret_key } from '../support/secret-key.ts'

// What went wrong: the first start of a sandbox made the link to sign in, and only then found that its port was taken.
// The second start found the owner and printed no link, so that a newcomer had none.

const database = testDatabase()
const { path: cwd } = scratch()

const start = (port: number): Promise<Running> => {
  const env = {
    DATABASE_URL: database.url,
    NUQTA_MIGRATION_URL: database.owner_url,
    NUQTA_SECRET_KEY: secret_key,
  }
  const config = loadConfig({ env: environment(env), flags: { port: String(port) }, cwd })
  return compose(config, { log: createLog({ level: 'silent' }), progress: () => undefined }, { empty: true })
}

it('the first start that listens gives the link, and no other', async () => {
  const port = await takenPort()
  await expect(start(port)).rejects.toThrow(`The port ${port} is in use`)

  const free = await findFreePort('127.0.0.1')
  const first = await start(free)
  await first.stop()
  expect(first.sandbox?.sign_in).toMatch(new RegExp(`^https://localhost:${free}/dashboard/link#[0-9a-z]{26}$`))

  const second = await start(await findFreePort('127.0.0.1'))
  await second.stop()
  expect(second.sandbox).toMatchObject({ keys: 'kept', sign_in: undefined })
})
