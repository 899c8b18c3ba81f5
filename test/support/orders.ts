import type { Database } from '../../src/db/pool.ts'
import { postFacts } from '../../src/db/posting.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, DEFAULT_SAR_PER_POINT, pointsValue } from '../../src/domain/points.ts'
import { rateAt } from '../../src/domain/rates.ts'
import { terms } from '../../src/domain/terms.ts'
import { insertConsent } from '../../src/features/customers/queries.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { writeHold } from '../../src/features/orders/queries.ts'
import { changeOrder } from '../../src/features/orders/service.ts'
import { newReferenceNumber, newUuid } from '../../src/lib/ids.ts'
import { earningOf, freshPhone, TestClock, walletOf } from './earnings.ts'

const values = { hold: DEFAULT_SAR_PER_POINT, release: DEFAULT_SAR_PER_POINT }
const before = new TestClock('2026-01-31T12:00:00.000Z')

/** A customer of a merchant with points from a purchase there, who has agreed to the terms; the phone is new unless given. */
export async function customerWith(
  db: Database,
  merchant: Merchant,
  { points, phone = freshPhone(), agrees = true }: { points: number; phone?: Phone; agrees?: boolean },
): Promise<Phone> {
  // 10 points a SAR: a point is ten halalas.
  const earning = earningOf(merchant, { total: points * 10, phone, order_number: `fund-${newUuid()}` })
  await createEarn({ db, clock: before, lock_window_s: 10 })(earning)
  const { program_id } = merchant
  const customer = agrees ? await walletOf(db, program_id, phone) : undefined
  if (customer !== undefined) {
    const consent = {
      program_id,
      consent_uuid: newUuid(),
      customer_id: customer.customer_id as Uuid,
      created_at: before.now(),
    }
    await db.run(insertConsent({ ...consent, terms_version: terms.version, locale: 'ar', source: 'wallet' }))
  }
  return phone
}

export interface Replacing {
  readonly total?: number
  /** Confirmed by the customer, and held. */
  readonly points?: number
  readonly phone?: Phone | null
  readonly metadata?: object | null
}

export interface MadeOrder {
  readonly order_uuid: Uuid
  readonly phone: Phone | null
}

/**
 * A `new` replacing order of 100 SAR, as the hosted checkout leaves it: with points held once the customer has confirmed.
 * `phone: null` is an order whose customer is not known.
 */
export async function replacingOrder(db: Database, merchant: Merchant, asked: Replacing = {}): Promise<MadeOrder> {
  const { total = 10_000, points = 0, metadata = null } = asked
  const phone =
    asked.phone === undefined ? await customerWith(db, merchant, { points: Math.max(points, 1) }) : asked.phone
  const { program_id, merchant_id, program } = merchant
  const customer = phone === null ? undefined : await walletOf(db, program_id, phone)
  const order_uuid = newUuid()
  const redeemed = Math.min(total, pointsValue(asPoints(points), rateAt(program.rates, new Date())))
  const now = before.now()
  await db.run({
    text: `insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number,
        order_number, order_status, total_halalas, total_points, redeemed_halalas, metadata, created_at, updated_at)
      values ($1, $2, $3, $4, 2, 'checkout', $5, $6, 'new', $7, $8, $9, $10, $11, $11)`,
    values: [
      ...[program_id, order_uuid, merchant_id, customer?.customer_id ?? null, newReferenceNumber()],
      ...[`web-${order_uuid.slice(-6)}`, total, points, redeemed, metadata && JSON.stringify(metadata), now],
    ],
  })
  if (points > 0) await hold(db, merchant, order_uuid, points)
  return { order_uuid, phone }
}

/** Holds the points that the customer confirmed. */
export async function hold(db: Database, merchant: Merchant, order_uuid: Uuid, points: number): Promise<void> {
  const now = before.now()
  await changeOrder(db, merchant, order_uuid, async (tx, { program_id, wallet }) => {
    if (wallet === null) throw new Error('an order without a customer holds nothing')
    const held = { hold_id: newUuid(), points: asPoints(points) }
    const fact = { kind: 'hold', cause: held.hold_id, points: held.points, wallet: wallet.account_id } as const
    const { transfers } = postFacts(tx, { program_id, now, order_uuid, wallet, facts: [fact], values, newId: newUuid })
    const row = { ...held, program_id, order_uuid, account_id: wallet.account_id, state: 'open', made: true } as const
    void tx.run(writeHold({ ...row, hold_transfer_id: transfers.get(fact), end_transfer_id: undefined }, now))
  })
}

/** Ends the hold of an order as an expiry does: the points are free again, and the order keeps their number. */
export async function expireHold(db: Database, merchant: Merchant, order_uuid: Uuid): Promise<void> {
  const now = before.now()
  await changeOrder(db, merchant, order_uuid, async (tx, { program_id, wallet, hold: open }) => {
    if (wallet === null || open === null) throw new Error('this order holds nothing')
    const fact = { kind: 'release', cause: open.hold_id, points: open.points, wallet: wallet.account_id } as const
    const { transfers } = postFacts(tx, { program_id, now, order_uuid, wallet, facts: [fact], values, newId: newUuid })
    const row = {
      ...open,
      program_id,
      order_uuid,
      account_id: wallet.account_id,
      state: 'released',
      made: false,
    } as const
    void tx.run(writeHold({ ...row, hold_transfer_id: undefined, end_transfer_id: transfers.get(fact) }, now))
  })
}

/** An approved earning order. */
export async function earningOrder(
  db: Database,
  merchant: Merchant,
  { total = 10_000, phone = freshPhone(), clock = before } = {},
): Promise<{ readonly order_uuid: Uuid; readonly phone: Phone }> {
  const earning = earningOf(merchant, { total, phone })
  await createEarn({ db, clock, lock_window_s: 10 })(earning)
  return { order_uuid: earning.order_uuid, phone }
}

export interface WrittenEvent {
  readonly name: string
  readonly payload: Record<string, unknown>
}

/** The events of an order, in the order of their ids. */
export async function eventsOf(db: Database, order_uuid: string): Promise<WrittenEvent[]> {
  return db.run<WrittenEvent>({
    text: 'select name, payload from event where order_uuid = $1 order by event_id',
    values: [order_uuid],
  })
}

/** The names of an order's events. */
export async function eventNamesOf(db: Database, order_uuid: string): Promise<string[]> {
  return (await eventsOf(db, order_uuid)).map(({ name }) => name)
}

/** The row of an order, as stored. */
export async function rowOf(db: Database, order_uuid: string): Promise<Record<string, unknown>> {
  const row = await db.one<Record<string, unknown>>({
    text: 'select * from orders where order_uuid = $1',
    values: [order_uuid],
  })
  if (row === undefined) throw new Error('there is no such order')
  return row
}

/** All rows of an order and its customer that a change may touch, to compare before and after. */
export async function everythingOf(db: Database, order_uuid: string): Promise<unknown> {
  const [order, events, holds, refunds, wallets, transfers] = await Promise.all(
    [
      'select * from orders where order_uuid = $1',
      'select event_id from event where order_uuid = $1 order by event_id',
      'select * from hold where order_uuid = $1 order by hold_id',
      'select * from order_refund where order_uuid = $1 order by refund_uuid',
      'select a.* from orders o join account a on a.program_id = o.program_id and a.account_id = o.customer_id where o.order_uuid = $1',
      'select transfer_id from transfer where order_uuid = $1 order by transfer_id',
    ].map((text) => db.run({ text, values: [order_uuid] })),
  )
  return { order, events, holds, refunds, wallets, transfers }
}

/** Balances of a phone: what is posted and what is held. */
export async function pointsOf(db: Database, { program_id }: Merchant, phone: Phone | null): Promise<[number, number]> {
  const wallet = phone === null ? undefined : await walletOf(db, program_id, phone)
  if (wallet === undefined) throw new Error('nobody has this phone')
  return [wallet.posted, wallet.held]
}
