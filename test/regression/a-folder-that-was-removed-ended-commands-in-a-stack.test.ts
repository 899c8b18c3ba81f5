import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bin, environment, nuqta, scratch } from '../cli/command.ts'

// In a folder that an upgrade had removed, every command ended in a stack, even the one that tells the version. In one that is
// closed to the user, no command said which file it could not read.

const { path: cwd } = scratch()

/** Runs a command in a shell whose folder has been removed. */
async function inRemovedFolder(args: string) {
  const script = `mkdir gone && cd gone && rmdir ../gone && '${bin}' ${args}`
  return promisify(execFile)('sh', ['-c', script], { cwd, env: environment() }).then(
    ({ stdout }) => ({ code: 0, stdout, told: '' }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      ...{ code: error.code, stdout: error.stdout },
      // The shell complains too.
      told: error.stderr.replace(/^.*getcwd.*\n/gm, ''),
    }),
  )
}

test('a command in a folder that was removed says so', async () => {
  const told = 'The folder that you are in is not there any more: change to another one.\n'
  expect(await inRemovedFolder('merchant list')).toEqual({ code: 1, stdout: '', told })
  const version = await inRemovedFolder('--version')
  expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), told: '' })
})

test('a .env that cannot be read is named with its folder', async () => {
  const closed = join(cwd, 'closed')
  mkdirSync(join(closed, '.env'), { recursive: true })
  const { code, stderr } = await nuqta(['merchant', 'list'], { cwd: closed })
  expect(code).toBe(2)
  const advice = 'give it to this user, or run this in another folder'
  expect(stderr).toContain(`${join(closed, '.env')} cannot be read (EISDIR): ${advice}`)
})
