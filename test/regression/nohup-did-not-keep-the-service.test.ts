import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { endingSignals } from '../../src/lib/hangup.ts'
import { bin, scratch, serve } from '../cli/command.ts'

// `nohup nuqta serve &` ended with its terminal: Node gives ignored signals their effect back when it starts.

const { path: cwd } = scratch()
afterEach(() => vi.unstubAllEnvs())

test('a service that ignores the end of its terminal, as under nohup, goes on until another signal', async () => {
  const program = join(cwd, 'without-hangup')
  writeFileSync(program, `#!/bin/sh\ntrap '' HUP\nexec '${bin}' "$@"\n`, { mode: 0o755 })
  const served = await serve([], { cwd, program })
  process.kill(served.pid, 'SIGHUP')
  expect(await served.end('SIGTERM')).toBe(0)
  const stops = served
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"stopping"'))
  expect(stops).toEqual([expect.stringContaining('"signal":"SIGTERM"')])
})

test('a backup, too, ends with its terminal only where that is not ignored', () => {
  expect(endingSignals()).toEqual(['SIGTERM', 'SIGINT', 'SIGHUP'])
  vi.stubEnv('HANGUP_IGNORED', 'yes')
  expect(endingSignals()).toEqual(['SIGTERM', 'SIGINT'])
})
