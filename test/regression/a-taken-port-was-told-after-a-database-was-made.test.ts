import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/observability/log.ts'
import { environment, scratch } from '../cli/command.ts'
import { freePort, takenPort } from '../support/port.ts'

// What went wrong: a first `nuqta serve` on a port that was taken made a whole database, with its history, and only then said so.

const { path: cwd } = scratch()

test.each([
  ['--port or NUQTA_PORT', async () => ({ NUQTA_PORT: String(await takenPort()) })],
  [
    'NUQTA_METRICS_PORT',
    async () => ({ NUQTA_PORT: String(await freePort()), NUQTA_METRICS_PORT: String(await takenPort()) }),
  ],
])('a taken port of %s is told before anything is made', async (setting, ports) => {
  const config = loadConfig({ env: environment(await ports()), flags: {}, cwd })
  const told: string[] = []
  const env = { log: createLog({ level: 'silent' }), progress: (text: string) => void told.push(text) }
  const started = compose(config, env, { empty: true })
  await expect(started).rejects.toThrow(new RegExp(`^The port \\d+ is in use: .* choose another with ${setting}\\.$`))
  expect(told).toEqual([])
  expect(existsSync(join(cwd, 'data'))).toBe(false)
})
