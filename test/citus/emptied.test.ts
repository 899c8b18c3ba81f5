import { describe, expect, inject, it } from 'vitest'
import { placements } from '../../src/db/citus.ts'
import { writeProcess } from '../../src/features/deployment/process-queries.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { emptyTables } from '../support/cluster.ts'
import { testDatabase } from '../support/database.ts'

// Files on a cluster follow one another in one database. The processes of one file stayed "alive" for the next, in which a
// process then seemed ready to erase: the coordinator's own tables were not emptied.

const { of_workers } = inject('server')

describe.runIf(of_workers.length > 0)('a file on a cluster', () => {
  const database = testDatabase()

  it('begins without a row of the file before it, in tables of the coordinator too', async () => {
    const now = new Date()
    const process = {
      process_uuid: newUuid(),
      role: 'all',
      version: '1',
      host: 'shop',
      pid: 1,
      started_at: now,
    } as const
    const facts = { node: '22', jobs: [], checks: null, certificate_ends_on: null }
    await database.owner.run(writeProcess(process, facts, now))
    await emptyTables(database.owner)
    const filled: string[] = []
    for (const table of Object.keys(placements)) {
      const [row] = await database.owner.run<{ rows: string }>({
        text: `select count(*)::text as rows from ${table}`,
        values: [],
      })
      if (row?.rows !== '0') filled.push(table)
    }
    expect(filled).toEqual(['schema_migration'])
  })
})
