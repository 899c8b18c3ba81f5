import { describe, expect, it } from 'vitest'
import {
  decideEarnings,
  type Earning,
  type EarningFacts,
  type KnownCustomer,
  MAX_PENDING_EARNINGS,
  pointsOfMoneyPart,
} from '../../src/domain/earning.ts'
import { uuidV7Floor as idOf } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, DEFAULT_POINTS_PER_SAR, MAX_WALLET_POINTS, NO_POINTS } from '../../src/domain/points.ts'

// The effect of a batch of earnings on its customers: creation, names and invitations.

interface Asked {
  readonly phone: string
  readonly name?: string
  readonly points?: number
  readonly activation?: 'automatic' | 'required'
}

/** The earnings of one batch, one for each merchant number. */
function batchOf(...asked: readonly Asked[]): Earning[] {
  return asked.map(({ phone, name = null, points = 10, activation = 'required' }, index) => {
    const merchant = { merchant_id: index, account_id: idOf(index), program: { activation } } as Merchant
    const ids = { order_uuid: idOf(100 + index), transfer_id: idOf(200 + index), event_id: idOf(300 + index) }
    const amounts = {
      total_halalas: asHalalas(1_000),
      shipping_halalas: null,
      tax_halalas: null,
      discount_halalas: null,
    }
    const texts = { shipping_address: null, items: null, metadata: null, audit: null, order_number: `${index}` }
    const whose = { merchant, phone: phone as Phone, name, customer_id: idOf(400 + index) }
    return { source: 'purchase', points: asPoints(points), ...whose, ...ids, ...amounts, ...texts }
  })
}

function known(number: number, phone: string, changes: Partial<KnownCustomer> = {}): KnownCustomer {
  const wallet = { posted: NO_POINTS, held: NO_POINTS, version: 0, waiting: NO_POINTS, waiting_earnings: 0 }
  return { customer_id: idOf(number), phone: phone as Phone, status: 'active', named: false, ...wallet, ...changes }
}

function decide(batch: readonly Earning[], ...customers: readonly KnownCustomer[]) {
  const facts: EarningFacts = {
    locked: new Set(batch.map(({ merchant }) => merchant.merchant_id)),
    customers: new Map(customers.map((customer) => [customer.phone, customer])),
    repeats: [],
    now: new Date('2026-02-01T09:00:00.000Z'),
    lock_window_s: 10,
  }
  return decideEarnings(batch, facts)
}

describe('a new customer', () => {
  it('is invited once, in the name of the merchant whose earning came first', () => {
    const { newCustomers, invitations } = decide(batchOf({ phone: 'a' }, { phone: 'b' }, { phone: 'a' }))
    expect(newCustomers.map(({ status }) => status)).toEqual(['invited', 'invited'])
    expect(invitations).toEqual([
      { customer_id: idOf(400), merchant_id: 0 },
      { customer_id: idOf(401), merchant_id: 1 },
    ])
  })

  it('who is active at once is not invited', () => {
    const { newCustomers, invitations } = decide(batchOf({ phone: 'a', activation: 'automatic' }))
    expect(newCustomers.map(({ status }) => status)).toEqual(['active'])
    expect(invitations).toEqual([])
  })

  it('of a refused earning is neither made nor invited', () => {
    const { newCustomers, invitations } = decide(batchOf({ phone: 'a', points: 100_000_000_000_001 }))
    expect([newCustomers, invitations]).toEqual([[], []])
  })
})

describe('a known customer', () => {
  it('without a name gets that of the first accepted earning that has one', () => {
    const full = asPoints(100_000_000_000_000)
    const batch = batchOf({ phone: 'a' }, { phone: 'a', name: 'Sara' }, { phone: 'a', name: 'Nora' })
    expect(decide(batch, known(1, 'a')).names).toEqual([{ customer_id: idOf(1), name: 'Sara' }])
    expect(decide(batch, known(1, 'a', { posted: full })).names).toEqual([])
  })

  it('with a name keeps it, and is not invited again', () => {
    const batch = batchOf({ phone: 'a', name: 'Sara' }, { phone: 'b', name: 'Nora' })
    const { names, invitations } = decide(
      batch,
      known(1, 'a', { named: true }),
      known(2, 'b', { named: true, status: 'invited' }),
    )
    expect([names, invitations]).toEqual([[], []])
  })

  it('is named in the order of the customers’ ids, which is the order of their locks', () => {
    const batch = batchOf({ phone: 'b', name: 'Nora' }, { phone: 'a', name: 'Sara' })
    const ids = decide(batch, known(1, 'a'), known(2, 'b')).names.map(({ customer_id }) => customer_id)
    expect(ids).toEqual([idOf(1), idOf(2)])
  })
})

describe('earnings that wait', () => {
  const invited = (waiting_earnings: number) => known(1, 'a', { status: 'invited', waiting_earnings })
  const batch = batchOf({ phone: 'a', points: 0 }, { phone: 'b' }, { phone: 'a' })
  const kindsOf = (customer: KnownCustomer) => decide(batch, customer).decisions.map(({ kind }) => kind)

  it.each([
    ['have room for two', MAX_PENDING_EARNINGS - 2, ['pend', 'pend', 'pend']],
    ['have room for one of two in a batch', MAX_PENDING_EARNINGS - 1, ['pend', 'pend', 'refuse']],
    ['have no room, those of others have', MAX_PENDING_EARNINGS, ['refuse', 'pend', 'refuse']],
    ['were more in an older version', MAX_PENDING_EARNINGS + 7, ['refuse', 'pend', 'refuse']],
  ])('%s', (_, before, kinds) => {
    expect(kindsOf(invited(before))).toEqual(kinds)
  })

  it('are refused on the phone number, whatever they earn for', () => {
    const [refused] = decide(batch, invited(MAX_PENDING_EARNINGS)).decisions
    const errors = [{ field: 'phone_number', rule: 'pending_full', limit: '1,000' }]
    expect(refused).toMatchObject({ kind: 'refuse', failure: { kind: 'validation', errors } })
  })

  it('do not name a customer whose earning is refused', () => {
    expect(decide(batchOf({ phone: 'a', name: 'Sara' }), invited(MAX_PENDING_EARNINGS)).names).toEqual([])
  })

  it('have no bound in a new batch before it is reached', () => {
    const { decisions } = decide(batchOf(...Array.from({ length: 100 }, () => ({ phone: 'new' }))))
    expect(new Set(decisions.map(({ kind }) => kind))).toEqual(new Set(['pend']))
  })
})

describe('the points of the money part of a paid order', () => {
  const merchant = { points_per_sar_e4: DEFAULT_POINTS_PER_SAR }
  const order = {
    total_halalas: asHalalas(10_000),
    redeemed_halalas: asHalalas(4_000),
    redeemed_points: asPoints(8_000),
  }
  const wallet = { posted: asPoints(8_000), waiting: NO_POINTS, erased: false }

  it.each([
    ['those of a purchase of the money part', wallet, 600],
    ['none without a customer', null, 0],
    ['none for an erased customer', { ...wallet, erased: true }, 0],
    ['what a nearly full wallet has room for', { ...wallet, waiting: asPoints(MAX_WALLET_POINTS - 50) }, 50],
    ['all in a full wallet that the redeemed points leave', { ...wallet, posted: MAX_WALLET_POINTS }, 600],
    ['what the redeemed points leave room for', { ...wallet, posted: asPoints(MAX_WALLET_POINTS + 7_900) }, 100],
    ['none in a wallet that stays full', { ...wallet, posted: asPoints(MAX_WALLET_POINTS + 9_000) }, 0],
  ])('are %s', (_, of, points) => {
    expect(pointsOfMoneyPart(merchant, order, of)).toBe(points)
  })
})
