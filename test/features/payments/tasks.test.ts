import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import type { PaymentState } from '../../../src/domain/payment.ts'
import { hour_ms } from '../../../src/domain/spans.ts'
import { queueTask } from '../../../src/features/orders/payment-tasks.ts'
import type { RefusedTask } from '../../../src/features/payments/tasks.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import type { PaymentRecord } from '../../../src/providers/payment/port.ts'
import { appAtNoon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider, withoutNames } from '../../support/booked-provider.ts'
import { testDatabase } from '../../support/database.ts'
import { replacingOrder } from '../../support/orders.ts'
import { type Due, duePayments, performDue, providersOf } from '../../support/payments.ts'
import { rowsOf } from '../../support/tables.ts'

// Payment tasks after a commit: none is lost, and none is performed twice. `books` are the provider's records.

const database = testDatabase({ leaves: ['due payment tasks', 'open holds'] })
const app = appAtNoon(database)
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

const payment_halalas = asHalalas(8_000)

interface Made extends Due {
  readonly provider: BookedProvider
}

/** An order of 100 SAR with a payment of 80, in a state at the provider and a state here. */
async function made(theirs: PaymentRecord['state'] | 'nothing', ours: PaymentState): Promise<Made> {
  const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
  const provider = new BookedProvider()
  const payment_uuid = newUuid()
  const { program_id } = shop.merchant
  if (ours === 'authorized') await app.actBy(shop, order_uuid, 'authorize')
  if (theirs !== 'nothing') {
    const kind = ours === 'authorized' ? 'auth' : 'sale'
    const urls = { return_url: 'https://localhost/r', callback_url: 'https://localhost/c' }
    const request = {
      program_id,
      payment_uuid,
      amount_halalas: payment_halalas,
      description: 'x',
      kind,
      locale: 'en',
    } as const
    await provider.create({ ...request, ...urls })
    if (theirs !== 'pending') provider.arrive(payment_uuid, theirs)
  }
  const reference = ours === 'created' || ours === 'failed' ? null : `ref-${payment_uuid}`
  await database.db.run({
    text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas,
        kind, state, created_at, updated_at) values ($1, $2, $3, 'sandbox', $4, $5, $6, $7, $8, $8)`,
    values: [
      ...[program_id, payment_uuid, order_uuid, reference, payment_halalas],
      ...[ours === 'authorized' ? 'auth' : 'sale', ours, app.clock.now()],
    ],
  })
  provider.calls.length = 0
  return { program_id, order_uuid, payment_uuid, provider }
}

const perform = ({ provider }: Made, options: Parameters<typeof performDue>[2] = {}) =>
  performDue(database.db, providersOf({ sandbox: provider }), options)

const stateOf = (of: Due) => duePayments(database.db, of)

function queue(of: Due, kind: 'capture' | 'void' | 'give_back'): Promise<void> {
  const { program_id, order_uuid, payment_uuid } = of
  return database.db.transaction(async (tx) =>
    queueTask(tx, { program_id, order_uuid, payment_uuid, kind, amount_halalas: payment_halalas }),
  )
}

async function refund(of: Due, amount: number | null): Promise<void> {
  const amount_halalas = amount === null ? null : asHalalas(amount)
  const { refundOrder } = servicesOn(database.db, { clock: app.clock })
  await refundOrder(shop.merchant, of.order_uuid, { amount_halalas, reason: null })
}

describe('moves of an order queue tasks', () => {
  it('a capture takes the reserved money', async () => {
    const of = await made('authorized', 'authorized')
    expect((await app.actBy(shop, of.order_uuid, 'capture')).status).toBe(200)
    expect(of.provider.calls).toEqual([])
    await perform(of)
    expect(of.provider.calls).toEqual(['query', 'capture'])
    expect(await stateOf(of)).toEqual({ payment: 'paid', tasks: ['capture done'], legs: [] })
  })

  it('a cancellation voids the reserved money', async () => {
    const of = await made('authorized', 'authorized')
    expect((await app.actBy(shop, of.order_uuid, 'cancel')).status).toBe(200)
    await perform(of)
    expect(of.provider.calls).toEqual(['query', 'void'])
    expect(await stateOf(of)).toEqual({ payment: 'voided', tasks: ['void done'], legs: [] })
  })

  it('a refund right after the capture waits for it, then pays back', async () => {
    const of = await made('authorized', 'authorized')
    await app.actBy(shop, of.order_uuid, 'capture')
    await refund(of, null)
    await perform(of)
    expect(of.provider.calls).toEqual(['query', 'capture', 'query', 'refund'])
    expect(of.provider.kept_halalas).toBe(0)
    expect(await stateOf(of)).toEqual({ payment: 'paid', tasks: ['capture done', 'refund done'], legs: ['done'] })
  })

  it('a refused move queues nothing', async () => {
    const of = await made('authorized', 'authorized')
    expect((await app.actBy(shop, of.order_uuid, 'complete')).status).toBe(400)
    expect(await stateOf(of)).toEqual({ payment: 'authorized', tasks: [], legs: [] })
  })

  it('a task that is not committed is never performed', async () => {
    const of = await made('paid', 'failed')
    const { program_id, order_uuid, payment_uuid } = of
    const failed = database.db.transaction(async (tx) => {
      queueTask(tx, { program_id, order_uuid, payment_uuid, kind: 'give_back', amount_halalas: payment_halalas })
      throw new Error('the story fails')
    })
    await expect(failed).rejects.toThrow('the story fails')
    await perform(of)
    expect(of.provider.calls).toEqual([])
  })
})

describe('money that the order cannot take', () => {
  it.each(
    rowsOf(`
      # theirs    ours      calls              then
      paid        surplus   query,refund       returned
      authorized  surplus   query,void         returned
      paid        failed    query,refund       returned
      pending     failed    query,void         failed
      failed      failed    query              failed
      voided      surplus   query              returned
    `),
  )('%s there and %s here: %s, then %s', async (theirs, ours, calls, then) => {
    const of = await made(theirs as PaymentRecord['state'], ours as PaymentState)
    await queue(of, 'give_back')
    await perform(of)
    expect(of.provider.calls.join()).toBe(calls)
    expect(await stateOf(of)).toEqual({ payment: then, tasks: ['give_back done'], legs: [] })
    expect(of.provider.kept_halalas).toBe(0)
  })

  it('that comes after its page was given up goes back all the same', async () => {
    const of = await made('pending', 'failed')
    of.provider.faults.void = [{ kind: 'unsupported', detail: 'a page ends by itself' }]
    await queue(of, 'give_back')
    await perform(of)
    expect(await stateOf(of)).toMatchObject({ payment: 'failed', tasks: ['give_back due'] })
    of.provider.arrive(of.payment_uuid)
    await perform(of, { at_ms: Date.now() + hour_ms })
    expect(of.provider.kept_halalas).toBe(0)
    expect(await stateOf(of)).toMatchObject({ payment: 'returned', tasks: ['give_back done'] })
  })

  it('is waited for during a day, while its provider does not know it', async () => {
    const of = await made('nothing', 'failed')
    await queue(of, 'give_back')
    await perform(of)
    expect(await stateOf(of)).toMatchObject({ tasks: ['give_back due'] })
    await perform(of, { at_ms: Date.now() + 24 * hour_ms })
    expect(await stateOf(of)).toMatchObject({ payment: 'failed', tasks: ['give_back done'] })
  })

  it('that comes again after it was given back goes back again', async () => {
    const of = await made('failed', 'failed')
    await queue(of, 'give_back')
    await perform(of)
    of.provider.arrive(of.payment_uuid)
    await queue(of, 'give_back')
    await queue(of, 'give_back')
    expect(await stateOf(of)).toMatchObject({ tasks: ['give_back due'] })
    await perform(of)
    expect(of.provider.kept_halalas).toBe(0)
    expect(await stateOf(of)).toMatchObject({ payment: 'returned', tasks: ['give_back done'] })
  })
})

describe('when a provider fails', () => {
  it.each(['before', 'after'] as const)('%s it has captured: it is captured once', async (when) => {
    const of = await made('authorized', 'authorized')
    of.provider.faults.capture = [when]
    await app.actBy(shop, of.order_uuid, 'capture')
    await perform(of)
    expect(await stateOf(of)).toMatchObject({ payment: 'authorized', tasks: ['capture due'] })
    await perform(of, { at_ms: Date.now() + hour_ms })
    const calls = when === 'before' ? ['query', 'capture', 'query', 'capture'] : ['query', 'capture', 'query']
    expect(of.provider.calls).toEqual(calls)
    expect(await stateOf(of)).toMatchObject({ payment: 'paid', tasks: ['capture done'] })
  })

  it.each([
    ['with names', false],
    ['without names', true],
  ])('in the middle of refunds %s, each is paid back once', async (_, nameless) => {
    const of = await made('authorized', 'authorized')
    const payments = providersOf({ sandbox: nameless ? withoutNames(of.provider) : of.provider })
    of.provider.faults.refund = ['after', 'before', 'none', 'after']
    await app.actBy(shop, of.order_uuid, 'capture')
    await refund(of, 2_500)
    await refund(of, 2_500)
    await refund(of, null)
    for (let hours = 0; hours < 8; hours += 1)
      await performDue(database.db, payments, { at_ms: Date.now() + hours * hour_ms })
    expect(await stateOf(of)).toMatchObject({ legs: ['done', 'done', 'done'] })
    expect(of.provider.kept_halalas).toBe(0)
    expect(of.provider.calls.filter((call) => call === 'refund').length).toBe(4)
  })

  it('completely, everything stays due, and is done when it is back', async () => {
    const of = await made('authorized', 'authorized')
    of.provider.down = true
    await app.actBy(shop, of.order_uuid, 'capture')
    for (let hours = 0; hours < 4; hours += 1) await perform(of, { at_ms: Date.now() + hours * hour_ms })
    expect(await stateOf(of)).toMatchObject({ payment: 'authorized', tasks: ['capture due'] })
    of.provider.down = false
    await perform(of, { at_ms: Date.now() + 5 * hour_ms })
    expect(await stateOf(of)).toMatchObject({ payment: 'paid', tasks: ['capture done'] })
  })

  it('is not asked again before its time', async () => {
    const of = await made('authorized', 'authorized')
    of.provider.faults.capture = ['after']
    await app.actBy(shop, of.order_uuid, 'capture')
    await perform(of)
    await perform(of, { at_ms: Date.now() + 140_000 })
    expect(of.provider.calls).toEqual(['query', 'capture'])
  })

  it('and refuses for good, the task is shown as refused, and reported by ids alone', async () => {
    const of = await made('authorized', 'authorized')
    of.provider.faults.refund = [{ kind: 'refused', detail: 'the terminal of Sara 0551234567 is closed' }]
    await app.actBy(shop, of.order_uuid, 'capture')
    await refund(of, null)
    const refused: RefusedTask[] = []
    await perform(of, { onRefused: (task) => refused.push(task) })
    expect(await stateOf(of)).toMatchObject({ tasks: ['capture done', 'refund refused'], legs: ['refused'] })
    const { program_id, order_uuid, payment_uuid } = of
    const refund_uuid = expect.any(String)
    expect(refused).toEqual([
      { program_id, order_uuid, payment_uuid, refund_uuid, kind: 'refund', provider: 'sandbox' },
    ])
    await perform(of, { at_ms: Date.now() + 100 * hour_ms })
    expect(of.provider.calls.filter((call) => call === 'refund').length).toBe(1)
  })

  it('to know the authorisation, the capture is refused, and its refund is done: nothing was collected', async () => {
    const of = await made('voided', 'authorized')
    await app.actBy(shop, of.order_uuid, 'capture')
    await refund(of, null)
    await perform(of)
    expect(await stateOf(of)).toEqual({
      payment: 'voided',
      tasks: ['capture refused', 'refund done'],
      legs: ['done'],
    })
  })

  it('for lack of credentials, the task waits for them', async () => {
    const of = await made('authorized', 'authorized')
    await app.actBy(shop, of.order_uuid, 'cancel')
    await performDue(database.db, providersOf({}))
    expect(await stateOf(of)).toMatchObject({ tasks: ['void due'] })
    await perform(of, { at_ms: Date.now() + hour_ms })
    expect(await stateOf(of)).toMatchObject({ payment: 'voided', tasks: ['void done'] })
  })
})

describe('several workers', () => {
  it('share the due tasks: each is performed once', async () => {
    const provider = new BookedProvider()
    const all: Due[] = []
    for (let count = 0; count < 12; count += 1) {
      const of = await made('paid', 'surplus')
      for (const [payment_uuid, booked] of of.provider.books) provider.books.set(payment_uuid, booked)
      await queue(of, 'give_back')
      all.push(of)
    }
    const payments = providersOf({ sandbox: provider })
    const attempts = await Promise.all([1, 2, 3].map(() => performDue(database.connect(), payments)))
    expect(attempts.reduce((sum, count) => sum + count)).toBe(12)
    expect(provider.calls.filter((call) => call === 'refund').length).toBe(12)
    for (const of of all) expect(await stateOf(of)).toMatchObject({ payment: 'returned' })
  })

  it('leave a leased task alone until its lease is over', async () => {
    const of = await made('paid', 'surplus')
    await queue(of, 'give_back')
    const first = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    of.provider.meanwhile = (operation) => {
      if (operation !== 'query') return Promise.resolve()
      began.resolve()
      return first.promise
    }
    const slow = perform(of)
    await began.promise
    expect(await perform(of)).toBe(0)
    of.provider.meanwhile = async () => undefined
    // The first one froze, its lease ran out, and another worker did its task. When it wakes, it must write nothing.
    expect(await perform(of, { at_ms: Date.now() + hour_ms })).toBe(1)
    expect(await stateOf(of)).toMatchObject({ payment: 'returned', tasks: ['give_back done'] })
    first.resolve()
    await slow
    expect(of.provider.calls.filter((call) => call === 'refund').length).toBe(1)
  })

  it('send no request with a lease that is nearly over', async () => {
    const of = await made('paid', 'surplus')
    await queue(of, 'give_back')
    await perform(of, { lease_ms: 30_000 })
    expect(of.provider.calls).toEqual(['query'])
    expect(await stateOf(of)).toMatchObject({ tasks: ['give_back due'] })
  })
})

it('a refund that waits for its capture does not delay other payments', async () => {
  const waiting = await made('authorized', 'authorized')
  waiting.provider.faults.capture = ['before']
  await app.actBy(shop, waiting.order_uuid, 'capture')
  await refund(waiting, null)
  const other = await made('paid', 'surplus')
  await queue(other, 'give_back')
  for (const [uuid, booked] of other.provider.books) waiting.provider.books.set(uuid as Uuid, booked)
  await perform(waiting)
  expect(await stateOf(waiting)).toMatchObject({ tasks: ['capture due', 'refund due'] })
  expect(await stateOf(other)).toMatchObject({ payment: 'returned' })
})
