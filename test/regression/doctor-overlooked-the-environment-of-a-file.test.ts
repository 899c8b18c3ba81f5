import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nuqta, runningService } from '../cli/command.ts'

// What went wrong: with NUQTA_ENVIRONMENT in `.env`, where production has it, `nuqta doctor` was content with the database of
// the other environment, at which `nuqta serve` refuses to start. It looked for the setting among the variables of the shell.

const service = runningService()

async function environmentFinding() {
  const { json } = await nuqta(['doctor', '--json'], { cwd: service.cwd, env: service.env })
  return json.find(({ check }) => check === 'environment')
}

test('an environment that is set in .env has to be that of the database', async () => {
  const file = join(service.cwd, '.env')
  writeFileSync(file, 'NUQTA_ENVIRONMENT=production\n')
  onTestFinished(() => rmSync(file))
  expect(await environmentFinding()).toMatchObject({ ok: false, detail: 'the database is a sandbox' })
})
