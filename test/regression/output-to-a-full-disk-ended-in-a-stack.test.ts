import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bin, environment, runningService } from '../cli/command.ts'

// `nuqta merchant create --json >keys.json` on a full disk ended with the stack of an error that nobody caught, while the
// merchant was made.

const service = runningService()

test.skipIf(!existsSync('/dev/full'))('a command whose results cannot be written says so in a line', () => {
  const run = (command: string) => {
    const shell = { cwd: service.cwd, env: environment(service.env), encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command, bin], shell)
    return [status, stdout, stderr]
  }
  const lost = 'Standard output cannot be written: ENOSPC: no space left on device, write.\n'
  expect(run('"$0" merchant create --name Shop --json >/dev/full')).toEqual([1, '', lost])
  expect(run('"$0" merchant show Shop --json >/dev/full')).toEqual([1, '', lost])
  expect(run('"$0" backup - >/dev/full')).toEqual([1, '', lost])
  expect(run('"$0" merchant show Nobody >/dev/full')[0]).toBe(1)
  // Where errors cannot be written, the results are still there.
  expect(run('"$0" --version 2>/dev/full')).toEqual([0, expect.stringMatching(/^\d/), ''])
})
