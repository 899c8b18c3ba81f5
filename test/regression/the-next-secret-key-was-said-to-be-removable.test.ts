import { expect, it } from 'vitest'
import { requireSecretKey } from '../../src/features/deployment/canary.ts'
import { insertDeployment } from '../../src/features/deployment/queries.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { nuqta } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'

// What went wrong: in the first step of a change the new key is NUQTA_SECRET_KEY_OLD, so that every process can open what the
// next step seals. Nothing is sealed under it yet, and the doctor and the command said that it could be removed.

const database = testDatabase()
const [former, next] = ['the former key, of thirty-two and more', 'the new key, of thirty-two and some more']

/** What doctor and command say with two keys in the settings. */
async function told(secret_key: string, secret_key_old: string) {
  const env = {
    DATABASE_URL: database.url,
    NUQTA_MIGRATION_URL: database.owner_url,
    NUQTA_SECRET_KEY: secret_key,
    NUQTA_SECRET_KEY_OLD: secret_key_old,
  }
  const doctor = await nuqta(['doctor', '--json', '--role', 'worker'], { cwd: '/', env })
  const finding = doctor.json.find(({ check }) => check === 'secret key')
  const rotated = await nuqta(['secrets', 'rotate', '--yes'], { cwd: '/', env })
  expect(rotated.code).toBe(0)
  return { doctor: String(finding?.['detail']), rotated: rotated.stdout + rotated.stderr }
}

it('nobody is told to remove a key that the next step needs', async () => {
  await database.db.run(insertDeployment('sandbox', new Date()))
  await requireSecretKey(database.db, createSecretBox(former))
  const first = await told(former, next)
  expect(first.doctor).toContain('if it is the new one, keep it')
  expect(first.rotated).toContain('If it is the new key, keep it')
  expect(first.rotated).not.toContain('the new key.')

  const third = await told(next, former)
  expect(third.doctor).toBe('stored secrets are still sealed under the former one')
  expect(third.rotated).toContain('under the new key.')
  expect(third.rotated).toContain('A day after every process has the new key, remove NUQTA_SECRET_KEY_OLD.')

  // Run once more, it cannot know which of the two is the new one.
  expect((await told(next, former)).rotated).toContain('If it is the new key, keep it')
})
