import { expect, it } from 'vitest'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { closeSettlements } from '../../src/features/settlement/service.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { earningShops } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { askToClose } from '../support/settlement.ts'
import { makePerson } from '../support/staff.ts'

// A worker was killed after some merchants of a close. The next one settled the rest, and the run showed these alone: fewer
// merchants, fewer orders and less money than it had settled.

const database = testDatabase()
const app = testApp(database)

class Killed extends Error {}

it('the result of a run contains what a worker settled that died', async () => {
  const { db } = database
  const shops = await earningShops(db, 3)
  for (const { merchant } of shops) await earningOrder(db, merchant)
  const program_id = shops[0]?.merchant.program_id ?? 0
  const operator = await makePerson(app(), 'operator')
  const ask = await askToClose(app(), operator, program_id)
  const dies = () => {
    throw new Killed()
  }
  await expect(closeSettlements(db, { ...ask, onSettled: dies })).rejects.toThrow(Killed)

  await doSettlementRuns({ db, clock: app().clock, log: { warn: () => undefined } })
  const { data } = (await operator.call('GET', `/programs/${program_id}/settlement-runs`)).body as {
    readonly data: unknown
  }
  expect(data).toMatchObject([{ state: 'done', result: { merchants: 3, orders: 3, due_amount: 15 } }])
  const settled = (await operator.call('GET', `/programs/${program_id}/settlements`)).body.data
  const { largest } =
    (data as never as readonly { readonly result: { readonly largest: readonly object[] } }[])[0]?.result ?? {}
  const ids = (rows: unknown) => (rows as { readonly settlement_id: string }[]).map((one) => one.settlement_id).sort()
  expect(ids(largest)).toEqual(ids(settled))
})
