import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { after, day_ms } from '../../src/domain/spans.ts'
import { changeProgram } from '../../src/features/merchants/program-settings.ts'
import { type App, startApp } from '../support/api.ts'
import { oneShop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock, walletOf } from '../support/earnings.ts'
import { customerWith, pointsOf } from '../support/orders.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// An operator suspended a merchant for fraud: its earnings were refused. Its owner gave any number of points by hand all the
// same. They come from the program, and customers spend them at its other merchants.

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let owner: Person
let omar: Person
let sara: Person
beforeAll(async () => {
  app = await startApp(database, {}, clock)
  omar = await makePerson(app, 'operator')
  sara = await makePerson(app, 'operator')
})
beforeEach(async () => {
  merchant = (await oneShop(database.db)).merchant
  owner = await makePerson(app, { ...merchant, role: 'owner' })
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>

const change = (how: 'suspend' | 'resume') => {
  const body = how === 'suspend' ? { reason: 'Fraud', keys_off: false } : { keys_on: false }
  return omar.call('POST', `/programs/${merchant.program_id}/merchants/${merchant.merchant_id}/${how}`, body)
}

/** A customer with 100 points. */
async function customer() {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const id = (await walletOf(database.db, merchant.program_id, phone))?.customer_id
  return {
    adjust: (person: Person, points: number) => {
      const path = `/merchants/${merchant.merchant_id}/customers/${id}/adjustments`
      return person.call('POST', path, { points, reason: 'A gift' })
    },
    points: async () => (await pointsOf(database.db, merchant, phone))[0],
  }
}

/** What an adjustment answers, and the points after it. */
async function adjusted(of: Awaited<ReturnType<typeof customer>>, person: Person, points: number) {
  const { status } = await of.adjust(person, points)
  return [status, await of.points()]
}

it('its staff give and take no points until the suspension is lifted; operators do', async () => {
  const of = await customer()
  const staff = [owner, await makePerson(app, { ...merchant, role: 'support' })]
  await change('suspend')
  for (const person of staff) {
    expect(await adjusted(of, person, 400)).toEqual([409, 100])
    expect(await adjusted(of, person, -50)).toEqual([409, 100])
  }
  expect(await adjusted(of, omar, 10)).toEqual([200, 110])
  await change('resume')
  expect(await adjusted(of, owner, 400)).toEqual([200, 510])
})

it('a suspension that an adjustment has waited for counts', async () => {
  const of = await customer()
  const giving = await database.owner.transaction(async (tx) => {
    const text = `update merchant set suspended_at = now(), suspended_by = 'omar', suspended_reason = 'Fraud', published_before = published,
      published = false where program_id = $1 and merchant_id = $2`
    await tx.run({ text, values: [merchant.program_id, merchant.merchant_id] })
    const reply = adjusted(of, owner, 400)
    await waitForLocks(database.owner)
    return { reply }
  })
  expect(await giving.reply).toEqual([409, 100])
})

async function askForTwo(): Promise<void> {
  await changeProgram(database.db, merchant.program_id, {
    changes: { two_person_adjustments_over: 50 },
    now: clock.now(),
  })
}

/** What a proposal says, and what its confirmation answers. */
async function confirmed({ body }: Awaited<ReturnType<Person['call']>>) {
  const proposal = (body.data as Data)['proposal'] as Data
  const path = `/programs/${merchant.program_id}/proposals/${proposal['proposal_uuid']}`
  const read = (await sara.call('GET', path)).body.data as Data
  return [read['current'], (await sara.call('POST', `${path}/confirm`)).status]
}

it('an earlier proposal of its staff is confirmed once the suspension is lifted', async () => {
  await askForTwo()
  const of = await customer()
  const proposed = await of.adjust(owner, 400)
  await change('suspend')
  expect([await confirmed(proposed), await of.points()]).toEqual([[false, 409], 100])
  await change('resume')
  expect([await confirmed(proposed), await of.points()]).toEqual([[true, 200], 500])
})

it('a proposal of an operator there is confirmed', async () => {
  await askForTwo()
  const of = await customer()
  await change('suspend')
  expect([await confirmed(await of.adjust(omar, 400)), await of.points()]).toEqual([[true, 200], 500])
})
