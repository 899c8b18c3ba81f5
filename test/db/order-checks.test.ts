import { beforeAll, describe, expect, it } from 'vitest'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import {
  type Move,
  type OrderState,
  type OrderType,
  orderStates,
  orderTable,
  storedStates,
} from '../../src/domain/order.ts'
import { asPoints } from '../../src/domain/points.ts'
import { decideRefund, type RefundFacts } from '../../src/domain/refund.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, walletOf } from '../support/earnings.ts'

// Guarantee: the CHECKs of the orders table accept exactly what the order table of the domain allows.

const database = testDatabase()
let merchant: Merchant
let customer_id: string

beforeAll(async () => {
  const [made] = await earningMerchants(database.db, 1)
  if (made === undefined) throw new Error('no merchant was made')
  merchant = made
  customer_id = (await walletOf(database.owner, merchant.program_id, '500000001'))?.customer_id ?? ''
})

const types = ['earning', 'replacing'] as const

interface Row {
  readonly type: OrderType
  readonly state: OrderState
  readonly paid: boolean
  readonly total: number
  readonly refunded: number
}

/** Rolls a transaction back whose order was accepted. A statement outside one would end its connection where it is refused. */
class Accepted extends Error {}

/** True if the database accepts the order, which is rolled back. Throws any error other than that of a CHECK. */
async function accepts({ type, state, paid, total, refunded }: Row, columns: Record<string, unknown> = {}) {
  const row: Record<string, unknown> = {
    program_id: merchant.program_id,
    order_uuid: newUuid(),
    merchant_id: merchant.merchant_id,
    customer_id,
    type: type === 'earning' ? 1 : 2,
    source: type === 'earning' ? 'purchase' : 'checkout',
    reference_number: newUuid(),
    order_number: newUuid(),
    order_status: state,
    total_halalas: total,
    total_points: 10,
    earned_points: 10,
    refunded_halalas: refunded,
    paid_at: paid ? new Date() : null,
    authorized_at: state === 'authorized' || state === 'captured' ? new Date() : null,
    created_at: new Date(),
    updated_at: new Date(),
    ...columns,
  }
  const names = Object.keys(row)
  const text = `insert into orders (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`
  try {
    await database.owner.transaction(async (tx) => {
      await tx.run({ text, values: Object.values(row) })
      throw new Accepted()
    })
  } catch (error) {
    if (error instanceof Accepted) return true
    if (error instanceof Error && 'code' in error && error.code === '23514') return false
    throw error
  }
  throw new Error('the order was stored')
}

const moves = (state: OrderState): Move[] => Object.values(orderTable[state])

/** The states that an order of a type can reach. */
function reachable(type: OrderType): Set<OrderState> {
  const found = new Set<OrderState>(['new'])
  for (const state of found) for (const { by, to } of moves(state)) if (by === 'both' || by === type) found.add(to)
  return found
}

/** True for orders that were awarded or settled, refunded or not. */
const paidStates = new Set<OrderState>(
  orderStates.flatMap(moves).flatMap(({ points, to }) => (/^(earn|settle|give back)$/.test(points) ? [to] : [])),
)

function isRefundOf({ state, total, refunded }: Row): boolean {
  if (state === 'fully_refunded') return refunded === total
  if (state === 'partially_refunded') return refunded > 0 && refunded < total
  return refunded === 0
}

describe.each(types)('an order of type %s', (type) => {
  it('is stored in every reachable state, except for one that it leaves in the same transaction', () => {
    const reached = reachable(type)
    if (type === 'earning') reached.delete('new')
    expect(new Set<OrderState>(storedStates[type])).toEqual(reached)
  })

  it.each(orderStates)('in the state %s is accepted exactly if the domain allows it', async (state) => {
    const stored: readonly OrderState[] = storedStates[type]
    let accepted = 0
    for (const paid of [true, false]) {
      for (const total of [0, 1, 100]) {
        for (const refunded of [-1, 0, 1, 99, 100, 101]) {
          const row = { type, state, paid, total, refunded }
          const expected = stored.includes(state) && paid === paidStates.has(state) && isRefundOf(row)
          expect(await accepts(row), JSON.stringify(row)).toBe(expected)
          accepted += expected ? 1 : 0
        }
      }
    }
    expect(accepted > 0).toBe(stored.includes(state))
  })

  it('is accepted after every refund that the domain allows', async () => {
    let granted = 0
    for (const total of [0, 1, 100]) {
      for (const before of [0, 1, 50]) {
        for (const amount of [null, 0, 1, 49, 50, 99, 100]) {
          const facts = refundable(type, total, before)
          const refund = decideRefund(facts, amount === null ? null : asHalalas(amount), 0)
          if (refund.kind !== 'refund') continue
          granted += 1
          const refunded = before + refund.refund_halalas
          const row = { type, state: refund.transition.to, paid: true, total, refunded }
          const columns = { reversed_points: refund.reversed_points, returned_points: refund.returned_points }
          expect(await accepts(row, columns), JSON.stringify(row)).toBe(true)
        }
      }
    }
    expect(granted).toBeGreaterThan(15)
  })
})

function refundable(type: OrderType, total: number, refunded: number): RefundFacts {
  return {
    type,
    state: refunded === 0 ? 'approved' : 'partially_refunded',
    total_halalas: asHalalas(Math.max(total, refunded)),
    refunded_halalas: asHalalas(refunded),
    earned_points: asPoints(10),
    redeemed_points: asPoints(type === 'earning' ? 0 : 10),
    provider_paid_halalas: asHalalas(0),
    paid_at_ms: 0,
    refund_window_days: 30,
    settled: false,
    wallet: null,
  }
}

describe('an invalid order is refused', () => {
  const approved = { state: 'approved', paid: true, total: 100, refunded: 0 } as const
  const earning = { type: 'earning', ...approved } as const
  const replacing = { type: 'replacing', ...approved } as const
  const fresh = { type: 'replacing', state: 'new', paid: false, total: 100, refunded: 0 } as const

  // biome-ignore format: one row per rule
  it.each([
    ['an earning order of a checkout',                   earning,   { source: 'checkout' }],
    ['a replacing order of a rating',                    replacing, { source: 'store_rating' }],
    ['an earning order of nobody',                       earning,   { customer_id: null }],
    ['a replacing order that redeems points of nobody',  fresh,     { customer_id: null }],
    ['an earning order that redeems or returns points',  earning,   { returned_points: 1 }],
    ['an earning order whose record is not what it earned', earning, { earned_points: 9 }],
    ['one that takes back more than it gave',            earning,   { reversed_points: 11 }],
    ['one that returns more than was redeemed',          replacing, { returned_points: 11 }],
    ['one that takes back less than nothing',            earning,   { reversed_points: -1 }],
    ['one of a negative amount',                         { ...earning, total: -1 }, {}],
    ['one beyond the largest amount',                    { ...earning, total: 1_000_000_000_000 }, {}],
    ['one with negative shipping',                       earning,   { shipping_halalas: -1 }],
    ['one with half a label',                            earning,   { label_ar: 'x' }],
    ['one with an unknown shipping status',              earning,   { shipping_status: 'lost' }],
  ] as const)('%s', async (_, row, columns) => {
    expect(await accepts(row, columns)).toBe(false)
  })

  it('and accepted without the fault', async () => {
    for (const row of [earning, replacing, fresh]) expect(await accepts(row)).toBe(true)
    expect(await accepts(fresh, { customer_id: null, total_points: 0 })).toBe(true)
    expect(await accepts(earning, { label_ar: 'x', label_en: 'y' })).toBe(true)
  })
})
