import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { run as runCommand } from '../../src/cli/run.ts'
import { environment, runningService } from '../cli/command.ts'

// `nuqta webhooks rotate` asked before it replaced a secret; `nuqta program webhook --rotate` and `--remove` did not.

const service = runningService()

/** Runs a command at a terminal, and answers what it asks. */
async function atTerminal(answer: string, ...args: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end(answer)
  const written = { stdout: '', stderr: '' }
  const stdout = { write: (text: string) => (written.stdout += text) }
  const stderr = { isTTY: true, write: (text: string) => (written.stderr += text) }
  const code = await runCommand(['node', 'nuqta', 'program', 'webhook', 'Default', ...args], {
    ...{ env: environment(service.env), cwd: service.cwd, stdin, stdout, stderr, exitCode: 0 },
  })
  return { code, ...written }
}

test('a secret is replaced, and a webhook removed, only after a yes', async () => {
  const webhook = async () => (await service.run('program', 'webhook', 'Default', '--json')).json[0]
  expect((await atTerminal('', '--url', 'http://127.0.0.1:9/nuqta')).stderr).toBe('')
  for (const [change, question] of [
    ['--rotate', 'Replace the secret of the webhook of Default? [y/N] '],
    ['--remove', 'Remove the webhook of Default, with its secret? [y/N] '],
  ] as const) {
    const made = await webhook()
    const { code, stdout, stderr } = await atTerminal('n\n', change)
    expect([code, stdout, stderr]).toEqual([1, '', `${question}Nothing was changed.\n`])
    expect(await webhook()).toEqual(made)
    expect(await atTerminal('y\n', change)).toMatchObject({ code: 0, stderr: question })
  }
  expect(await webhook()).toMatchObject({ url: null, secret: null })
  await atTerminal('', '--url', 'http://127.0.0.1:9/nuqta')
  expect((await atTerminal('', '--remove', '--yes')).stderr).toBe('')
})

test('a program without a webhook is not asked about it, and not sent to the webhooks of a merchant', async () => {
  for (const change of ['--rotate', '--remove', '--test'])
    expect(await atTerminal('y\n', change)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The program Default has no webhook: give it one with --url.\n',
    })
})
