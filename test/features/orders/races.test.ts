import { describe, expect, inject, it } from 'vitest'
import { DomainError } from '../../../src/domain/failures.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { earningOf, freshPhone, inProgram, TestClock } from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { earningOrder, eventNamesOf, expireHold, pointsOf, replacingOrder, rowOf } from '../../support/orders.ts'
import { previewOf, settleMerchant } from '../../support/settlement.ts'
import { waitForLocks } from '../../support/wait.ts'

// Two requests race for one order from the pools of two processes. One wins, the other is refused and changes nothing, each
// event is written once, and the sums hold (docs/spec/orders.md#racing).

const database = testDatabase({ leaves: ['due messages'] })
// A cluster takes several times as long for each.
const rounds = inject('server').of_workers.length > 0 ? 8 : 20
const clock = new TestClock(app_noon)

type Act = (
  services: Services,
  order_uuid: Awaited<ReturnType<typeof replacingOrder>>['order_uuid'],
) => Promise<unknown>

/** The outcome of each: `done`, or the kind of its refusal. */
async function race(left: () => Promise<unknown>, right: () => Promise<unknown>): Promise<string[]> {
  return Promise.all([outcomeOf(left()), outcomeOf(right())])
}

async function outcomeOf(act: Promise<unknown>): Promise<string> {
  try {
    await act
    return 'done'
  } catch (error) {
    if (error instanceof DomainError) return error.failure.kind
    throw error
  }
}

const move =
  (shop: Shop, action: 'authorize' | 'capture' | 'complete' | 'cancel'): Act =>
  (services, order_uuid) =>
    services.moveOrder(shop.merchant, order_uuid, { action })

async function twoPools(): Promise<[Services, Services]> {
  const [one, two] = [database.connect({ size: 2 }), database.connect({ size: 2 })]
  // Connected beforehand, so that neither has a head start.
  await Promise.all([one.isWritable(), two.isWritable()])
  return [servicesOn(one, { clock }), servicesOn(two, { clock })]
}

async function balanced(): Promise<void> {
  expect(await ledgerDifferences(database.owner)).toEqual([])
}

describe('two requests for one order', () => {
  it('two captures: one captures, the points move once', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    for (let round = 0; round < rounds; round += 1) {
      const { order_uuid, phone } = await replacingOrder(database.db, shop.merchant, { points: 1_000 })
      await one.moveOrder(shop.merchant, order_uuid, { action: 'authorize' })
      const capture = move(shop, 'capture')
      const outcomes = await race(
        () => capture(one, order_uuid),
        () => capture(two, order_uuid),
      )
      expect(outcomes.sort()).toEqual(['cannot_capture', 'done'])
      expect(await eventNamesOf(database.db, order_uuid)).toEqual(['authorized', 'captured'])
      expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([950, 0])
    }
    await balanced()
  })

  it('capture against cancel: captured and posted, or cancelled and released', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    for (let round = 0; round < rounds; round += 1) {
      const { order_uuid, phone } = await replacingOrder(database.db, shop.merchant, { points: 1_000 })
      await one.moveOrder(shop.merchant, order_uuid, { action: 'authorize' })
      const pair = [() => move(shop, 'capture')(one, order_uuid), () => move(shop, 'cancel')(two, order_uuid)] as const
      const [first, second] = round % 2 === 0 ? pair : [pair[1], pair[0]]
      const outcomes = await race(first, second)
      const captured = (await rowOf(database.db, order_uuid))['order_status'] === 'captured'
      expect(outcomes.sort()).toEqual([captured ? 'cannot_cancel' : 'cannot_capture', 'done'])
      const end = captured ? 'captured' : 'cancelled'
      expect(await eventNamesOf(database.db, order_uuid)).toEqual(['authorized', end])
      expect(await pointsOf(database.db, shop.merchant, phone)).toEqual(captured ? [950, 0] : [1_000, 0])
    }
    await balanced()
  })

  it.each(['capture', 'cancel'] as const)('%s that comes first wins over the other', async (earlier) => {
    const later = earlier === 'capture' ? 'cancel' : 'capture'
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 1_000 })
    await one.moveOrder(shop.merchant, order_uuid, { action: 'authorize' })
    const [first, second] = await database.owner.transaction(async (tx) => {
      await tx.run({
        text: 'select from orders where program_id = $1 and order_uuid = $2 for update',
        values: [shop.merchant.program_id, order_uuid],
      })
      const first = outcomeOf(move(shop, earlier)(one, order_uuid))
      await waitForLocks(database.owner, 1)
      const second = outcomeOf(move(shop, later)(two, order_uuid))
      await waitForLocks(database.owner, 2)
      return [first, second]
    })
    expect([await first, await second]).toEqual(['done', `cannot_${later}`])
  })

  it('complete against authorize: approved or authorized, never both', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    for (let round = 0; round < rounds; round += 1) {
      const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 1_000 })
      const pair = [
        () => move(shop, 'complete')(one, order_uuid),
        () => move(shop, 'authorize')(two, order_uuid),
      ] as const
      const [first, second] = round % 2 === 0 ? pair : [pair[1], pair[0]]
      const outcomes = await race(first, second)
      const approved = (await rowOf(database.db, order_uuid))['order_status'] === 'approved'
      expect(outcomes.sort()).toEqual(approved ? ['cannot_authorize', 'done'] : ['cannot_complete', 'done'])
      const names = await eventNamesOf(database.db, order_uuid)
      expect(names).toEqual(approved ? ['approved', 'completed'] : ['authorized'])
      if (!approved) await one.moveOrder(shop.merchant, order_uuid, { action: 'cancel' })
    }
    await balanced()
  })

  it('refund against refund: 60 of 100 asked twice is refunded once', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    for (let round = 0; round < rounds; round += 1) {
      const { order_uuid, phone } = await earningOrder(database.db, shop.merchant, { clock })
      const refund = (services: Services) =>
        services.refundOrder(shop.merchant, order_uuid, { amount_halalas: asHalalas(6_000), reason: null })
      const outcomes = await race(
        () => refund(one),
        () => refund(two),
      )
      expect(outcomes.sort()).toEqual(['done', 'refund_exceeds_left'])
      expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved', 'refunded'])
      expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([400, 0])
    }
    await balanced()
  })

  it('two full refunds: one succeeds; two partial refunds that fit: both succeed', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    for (const [amount, expected, left] of [
      [null, ['cannot_refund', 'done'], 0],
      [5_000, ['done', 'done'], 0],
    ] as const) {
      const { order_uuid, phone } = await earningOrder(database.db, shop.merchant, { clock })
      const amount_halalas = amount === null ? null : asHalalas(amount)
      const refund = (services: Services) =>
        services.refundOrder(shop.merchant, order_uuid, { amount_halalas, reason: null })
      const outcomes = await race(
        () => refund(one),
        () => refund(two),
      )
      expect(outcomes.sort()).toEqual(expected)
      expect(await pointsOf(database.db, shop.merchant, phone)).toEqual([left, 0])
    }
    await balanced()
  })

  it('a refund against a close: refunded before its end, or in the next period, or settled and refused', async () => {
    const [one, two] = [database.connect({ size: 2 }), database.connect({ size: 2 })]
    for (let round = 0; round < rounds; round += 1) {
      const shop = await oneShop(database.db)
      const { order_uuid } = await earningOrder(database.db, shop.merchant, { clock })
      const asked = { amount_halalas: asHalalas(4_000), reason: null }
      const refund = () => servicesOn(one, { clock }).refundOrder(shop.merchant, order_uuid, asked)
      const close = () => settleMerchant(two, clock, shop.merchant)
      const outcomes = await race(
        ...((round % 2 === 0 ? [refund, close] : [close, refund]) as [typeof refund, typeof close]),
      )
      const refunded = outcomes.every((outcome) => outcome === 'done')
      if (!refunded) expect(outcomes.sort()).toEqual(['done', 'order_settled'])
      const [settlement] = await database.db.run<{ net_points: string }>({
        text: 'select net_points from settlement where program_id = $1',
        values: [shop.merchant.program_id],
      })
      // The next period begins at the end of this close: read it from a later time.
      const later = new TestClock('2027-01-01T00:00:00.000Z')
      const { net_points } = await previewOf(database.db, later, shop.merchant)
      expect(['1000 0', '600 0', '1000 -400']).toContain(`${settlement?.net_points} ${net_points}`)
      expect(Number(settlement?.net_points) + Number(net_points)).toBe(refunded ? 600 : 1_000)
    }
    await balanced()
  })
})

describe('two orders of one customer', () => {
  it('need the same points after their holds expired: one is completed, the other refused', async () => {
    const shop = await oneShop(database.db)
    const [one, two] = await twoPools()
    const first = await replacingOrder(database.db, shop.merchant, { points: 1_000 })
    const second = await replacingOrder(database.db, shop.merchant, { phone: first.phone })
    await expireHold(database.db, shop.merchant, first.order_uuid)
    await database.owner.run({
      text: 'update orders set total_points = 1000, redeemed_halalas = 500 where order_uuid = $1',
      values: [second.order_uuid],
    })
    const complete = move(shop, 'complete')
    const outcomes = await race(
      () => complete(one, first.order_uuid),
      () => complete(two, second.order_uuid),
    )
    expect(outcomes.sort()).toEqual(['done', 'insufficient_points'])
    expect(await pointsOf(database.db, shop.merchant, first.phone)).toEqual([950, 0])
    await balanced()
  })
})

describe('activation', () => {
  it('against earnings: none stays pending, each is awarded once', async () => {
    const [one, two] = [database.connect({ size: 4 }), database.connect({ size: 2 })]
    for (let round = 0; round < rounds; round += 1) {
      const shop = await oneShop(database.db)
      const merchant = inProgram(shop.merchant, { activation: 'required' })
      const phone = freshPhone()
      const { earn } = servicesOn(one, { clock })
      await earn(earningOf(merchant, { phone }))
      const { program_id } = merchant
      const earning = earningOf(merchant, { phone })
      await Promise.all([earn(earning), activateCustomer(two, clock, { program_id, phone })])
      await activateCustomer(two, clock, { program_id, phone })
      expect(await pointsOf(database.db, merchant, phone)).toEqual([2_000, 0])
      const [waiting] = await database.db.run<{ waiting: number }>({
        text: 'select count(*)::int as waiting from pending_earning where program_id = $1 and order_uuid is null',
        values: [program_id],
      })
      expect(waiting?.waiting).toBe(0)
    }
    await balanced()
  })
})
