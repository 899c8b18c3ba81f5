import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { confirm } from '../../src/cli/confirm.ts'
import { processShell } from '../../src/cli/shell.ts'

// Irreversible commands ask for confirmation on a terminal, but not in a script, where nobody would answer.

function terminal({ answer, isTTY = true }: { readonly answer?: string; readonly isTTY?: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  input.end(answer)
  return { input, output }
}

async function asked(yes: boolean, at: ReturnType<typeof terminal>) {
  const shell = { ...processShell(), stdin: at.input, stderr: at.output }
  const ended = await confirm({ yes, shell }, 'Erase it?').then(
    () => 'goes on',
    (error: Error) => error.message,
  )
  at.output.end()
  return [ended, (await text(at.output)).includes('Erase it? [y/N]')]
}

test.each([
  ['y\n', 'goes on'],
  ['YES\n', 'goes on'],
  ['n\n', 'Nothing was changed.'],
  ['\n', 'Nothing was changed.'],
  ['yesterday\n', 'Nothing was changed.'],
  ['', 'Nothing was changed.'],
])('on a terminal the answer %j: %s', async (answer, ends) => {
  expect(await asked(false, terminal({ answer }))).toEqual([ends, true])
})

test('--yes and a script are not asked', async () => {
  expect(await asked(true, terminal({}))).toEqual(['goes on', false])
  expect(await asked(false, terminal({ isTTY: false }))).toEqual(['goes on', false])
})
