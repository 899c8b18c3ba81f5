import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import program from '../../dashboard/src/texts/en/operator/program.json' with { type: 'json' }
import { translatorOf } from '../../dashboard/src/texts/translate.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { readHealth } from '../../src/features/deployment/health.ts'
import { createFindings, readOpenFindings } from '../../src/features/payments/findings.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { sellBy, tasksOf } from '../support/checkouts.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { performDue, providersOf, reconcilePayments } from '../support/payments.ts'

// What a provider refused for good stayed counted for ever, in metrics and on the health page: nobody could say that it was
// settled, so that the page never was at rest again, and the next refusal hid among those of before.

const database = testDatabase({ leaves: ['due payment tasks'] })
const by = { source: 'dashboard', name: 'operator@nuqta.example' } as const
const refused = { kind: 'refused', detail: 'too late' } as const
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

const findings = () => createFindings(database.db)
const found = () => findings().list(booked().shop.merchant.program_id, undefined, { before: undefined, size: 10 })
const handle = (finding_uuid: Uuid) =>
  findings().change(
    { program_id: booked().shop.merchant.program_id, finding_uuid },
    { handled: true, note: 'Paid by hand' },
    by,
  )
const perform = () => performDue(database.db, providersOf({ sandbox: booked().provider }))
const refund = (order_uuid: Uuid, halalas: number | null) =>
  booked().services.refundOrder(booked().shop.merchant, order_uuid, {
    amount_halalas: halalas === null ? null : asHalalas(halalas),
    reason: null,
  })
const reconcile = () =>
  reconcilePayments({ db: database.db, clock, payments: providersOf({ sandbox: booked().provider }) })

/** An order of 100 SAR that is paid at the provider, or authorised there. */
async function paid(state: 'paid' | 'authorized' = 'paid') {
  if (state === 'authorized') await sellBy(database.owner, booked().shop, 'sandbox', 'two_step')
  return paidCheckout(database.db, booked(), { points: 0, state })
}

/** How many refused tasks the metric and the health page count more than before the test. */
async function counted(): Promise<number> {
  const now = new Date()
  const { refused: metric } = await readOpenFindings(database.db)
  expect((await readHealth(database.db, now)).payment_tasks.refused).toBe(metric)
  return metric
}

describe('a refund that its provider refuses', () => {
  it('is a finding that is counted until an operator has handled it', async () => {
    const before = await counted()
    const { order_uuid, payment_uuid } = await paid()
    booked().provider.faults.refund = [refused]
    await refund(order_uuid, 4_000)
    await perform()
    expect(await counted()).toBe(before + 1)
    const [finding] = await found()
    const said = { kind: 'refund_refused', action: 'none', state: 'open', detail: 'refused: too late', times: 1 }
    expect(finding).toMatchObject({ order_uuid, payment_uuid, amount_halalas: 4_000, ...said })
    // Comparisons leave it to the operator.
    clock.advance(3_600)
    await reconcile()
    expect(await found()).toMatchObject([{ state: 'open' }])
    await handle(finding?.finding_uuid as Uuid)
    await reconcile()
    expect(await found()).toMatchObject([{ state: 'handled', note: 'Paid by hand' }])
    expect(await counted()).toBe(before)
    expect((await readHealth(database.db)).payment_tasks.last_error).toBeNull()
    expect(await tasksOf(database.db, order_uuid)).toEqual(['refund refused'])
  })

  it('adds up with others of its payment, and opens what was handled', async () => {
    const { order_uuid } = await paid()
    booked().provider.faults.refund = [refused, refused, refused]
    await refund(order_uuid, 1_000)
    await perform()
    await refund(order_uuid, 2_000)
    await perform()
    const [finding] = await found()
    expect(finding).toMatchObject({ amount_halalas: 3_000, times: 2, state: 'open' })
    await handle(finding?.finding_uuid as Uuid)
    await refund(order_uuid, null)
    await perform()
    expect(await found()).toMatchObject([{ amount_halalas: 7_000, times: 3, state: 'open', ended_at: null }])
  })
})

it('a refused task of a cancelled order waits for an operator, too', async () => {
  const { order_uuid } = await paid('authorized')
  booked().provider.faults.void = [refused]
  await booked().services.moveOrder(booked().shop.merchant, order_uuid, { action: 'cancel' })
  await perform()
  await reconcile()
  expect(await found()).toMatchObject([{ kind: 'void_refused', state: 'open', amount_halalas: 10_000 }])
})

it('a return that is asked for again is resolved by that', async () => {
  const { order_uuid, payment_uuid } = await paid()
  const move = (state: 'surplus' | 'returned' | 'paid') => ({
    text: 'update order_payment set state = $2 where payment_uuid = $1',
    values: [payment_uuid, state],
  })
  await database.owner.run(move('surplus'))
  const queue = (state: 'refused' | 'done') => ({
    text: `insert into payment_task as t (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, due_at, created_at,
        ended_at) values ($1, $2, $2, $3, 'give_back', 10000, $4, $5, $5, $5)
      on conflict (program_id, task_uuid) do update set state = $4`,
    values: [booked().shop.merchant.program_id, payment_uuid, order_uuid, state, new Date()],
  })
  await database.owner.run(queue('refused'))
  await database.owner.run(backfill)
  await reconcile()
  expect(await found()).toMatchObject([{ kind: 'give_back_refused', state: 'open' }])
  await database.owner.run(queue('done'))
  await database.owner.run(move('returned'))
  await reconcile()
  expect(await found()).toMatchObject([{ state: 'resolved' }])
  await database.owner.run(move('paid'))
})

it('the page of the program counts it as a finding, not as a payment that differs from its provider', () => {
  const t = translatorOf('en', new Map([['program.waiting_findings', program.waiting_findings]]))
  const said = [1, 2].map((count) => t('program.waiting_findings', { count }))
  expect(said).toEqual(['1 finding about payments is open', '2 findings about payments are open'])
})

const backfill = { text: readFileSync('migrations/0049_refused_tasks.sql', 'utf8'), values: [] }

it('tasks that were refused before become findings by the upgrade, those of one payment together', async () => {
  const { order_uuid, payment_uuid } = await paid()
  booked().provider.faults.refund = [refused, refused]
  await refund(order_uuid, 1_000)
  await refund(order_uuid, 2_000)
  await perform()
  await perform()
  const [kept] = await found()
  await database.owner.run({ text: 'delete from reconciliation_finding', values: [] })
  await database.owner.run(backfill)
  const made = { payment_uuid, kind: 'refund_refused', amount_halalas: 3_000, times: 2, detail: 'refused: too late' }
  expect(kept).toMatchObject(made)
  expect(await found()).toMatchObject([
    { ...made, state: 'open', action: 'none', provider_reference: kept?.provider_reference },
  ])
})
