import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, day_ms } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { doSettlementRuns } from '../../src/features/settlement/run-job.ts'
import { dataOf } from '../http/client.ts'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// A confirmation that waited for another one compared the proposal with what it had read before the wait: rates in a
// subquery of the statement that waits for the program, ends of periods before the lock. Both changes were made, the second
// on facts that nobody saw.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let sara: Person
let omar: Person
let noura: Person
beforeAll(async () => {
  app = await startApp(database, {}, clock)
  ;[sara, omar, noura] = [
    await makePerson(app, 'operator'),
    await makePerson(app, 'operator'),
    await makePerson(app, 'operator'),
  ]
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>

/** A shop of a program that asks for two people. */
async function begin(changes: { readonly two_person_rates?: true; readonly two_person_settlements?: true }) {
  const { merchant } = await oneShop(database.db)
  const { program_id } = merchant
  await changeProgram(database.db, program_id, { changes, now: clock.now() })
  const path = `/programs/${program_id}`
  const confirmBy = (person: Person, uuid: string) => person.call('POST', `${path}/proposals/${uuid}/confirm`)
  const proposeRate = async (begins_on: unknown, sar_per_point: number) => {
    const made = dataOf(await sara.call('POST', `${path}/rates`, { begins_on, sar_per_point }))
    return String((made['proposals'] as Data[])[0]?.['proposal_uuid'])
  }
  const proposeClose = async () => {
    const { proposal } = dataOf(await sara.call('POST', `${path}/settlement-runs`, { kind: 'close' }))
    return String((proposal as Data)['proposal_uuid'])
  }
  const settled = async () => {
    await doSettlementRuns({ db: database.db, clock, log: { warn: () => undefined } })
    const text = 'select orders from settlement where program_id = $1 order by settlement_id'
    const rows = await database.owner.run<{ orders: number }>({ text, values: [program_id] })
    return rows.map(({ orders }) => Number(orders))
  }
  return { merchant, program_id, path, confirmBy, proposeRate, proposeClose, settled }
}

/** Sends requests, one after the other, while the program is locked, as by a change of its settings. */
async function sendTogether(program_id: number, requests: readonly (() => ReturnType<Person['call']>)[]) {
  const replies: ReturnType<Person['call']>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: 'select from program where program_id = $1 for no key update', values: [program_id] })
    for (const [index, request] of requests.entries()) {
      replies.push(request())
      await waitForLocks(database.owner, index + 1)
    }
  })
  return (await Promise.all(replies)).map(({ status }) => status)
}

it('of two rates of one day that are confirmed at the same moment, the second is refused', async () => {
  const { program_id, path, confirmBy, proposeRate } = await begin({ two_person_rates: true })
  const rates = async () => dataOf(await sara.call('GET', `${path}/rates`))
  const { today } = await rates()
  const [first, second] = [await proposeRate(today, 0.02), await proposeRate(today, 0.05)]
  const statuses = await sendTogether(program_id, [() => confirmBy(omar, first), () => confirmBy(noura, second)])
  expect([statuses, (await rates())['sar_per_point']]).toEqual([[200, 409], 0.02])
})

it('the audit log names the rate that a change has waited for', async () => {
  const { program_id, path } = await begin({})
  const { today: begins_on } = dataOf(await sara.call('GET', `${path}/rates`))
  const set = (person: Person, sar_per_point: number) => () =>
    person.call('POST', `${path}/rates`, { begins_on, sar_per_point })
  expect(await sendTogether(program_id, [set(omar, 0.02), set(noura, 0.05)])).toEqual([200, 200])
  const text = `select before from audit where program_id = $1 and action = 'program.rate' and actor = $2`
  expect(await database.owner.run({ text, values: [program_id, noura.email] })).toEqual([
    { before: { micro_sar_per_point: 20_000 } },
  ])
})

it('of two closes that are confirmed at the same moment, the second is refused', async () => {
  const { merchant, program_id, confirmBy, proposeClose, settled } = await begin({ two_person_settlements: true })
  await earningOrder(database.db, merchant, { clock })
  const first = await proposeClose()
  clock.advance(60)
  await earningOrder(database.db, merchant, { clock })
  const second = await proposeClose()
  const statuses = await sendTogether(program_id, [() => confirmBy(omar, first), () => confirmBy(noura, second)])
  expect([statuses, await settled()]).toEqual([[200, 409], [1]])
})

it('a close is refused when the period that it waits for has been closed by one person', async () => {
  const { merchant, program_id, confirmBy, proposeClose, settled } = await begin({ two_person_settlements: true })
  await earningOrder(database.db, merchant, { clock })
  const proposed = await proposeClose()
  const confirmed = await database.owner.transaction(async (tx) => {
    // A close that was asked for before the program asked for two people.
    const text = `update earning_lock set closing_to = $3, settled_to = $3 where program_id = $1 and merchant_id = $2`
    const earlier = new Date(clock.now().getTime() - 3_600_000)
    await tx.run({ text, values: [program_id, merchant.merchant_id, earlier] })
    const waiting = confirmBy(omar, proposed)
    await waitForLocks(database.owner)
    return { waiting }
  })
  expect([(await confirmed.waiting).status, await settled()]).toEqual([409, []])
})

it('of two rates at the same moment, the thirteenth that would wait is refused', async () => {
  const { program_id, path } = await begin({})
  const day = (n: number) => new Date(clock.now().getTime() + 3 * 3_600_000 + n * 86_400_000).toISOString().slice(0, 10)
  const set = (person: Person, n: number) =>
    person.call('POST', `${path}/rates`, { begins_on: day(n), sar_per_point: 0.01 })
  for (let n = 1; n <= 11; n += 1) expect((await set(sara, n)).status).toBe(200)
  expect(await sendTogether(program_id, [() => set(sara, 12), () => set(omar, 13)])).toEqual([200, 422])
})
