import { describe, expect, test } from 'vitest'
import { leavesOf } from '../../src/cli/command.ts'
import { buildProgram } from '../../src/cli/run.ts'
import { nuqta, scratch } from '../cli/command.ts'

// `nuqta merchant show "$MERCHANT"` in a script that had not set MERCHANT said "There is no merchant ; see nuqta merchant
// list.", and other commands " is not a uuid." or " is not an e-mail address.".

const { path: cwd } = scratch()
const leaves = leavesOf(await buildProgram())

describe('an argument that is empty', () => {
  const withArguments = leaves.filter(({ command }) => command.registeredArguments.length > 0)
  test.each(withArguments.map(({ path, command }) => [path.join(' '), path, command] as const))(
    'is wrong use of nuqta %s',
    async (_name, path, command) => {
      const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'x'])
      const empty = command.registeredArguments.map(() => '')
      const { code, stdout, stderr } = await nuqta([...path, ...empty, ...needed], { cwd })
      expect([code, stdout], stderr).toEqual([2, ''])
    },
  )

  test.each([
    [['merchant', 'show', ''], "error: argument 'merchant' is empty."],
    [['customers', 'merge', '0512345678', ' '], "error: argument 'into' is empty."],
    [['orders', 'list', '--merchant', ''], "error: option '--merchant <merchant>' is empty."],
    [['operator', 'recover', '--email', ''], "error: option '--email <address>' is empty."],
  ])('is reported as empty: %j', async (args, said) => {
    const { code, stderr } = await nuqta(args, { cwd })
    expect([code, stderr.split('\n')[0]]).toEqual([2, said])
  })
})

test('an empty setting is as one that is not given', async () => {
  const { code, stderr } = await nuqta(['merchant', 'list', '--data-dir', ''], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database in ')])
})
