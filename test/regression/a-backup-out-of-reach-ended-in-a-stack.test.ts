import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nuqta, scratch } from '../cli/command.ts'

// What went wrong: `nuqta restore` of a file in a folder that its user may not enter, as of root's home, ended with the stack of
// the program. Tests may run as root, who may enter every folder: a link to itself fails at the same place.

const { path: cwd } = scratch()

test('a backup that cannot be reached is named in a sentence', async () => {
  symlinkSync('round', join(cwd, 'round'))
  const { code, stderr } = await nuqta(['restore', 'round'], { cwd })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^round cannot be read: ELOOP[^\n]*\.\n$/)])
})
