import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { backUp, quiet, restore } from '../support/backups.ts'
import { testDatabase } from '../support/database.ts'

// What went wrong: `nuqta restore` with DATABASE_URL alone, which connects as the service, told to run `nuqta migrate`, and told
// the same after that.

const database = testDatabase()

test('a restore as the service says that it needs the owner of the tables', async () => {
  await claimDeployment(database.db, 'sandbox')
  const backup = await backUp(database.db)
  const place = { database_url: database.url, migration_url: undefined }
  const open = await openDatabase(place, undefined, { as: 'command', log: quiet, progress: quiet, warn: quiet })
  onTestFinished(() => open.close())
  await expect(restore(open, backup)).rejects.toThrow(
    'This role may not load a backup: run nuqta restore with NUQTA_MIGRATION_URL, which connects as the owner of the tables.',
  )
})
