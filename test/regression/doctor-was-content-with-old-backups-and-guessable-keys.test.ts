import { describe, expect, it } from 'vitest'
import { settings } from '../../src/config/settings.ts'
import { checkBackupAge } from '../../src/doctor/database.ts'
import { insertDeployment, markBackedUp } from '../../src/features/deployment/queries.ts'
import { nuqta } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { production } from '../support/production.ts'

// What went wrong: `nuqta doctor`, which operators run once a day, said nothing when no backup had been made for weeks, and
// took the words of the documentation for a secret key.

const database = testDatabase()
const hours_ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** What the doctor of a production says about these checks. */
async function findings(checks: readonly string[], secret_key = '0123456789abcdef'.repeat(4)) {
  const env = { ...production, DATABASE_URL: database.url, NUQTA_SECRET_KEY: secret_key }
  const { json } = await nuqta(['doctor', '--json', '--role', 'worker'], { cwd: '/', env })
  return json.filter(({ check, ok }) => checks.includes(String(check)) && (check !== 'secret key' || !ok))
}

it('a production whose last backup is more than two days old has a problem', async () => {
  await database.db.run(insertDeployment('production', new Date()))
  expect(await findings(['backup'])).toEqual([])
  await database.db.run(markBackedUp(hours_ago(47)))
  expect(await findings(['backup'])).toMatchObject([{ ok: true }])
  await database.db.run(markBackedUp(hours_ago(49)))
  expect(await findings(['backup'])).toMatchObject([{ ok: false, advice: expect.stringContaining('docs/backup.md') }])
  expect(await checkBackupAge(database.db)).toMatchObject([{ ok: false }])
})

describe('a secret key of a production', () => {
  it.each([settings.NUQTA_SECRET_KEY.example, 'a'.repeat(64), 'abc'.repeat(20)])(
    'that is %s could be guessed',
    async (key) => {
      expect(await findings(['secret key'], key)).toMatchObject([{ detail: 'somebody could guess it' }])
    },
  )

  it('that is random is fine', async () => {
    expect(await findings(['secret key'])).toEqual([])
  })
})
