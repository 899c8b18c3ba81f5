import { expect, it } from 'vitest'
import { beginRun, most_kept, runOf } from '../../src/features/settlement/begin-run.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'

// A program keeps its last 20 runs of settlements, and its page shows them. One more was kept, which no page shows.

const database = testDatabase()

it('the last 20 runs of a program are kept, and no more', async () => {
  const { db } = database
  const { program_id } = (await oneShop(db)).merchant
  const by = { source: 'dashboard', name: 'sara@example.com' } as const
  const begun: string[] = []
  for (let made = 0; made < most_kept + 3; made += 1) {
    const run = runOf({ program_id, kind: 'preview', merchant_id: undefined, until_at: new Date(), by })
    begun.push((await db.transaction((tx) => beginRun(tx, run))).run_uuid)
    await database.owner.script(`update settlement_run set state = 'done', ended_at = now() where state = 'due'`)
  }
  const text = 'select run_uuid from settlement_run where program_id = $1 order by run_uuid'
  const kept = await db.run<{ run_uuid: string }>({ text, values: [program_id] })
  expect(kept.map(({ run_uuid }) => run_uuid)).toEqual(begun.slice(-most_kept))
})
