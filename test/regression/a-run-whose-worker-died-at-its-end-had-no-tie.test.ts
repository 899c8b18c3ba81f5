import { expect, it } from 'vitest'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { closeSettlements } from '../../src/features/settlement/service.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { earningShops } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { askToClose } from '../support/settlement.ts'
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
  await closeSettlements(db, await askToClose(app(), operator, program_id))

  await doSettlementRuns({ db, clock: app().clock, log: { warn: () => undefined } })
  const { data } = (await operator.call('GET', `/programs/${program_id}/settlement-runs`)).body as {
    readonly data: unknown
  }
  const result = { merchants: 2, orders: 2, tie: { settled_points: 2_000, ties: true } }
  expect(data).toMatchObject([{ state: 'done', step: 'adding up', result }])
  expect(data).not.toMatchObject([{ of: 0 }])
})
