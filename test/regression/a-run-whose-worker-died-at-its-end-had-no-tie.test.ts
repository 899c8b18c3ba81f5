import { expect, it } from 'vitest'
import { parseUuid } from '../../src/domain/ids.ts'
import { readProgram } from '../../src/features/merchants/programs.ts'
import { settlingProgramOf } from '../../src/features/settlement/program.ts'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { closeSettlements } from '../../src/features/settlement/service.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { earningShops } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { makePerson } from '../support/staff.ts'

// A worker was killed when it had settled the last merchant. The next one ended the run, which then said nothing of whether the
// points of the program agree, and that it had come to "closing 0 of 0".

const database = testDatabase()
const app = testApp(database)

it('a run that an earlier worker has settled to its end says whether the points agree', async () => {
  const { db } = database
  const shops = await earningShops(db, 2)
  for (const { merchant } of shops) await earningOrder(db, merchant)
  const program_id = shops[0]?.merchant.program_id ?? 0
  const operator = await makePerson(app(), 'operator')
  const path = `/programs/${program_id}/settlement-runs`
  const { body } = await operator.call('POST', path, { kind: 'close' })
  const { run } = body.data as never as { readonly run: { readonly run_uuid: string; readonly until: string } }
  const row = await readProgram(db, program_id)
  const run_uuid = parseUuid(run.run_uuid)
  if (row === null || run_uuid === null) throw new Error('there is no run')
  const program = await settlingProgramOf(db, row)
  await closeSettlements(db, { program, until: new Date(run.until), now: app().clock.now(), run_uuid })

  await doSettlementRuns({ db, clock: app().clock, log: { warn: () => undefined } })
  const { data } = (await operator.call('GET', path)).body as { readonly data: unknown }
  const result = { merchants: 2, orders: 2, tie: { settled_points: 2_000, ties: true } }
  expect(data).toMatchObject([{ state: 'done', step: 'adding up', result }])
  expect(data).not.toMatchObject([{ of: 0 }])
})
