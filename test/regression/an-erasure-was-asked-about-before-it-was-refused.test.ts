import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { environment, runningService } from '../cli/command.ts'

// What went wrong: `nuqta customers erase` asked whether to do what nobody can undo, and after a yes said that this role may not.

const service = runningService()

test('an erasure that this role may not make is refused before anything is asked', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end('y\n')
  const written = { stdout: '', stderr: '' }
  const code = await run(['node', 'nuqta', 'customers', 'erase', '0512345678'], {
    ...{ cwd: service.cwd, env: { ...environment(service.env), NUQTA_MIGRATION_URL: '' }, stdin, exitCode: 0 },
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { isTTY: true, write: (text: string) => (written.stderr += text) },
  })
  expect([code, written.stdout, written.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^Set NUQTA_MIGRATION_URL: [^\n]*\n$/),
  ])
})
