import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nuqta, scratch } from '../cli/command.ts'
import { openWithCluster } from '../support/fresh-cluster.ts'

// What went wrong: where secret.key was cut short, by a full disk for instance, or cannot be read, commands and the service
// ended with a stack of the program, and `nuqta doctor` said that the database cannot be used.

const { path: cwd } = scratch()

test('a secret key that cannot be read is named by commands and the doctor', async () => {
  const { secretKey } = await openWithCluster(join(cwd, 'data'))
  expect(await nuqta(['merchant', 'create', '--name', 'Shop'], { cwd })).toMatchObject({ code: 0 })
  const sealing = ['program', 'webhook', 'Default']

  writeFileSync(secretKey, 'cut\n')
  const short = `The secret key ${secretKey} is too short: put it back from your copy of it.`
  expect(await nuqta(sealing, { cwd })).toMatchObject({ code: 1, stderr: `${short}\n` })
  const { json } = await nuqta(['doctor', '--json'], { cwd })
  expect(json).toContainEqual(expect.objectContaining({ check: 'database', ok: true }))
  expect(json).toContainEqual({ check: 'secret key', ok: false, detail: 'it cannot be read', advice: short })

  rmSync(secretKey)
  mkdirSync(secretKey)
  const { code, stderr } = await nuqta(sealing, { cwd })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The secret key .* cannot be read: EISDIR[^\n]*\.\n$/)])
})
