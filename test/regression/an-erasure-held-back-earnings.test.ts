import { expect, it } from 'vitest'
import { last_uuid, type Uuid } from '../../src/domain/ids.ts'
import { asPoints } from '../../src/domain/points.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { eraseCustomer, eraseNow } from '../../src/features/erasure/service.ts'
import { readProgram } from '../../src/features/merchants/programs.ts'
import { eraseProvenSessions, purgeSentPhone } from '../../src/features/orders/session-queries.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { oneShop, servicesOn } from '../support/app.ts'
import { openedCheckout, provenCheckout } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, oneMerchant, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { waitForLocks } from '../support/wait.ts'

// An erasure held the wallet from its beginning to its end: 40 s with 40,000 orders. Earnings of the customer waited so
// long, and those of all others in the program behind them, until they failed.

const database = testDatabase({ leaves: ['due messages'] })
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const by = { source: 'command', name: 'Sara' } as const
const partsOf = () => ({ owner: database.owner, secrets: createSecretBox(defaults.secret_key), by })

it('a customer earns while the orders of before are erased, and what is earned is erased too', async () => {
  const merchant = await oneMerchant(database.db)
  const { program_id } = merchant
  const phone = await customerWith(database.db, merchant, { points: 10 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const earning = earningOf(merchant, { phone, metadata: JSON.stringify({ who: 'Noura' }) })
  const erased: Promise<unknown>[] = []
  await database.owner.transaction(async (tx) => {
    // The erasure stops here, in the middle of the orders.
    await tx.run({
      text: `select from event e join orders o on o.program_id = e.program_id and o.order_uuid = e.order_uuid
        where e.program_id = $1 and o.customer_id = $2 for no key update of e`,
      values: [program_id, customer_id],
    })
    erased.push(eraseCustomer(partsOf(), { program_id, phone, typed: phone }))
    await waitForLocks(database.owner, 1)
    expect(await earn(earning)).toMatchObject({ kind: 'order' })
  })
  await Promise.all(erased)
  const left = await database.owner.one({
    text: `select o.customer_id, o.metadata, o.items, e.payload::text like '%Noura%' as told from orders o
      join event e on e.program_id = $1 and e.order_uuid = o.order_uuid where o.program_id = $1 and o.order_uuid = $2`,
    values: [program_id, earning.order_uuid],
  })
  expect(left).toEqual({ customer_id, metadata: null, items: null, told: false })
  expect(await walletOf(database.db, program_id, phone)).toBeUndefined()
})

// The reasons of movements were looked for under the wallet's lock: 20 s with a million entries.
it('a customer earns while the movements of before are erased', async () => {
  const merchant = await oneMerchant(database.db)
  const { program_id } = merchant
  const program = await readProgram(database.db, program_id)
  if (program === null) throw new Error('the program is missing')
  const phone = await customerWith(database.db, merchant, { points: 10 })
  await adjustWallet(database.db, clock, { program, phone, typed: phone, points: asPoints(5), reason: 'Noura asked' })
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const erased: Promise<unknown>[] = []
  const reasons = "select transfer_id from transfer where program_id = $1 and reason = 'Noura asked'"
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: `${reasons} for no key update`, values: [program_id] })
    erased.push(eraseCustomer(partsOf(), { program_id, phone, typed: phone }))
    await waitForLocks(database.owner, 1)
    expect(await earn(earningOf(merchant, { phone }))).toMatchObject({ kind: 'order' })
  })
  await Promise.all(erased)
  expect(await database.owner.run({ text: reasons, values: [program_id] })).toEqual([])
})

// All checkouts of the program were read three times under that lock.
it('the checkouts that name a person are found before the wallet is locked, and erased whatever their age', async () => {
  const shop = await oneShop(database.db)
  const { program_id } = shop.merchant
  const services = servicesOn(database.db, { clock })
  const mine = await provenCheckout(database.db, services, shop, { points: 10 })
  const { phone } = mine
  const sent = await openedCheckout(services, shop, { given: phone })
  await openedCheckout(services, shop, {})
  // As those that were opened long ago.
  await database.owner.run({
    text: `update checkout_session set session_uuid = overlay(session_uuid::text placing '0100' from 1)::uuid where program_id = $1`,
    values: [program_id],
  })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const naming = {
    text: 'select order_uuid from checkout_session where phone = $1 or proven_phone = $1',
    values: [phone],
  }
  expect((await database.owner.run<{ order_uuid: Uuid }>(naming)).map((row) => row.order_uuid).sort()).toEqual(
    [mine.order_uuid, sent.order_uuid].sort(),
  )
  const none = { from: last_uuid, before: [], until: last_uuid }
  for (const erasing of [eraseProvenSessions, purgeSentPhone])
    await database.owner.run(erasing(program_id, phone, none))
  expect(await database.owner.run(naming)).toHaveLength(2)
  await database.owner.transaction((tx) => eraseNow(tx, partsOf(), { program_id, customer_id, phone }))
  expect(await database.owner.run(naming)).toEqual([])
})
