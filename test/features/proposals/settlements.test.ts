import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, day_ms } from '../../../src/domain/spans.ts'
import { changeProgram } from '../../../src/features/merchants/program-settings.ts'
import { createMerchants } from '../../../src/features/merchants/service.ts'
import { doSettlementRuns } from '../../../src/features/settlement/run-job.ts'
import { dataOf } from '../../http/client.ts'
import { type App, startApp } from '../../support/api.ts'
import { oneShop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { earningOrder } from '../../support/orders.ts'
import { makePerson, type Person } from '../../support/staff.ts'

// A close that needs a second person. docs/spec/two-people.md#settlements

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
beforeAll(async () => {
  app = await startApp(database, {}, clock)
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>

/** A shop whose program closes with two people, and two of them. */
async function begin() {
  const shop = await oneShop(database.db)
  const { program_id } = shop.merchant
  await changeProgram(database.db, program_id, {
    changes: { two_person_settlements: true },
    now: clock.now(),
  })
  const [sara, omar] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
  const path = `/programs/${program_id}`
  const closeBy = async (person: Person, of = {}) =>
    dataOf(await person.call('POST', `${path}/settlement-runs`, { kind: 'close', ...of }))
  const work = () => doSettlementRuns({ db: database.db, clock, log: { warn: () => undefined } })
  const confirmBy = (person: Person, { proposal }: Data) =>
    person.call('POST', `${path}/proposals/${String((proposal as Data)['proposal_uuid'])}/confirm`)
  const settled = async () =>
    (
      await database.owner.run<{ orders: number }>({
        text: 'select orders from settlement where program_id = $1 order by settlement_id',
        values: [program_id],
      })
    ).map(({ orders }) => Number(orders))
  return { shop, sara, omar, closeBy, confirmBy, settled, work, program_id }
}

it('is proposed by one, and confirmed once by another, up to the moment of the proposal', async () => {
  const { shop, sara, omar, closeBy, confirmBy, settled, work, program_id } = await begin()
  await earningOrder(database.db, shop.merchant, { clock })
  const proposed = await closeBy(sara)
  expect(proposed).toMatchObject({ run: null, proposal: { kind: 'settlement.close' } })
  clock.advance(60)
  await earningOrder(database.db, shop.merchant, { clock })
  expect((await confirmBy(sara, proposed)).status).toBe(403)
  expect(await settled()).toEqual([])
  const both = await Promise.all([confirmBy(omar, proposed), confirmBy(omar, proposed)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await settled()).toEqual([])
  await work()
  expect(await settled()).toEqual([1])
  const text = `select actor, after from audit where program_id = $1 and action = 'settlement.close'`
  expect(await database.owner.run({ text, values: [program_id] })).toEqual([
    { actor: omar.email, after: expect.objectContaining({ proposed_by: sara.email }) },
  ])
})

it('is refused when another close has been confirmed since', async () => {
  const { shop, sara, omar, closeBy, confirmBy, settled, work } = await begin()
  await earningOrder(database.db, shop.merchant, { clock })
  const [first, second] = [await closeBy(sara), await closeBy(sara)]
  expect((await confirmBy(omar, first)).status).toBe(200)
  expect((await confirmBy(omar, second)).status).toBe(409)
  await work()
  expect(await settled()).toEqual([1])
})

it('is refused when the period of one merchant has ended since, or a fee has changed', async () => {
  const { shop, sara, omar, closeBy, confirmBy, settled, work, program_id } = await begin()
  const place = { program_id, environment: 'sandbox', now: clock.now(), verified: true, published: true } as const
  const [quiet] = await createMerchants(database.db, { ...place, name: 'Quiet', count: 1 })
  await earningOrder(database.db, shop.merchant, { clock })
  clock.advance(3 * 86_400)
  const until = new Date(clock.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
  await confirmBy(omar, await closeBy(sara, { merchant_id: shop.merchant.merchant_id }))
  await work()
  const all = await closeBy(sara)
  // It ends before the last period that is closed.
  expect((await confirmBy(omar, await closeBy(sara, { merchant_id: quiet?.merchant_id, until }))).status).toBe(200)
  expect((await confirmBy(omar, all)).status).toBe(409)
  const before = await closeBy(sara)
  await changeProgram(database.db, program_id, { changes: { fee_earn_bp: 9_000 }, now: clock.now() })
  expect((await confirmBy(omar, before)).status).toBe(409)
  expect((await confirmBy(omar, await closeBy(sara))).status).toBe(200)
  await work()
  expect(await settled()).toEqual([1])
})

it('is finished after an interruption, and shows its progress', async () => {
  const { shop, sara, omar, closeBy, confirmBy, settled, work, program_id } = await begin()
  await earningOrder(database.db, shop.merchant, { clock })
  clock.advance(1)
  await confirmBy(omar, await closeBy(sara))
  const lease = (until: string) =>
    `update settlement_run set leased_until = ${until}, attempts = attempts + 1 where program_id = ${program_id}`
  const run = async () =>
    (dataOf(await sara.call('GET', `/programs/${program_id}/settlement-runs`)) as unknown as Data[])[0]
  // A worker has it, and dies.
  await database.owner.script(lease("now() + interval '1 hour'"))
  await work()
  expect([await settled(), (await run())?.['state']]).toEqual([[], 'running'])
  await database.owner.script(lease("now() - interval '1 second'"))
  await work()
  expect(await run()).toMatchObject({
    ...{ kind: 'close', state: 'done', asked_by: omar.email, proposed_by: sara.email },
    result: { merchants: 1, orders: 1, tie: { ties: true } },
  })
  expect(await settled()).toEqual([1])
})
