import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bin, environment, nuqta, runningService } from '../cli/command.ts'

// What went wrong: `nuqta restore <(ssh vault cat nuqta.backup)` said that the file is no backup of Nuqta. A first look at
// the whole file had emptied the pipe, and the restore began at its end.

const service = runningService()

test('a backup is read from a pipe that has a name', async () => {
  const { cwd, env } = service
  expect(await nuqta(['backup', 'one.backup'], { cwd, env })).toMatchObject({ code: 0 })
  const another = { ...env, NUQTA_SECRET_KEY: 'another key that is as long as one has to be' }
  const line = 'cat one.backup | "$0" restore /dev/stdin'
  const child = spawn('/bin/sh', ['-c', line, bin], {
    cwd,
    env: environment(another),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The wrong key is found when the beginning of the backup was read, and before anything is made.
  expect(await text(child.stderr)).toMatch(/^The secret key is not the one/)
})
