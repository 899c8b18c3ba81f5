import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/observability/log.ts'
import { environment, nuqtaProcess, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'

const database = testDatabase()
const { path: cwd } = scratch()

// `nuqta serve --host NAME --port 0` with a name that is not known said "The database cannot be reached", and ended in a
// stack with the address of another machine. NUQTA_METRICS_HOST was told as NUQTA_HOST.
describe('an address that cannot be listened on', () => {
  const start = (settings: Readonly<Record<string, string>>) => {
    const env = {
      DATABASE_URL: database.url,
      NUQTA_MIGRATION_URL: database.owner_url,
      NUQTA_SECRET_KEY: secret_key,
      NUQTA_PORT: '0',
      ...settings,
    }
    const config = loadConfig({ env: environment(env), flags: {}, cwd })
    return compose(config, { log: createLog({ level: 'silent' }), progress: () => undefined }, { empty: true })
  }

  test.each([
    ['NUQTA_HOST', '192.0.2.1', 'The address of --host or NUQTA_HOST is not one of this machine.'],
    [
      'NUQTA_HOST',
      'nobody.invalid',
      /^The (name in|address of) --host or NUQTA_HOST is not |^The port 0 cannot be listened on/,
    ],
    ['NUQTA_METRICS_HOST', '192.0.2.1', 'The address of NUQTA_METRICS_HOST is not one of this machine.'],
  ])('%s=%s is named as the reason', async (setting, host, reason) => {
    await expect(start({ [setting]: host, NUQTA_METRICS_PORT: '9464' })).rejects.toThrow(reason)
  })
})

// Each connection of the embedded database was logged as broken, before the one line that named the reason.
it('a first start that fails after its database runs says why alone', async () => {
  mkdirSync(join(cwd, 'data'))
  writeFileSync(join(cwd, 'data/tls'), 'no folder')
  const ended = await nuqtaProcess(['serve', '--empty', '--port', '0'], { cwd })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('data/tls')
  expect(ended.stderr).not.toContain('a connection to the database broke')
})
