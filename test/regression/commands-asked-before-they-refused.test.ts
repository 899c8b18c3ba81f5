import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { environment, type RunOptions, runningService, scratch, serveHere } from '../cli/command.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'

// What went wrong: at a terminal, commands asked whether to do what they then refused, or waited in silence for a backup to be
// typed.

const service = runningService()
const { path: cwd } = scratch()

/** Runs a command at a terminal where somebody answers yes. */
async function atTerminal(args: readonly string[], at: RunOptions) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end('y\n')
  const written = { stdout: '', stderr: '' }
  const code = await run(['node', 'nuqta', ...args], {
    ...{ cwd: at.cwd, env: environment(at.env), stdin, exitCode: 0 },
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { isTTY: true, write: (text: string) => (written.stderr += text) },
  })
  return [code, written.stdout, written.stderr]
}

test('a restore that nobody pipes anything into', async () => {
  expect(await atTerminal(['restore', '-'], service)).toEqual([
    1,
    '',
    'A backup is not typed at a terminal: give a file, or pipe it in.\n',
  ])
})

test('a change of the secret key beside a running service', async () => {
  await openWithCluster(join(cwd, 'data'))
  const served = await serveHere({ cwd })
  const asked = await atTerminal(['secrets', 'rotate'], { cwd }).finally(() => served.stop())
  expect(asked).toEqual([1, '', expect.stringMatching(/^nuqta serve runs with the key in the data directory: stop it/)])
})

// It named a field of the dashboard: The begins on must be today or later.
test('a day that is over names its option', async () => {
  const args = ['program', 'set', 'Default', '--sar-per-point', '0.01', '--from']
  expect((await service.run(...args, '2020-01-01')).stderr).toBe(
    'The day 2020-01-01 of --from is over in Riyadh: name today or a later day.\n',
  )
  expect((await service.run(...args, '2999-01-01')).stderr).toContain('The day 2999-01-01 of --from is too far away')
})
