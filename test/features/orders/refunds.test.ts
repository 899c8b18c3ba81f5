import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import type { PaymentDone, PaymentError, PaymentRecord } from '../../../src/providers/payment/port.ts'
import { answerOf, appAtNoon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { earningOrder, eventNamesOf, everythingOf, pointsOf, replacingOrder, rowOf } from '../../support/orders.ts'
import { performDue, providersOf, providerThat } from '../../support/payments.ts'
import { settleMerchant } from '../../support/settlement.ts'

// docs/spec/orders.md#refund. The ledger is verified at the end of the file.

const database = testDatabase({ leaves: ['due payment tasks'] })
const app = appAtNoon(database)
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

const refund = async (order_uuid: string, json?: object, of: Shop = shop) =>
  answerOf(await app.actBy(of, order_uuid, 'refund', json))

const points = (phone: Parameters<typeof pointsOf>[2]) => pointsOf(database.db, shop.merchant, phone)
const earned = (total?: number) =>
  earningOrder(database.db, shop.merchant, { clock: app.clock, ...(total === undefined ? {} : { total }) })

describe('a refund', () => {
  it('without an amount refunds everything; total_points and total_price stay as a record', async () => {
    const { order_uuid, phone } = await earned()
    expect((await refund(order_uuid)).data).toMatchObject({
      order_status: 'fully_refunded',
      total_points: 1_000,
      total_price: 100,
      settlement_status: null,
    })
    expect(await points(phone)).toEqual([0, 0])
  })

  it.each([{ amount: null }, {}, { amount: 100 }, { amount: null, reason: '' }])(
    'with %j refunds everything',
    async (body) => {
      const { order_uuid } = await earned()
      expect((await refund(order_uuid, body)).data).toMatchObject({ order_status: 'fully_refunded' })
    },
  )

  it('in parts is exact to the point; each part fires refunded, the last ends the order', async () => {
    const { order_uuid, phone } = await earned()
    const left: number[] = []
    for (const amount of [33.34, 33.33, 33.33]) {
      await refund(order_uuid, { amount })
      left.push((await points(phone))[0])
    }
    expect(left).toEqual([667, 333, 0])
    expect(await eventNamesOf(database.db, order_uuid)).toEqual(['approved', 'refunded', 'refunded', 'refunded'])
    expect(await rowOf(database.db, order_uuid)).toMatchObject({
      order_status: 'fully_refunded',
      reversed_points: 1_000,
    })
  })

  it('of a replacing order returns redeemed points and takes back those earned on its money', async () => {
    const { order_uuid, phone } = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
    await app.actBy(shop, order_uuid, 'complete')
    expect(await points(phone)).toEqual([800, 0])
    await refund(order_uuid, { amount: 25 })
    expect(await points(phone)).toEqual([800 + 1_000 - 200, 0])
    await refund(order_uuid)
    expect(await points(phone)).toEqual([4_000, 0])
  })

  it('uses the recorded points, not the rates of today', async () => {
    const other = await oneShop(database.db)
    const { order_uuid, phone } = await earningOrder(database.db, other.merchant, { clock: app.clock })
    await database.owner.run({
      text: 'update merchant set points_per_sar_e4 = 0 where program_id = $1',
      values: [other.merchant.program_id],
    })
    expect((await refund(order_uuid, undefined, other)).status).toBe(200)
    expect(await pointsOf(database.db, other.merchant, phone)).toEqual([0, 0])
  })

  it('takes back points that are spent: the wallet becomes negative, and later earnings fill it', async () => {
    const { order_uuid, phone } = await earned()
    const spending = await replacingOrder(database.db, shop.merchant, { phone, total: 500, points: 1_000 })
    await app.actBy(shop, spending.order_uuid, 'complete')
    await refund(order_uuid)
    expect(await points(phone)).toEqual([-1_000, 0])
    await earningOrder(database.db, shop.merchant, { phone, total: 15_000 })
    expect(await points(phone)).toEqual([500, 0])
  })

  it('of an order whose total is 0 needs no amount, or 0', async () => {
    for (const body of [{ amount: 0 }, undefined]) {
      const { order_uuid } = await earned(0)
      expect((await refund(order_uuid, body)).data).toMatchObject({ order_status: 'fully_refunded' })
    }
  })
})

describe('a refund is refused and changes nothing', () => {
  async function refused(order_uuid: string, body: object | undefined, message: RegExp, of = shop): Promise<void> {
    const before = await everythingOf(database.db, order_uuid)
    expect(await refund(order_uuid, body, of)).toMatchObject({ status: 400, message: expect.stringMatching(message) })
    expect(await everythingOf(database.db, order_uuid)).toEqual(before)
  }

  it('for a halala more than is left', async () => {
    const { order_uuid } = await earned()
    await refused(order_uuid, { amount: 100.01 }, /more than what is left/)
    await refund(order_uuid, { amount: 60 })
    await refused(order_uuid, { amount: 40.01 }, /more than what is left/)
  })

  it('for 0, and for an amount that rounds to 0', async () => {
    const { order_uuid } = await earned()
    for (const amount of [0, 0.004]) await refused(order_uuid, { amount }, /must be more than 0/)
  })

  it('after the window in business time; its last millisecond still counts', async () => {
    const window_s = 30 * 86_400
    const clock = new TestClock(app.clock.now())
    const [first, second] = [await earned(), await earned()]
    const refundAt = (at: TestClock, order_uuid: typeof first.order_uuid) =>
      servicesOn(database.db, { clock: at }).refundOrder(shop.merchant, order_uuid, {
        amount_halalas: asHalalas(100),
        reason: null,
      })
    clock.advance(window_s)
    expect(await refundAt(clock, first.order_uuid)).toMatchObject({ order_status: 'partially_refunded' })
    clock.advance(0.001)
    await expect(refundAt(clock, second.order_uuid)).rejects.toMatchObject({ failure: { kind: 'refund_window_over' } })
    await expect(refundAt(clock, first.order_uuid)).rejects.toMatchObject({ failure: { kind: 'refund_window_over' } })
  })

  it('once the order is settled', async () => {
    const other = await oneShop(database.db)
    const { order_uuid } = await earningOrder(database.db, other.merchant, { clock: app.clock })
    await settleMerchant(database.db, app.clock, other.merchant)
    await refused(order_uuid, undefined, /already settled/, other)
  })
})

describe('money that a provider collected', () => {
  type Answers = { query: PaymentRecord | PaymentError; refund: PaymentDone | PaymentError }
  const paid: PaymentRecord = {
    kind: 'payment',
    provider_reference: 'PT-1',
    state: 'paid',
    amount_halalas: asHalalas(8_000),
    refunded_halalas: asHalalas(0),
    refund_uuids: [],
  }
  const done: PaymentDone = { kind: 'done', reference: 'PT-R-1' }

  /** A captured order of 100 SAR, 80 of which a provider collected, and a provider with these answers. */
  async function collected(answers: Partial<Answers>) {
    const { order_uuid } = await replacingOrder(database.db, shop.merchant, { points: 4_000 })
    await app.actBy(shop, order_uuid, 'complete')
    const { program_id } = shop.merchant
    await database.db.run({
      text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference,
          amount_halalas, state, created_at, updated_at)
        values ($1, $2, $3, 'paytabs', 'PT-1', 8000, 'paid', $4, $4)`,
      values: [program_id, newUuid(), order_uuid, app.clock.now()],
    })
    const asked: unknown[] = []
    let known = 0
    const paytabs = providerThat({
      query: async () => answers.query ?? paid,
      async refund(request) {
        asked.push(request)
        return answers.refund ?? done
      },
    })
    const services = servicesOn(database.db, { clock: app.clock })
    const refundIt = async (amount: number | null) => {
      const amount_halalas = amount === null ? null : asHalalas(amount)
      const order = await services.refundOrder(shop.merchant, order_uuid, { amount_halalas, reason: 'Broken' })
      expect(asked.length).toBe(known)
      await performDue(database.db, providersOf({ paytabs }))
      known = asked.length
      return order
    }
    return { order_uuid, asked, refundIt }
  }

  async function legsOf(order_uuid: string) {
    const rows = await database.db.run<{ provider_halalas: number; provider_state: string }>({
      text: 'select provider_halalas, provider_state from order_refund where order_uuid = $1 order by created_at, refund_uuid',
      values: [order_uuid],
    })
    return rows.map(({ provider_halalas, provider_state }) => [provider_halalas, provider_state])
  }

  it('is paid back by its share of the total, exact over all parts', async () => {
    const { order_uuid, asked, refundIt } = await collected({})
    await refundIt(3_333)
    await refundIt(3_333)
    await refundIt(null)
    expect(asked.map((one) => (one as { amount_halalas: number }).amount_halalas)).toEqual([2_666, 2_667, 2_667])
    expect(asked[0]).toMatchObject({ provider_reference: 'PT-1', reason: 'Broken' })
    expect(await legsOf(order_uuid)).toEqual([
      [2_666, 'done'],
      [2_667, 'done'],
      [2_667, 'done'],
    ])
  })

  it.each([
    ['the provider refuses', { refund: { kind: 'refused', detail: '' } }, 'refused', 1],
    ['the provider does not know the payment', { query: { kind: 'not_found', detail: '' } }, 'refused', 0],
    ['the answer is lost', { refund: { kind: 'unknown', detail: '' } }, 'due', 1],
    ['the provider is away', { query: { kind: 'unknown', detail: '' } }, 'due', 0],
    ['our credentials are wrong', { query: { kind: 'credentials', detail: '' } }, 'due', 0],
  ] as const)('when %s, the refund stands and its money leg says so', async (_, answers, state, times) => {
    const { order_uuid, asked, refundIt } = await collected(answers)
    expect(await refundIt(null)).toMatchObject({ order_status: 'fully_refunded' })
    expect(asked.length).toBe(times)
    expect(await legsOf(order_uuid)).toEqual([[8_000, state]])
  })

  it('is not paid back twice when a second attempt finds that the first was done', async () => {
    const { order_uuid, refundIt } = await collected({ refund: { kind: 'unknown', detail: 'no answer' } })
    await refundIt(null)
    const [row] = await database.db.run<{ refund_uuid: Uuid }>({
      text: 'select refund_uuid from order_refund where order_uuid = $1',
      values: [order_uuid],
    })
    if (row === undefined) throw new Error('no refund was written')
    const paytabs = providerThat({ query: async () => ({ ...paid, refund_uuids: [row.refund_uuid] }) })
    const later = (hours: number) => ({ at_ms: Date.now() + hours * 3_600_000, onError: () => undefined })
    await performDue(database.db, providersOf({}), later(1))
    expect(await legsOf(order_uuid)).toEqual([[8_000, 'due']])
    await performDue(database.db, providersOf({ paytabs }), later(3))
    expect(await legsOf(order_uuid)).toEqual([[8_000, 'done']])
  })

  it('is not paid back by us where the merchant collects', async () => {
    const { order_uuid } = await earned()
    await refund(order_uuid)
    expect(await legsOf(order_uuid)).toEqual([[0, 'none']])
  })
})
