import { expect, test } from 'vitest'
import { nuqta, scratch } from '../cli/command.ts'

// `nuqta backup "$FILE"` in a script that had not set FILE said " exists: give another name": an empty name means the
// folder.

const { path: cwd } = scratch()

test.each([
  ['backup', ''],
  ['restore', ''],
  ['merchant', 'brand', '1', '--logo', ''],
  ['merchant', 'brand', '1', '--wide-logo', ''],
  ['merchant', 'payment', '1', '--provider', 'moyasar', '--credentials', ''],
])('%s %s is wrong use where the name of a file is empty', async (...args) => {
  const { code, stdout, stderr } = await nuqta(args, { cwd })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('It must be the name of a file.')
})
