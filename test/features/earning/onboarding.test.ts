import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { terms } from '../../../src/domain/terms.ts'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import { createOnboarding, type OnboardRequest } from '../../../src/features/earning/onboarding.ts'
import { createEarn } from '../../../src/features/earning/service.ts'
import { testDatabase } from '../../support/database.ts'
import {
  countRows,
  earningMerchants,
  earningOf,
  freshPhone,
  oneMerchant,
  refusalOf,
  TestClock,
  walletOf,
} from '../../support/earnings.ts'
import { eventsOf, rowOf } from '../../support/orders.ts'

// docs/spec/customers.md#onboarding. The file's end checks that the ledger balances.

const database = testDatabase({ leaves: ['due messages'] })
const clock = new TestClock('2026-02-01T09:00:00.000Z')

const required = { activation: 'required' } as const

const earnOn = (db: Database = database.db) => createEarn({ db, clock, lock_window_s: 10 })
const onboardingOn = (db: Database = database.db) => createOnboarding({ db, clock })
const onboard = (request: OnboardRequest) => onboardingOn().onboard(request)
const findCustomerOf = (program_id: number, phone: Phone) => onboardingOn().findCustomerOf(program_id, phone)

function joining(merchant: Merchant, phone: Phone, changes: Partial<OnboardRequest> = {}): OnboardRequest {
  const { program_id } = merchant
  const agreed = { terms_version: terms.version, locale: 'ar', source: 'wallet' } as const
  return { program_id, phone, name: 'سارة', ...agreed, ...changes }
}

function consentsOf({ program_id }: Merchant, customer_id: string) {
  return database.owner.run<Record<string, unknown>>({
    text: 'select terms_version, locale, source, created_at from consent where program_id = $1 and customer_id = $2',
    values: [program_id, customer_id],
  })
}

function waitingOf({ program_id }: Merchant) {
  return database.owner.run({
    text: 'select pending_uuid from pending_earning where program_id = $1 and order_uuid is null',
    values: [program_id],
  })
}

describe('onboarding', () => {
  it('makes an unknown customer active, with a name, an empty wallet and the consent; earnings are awarded from then on', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = freshPhone()
    expect(await findCustomerOf(merchant.program_id, phone)).toEqual({ kind: 'unknown', customer_id: null, name: null })
    const { customer_id, orders_created } = await onboard(joining(merchant, phone, { name: '  Sara \n Ali ' }))
    expect(orders_created).toBe(0)
    expect(await findCustomerOf(merchant.program_id, phone)).toEqual({ kind: 'active', customer_id, name: 'Sara Ali' })
    expect(await walletOf(database.db, merchant.program_id, phone)).toEqual({
      ...{ customer_id, status: 'active', name: 'Sara Ali' },
      ...{ posted: 0, held: 0, version: 0 },
    })
    expect(await consentsOf(merchant, customer_id)).toEqual([
      { terms_version: terms.version, locale: 'ar', source: 'wallet', created_at: clock.now() },
    ])
    expect(await earnOn()(earningOf(merchant, { phone }))).toMatchObject({ kind: 'order' })
  })

  it('turns the pending earnings of an invited customer into orders with events, and keeps the name that the customer gives', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = freshPhone()
    const earnings = [earningOf(merchant, { phone, name: 'Sra' }), earningOf(merchant, { phone })]
    for (const earning of earnings) await earnOn()(earning)
    expect(await findCustomerOf(merchant.program_id, phone)).toMatchObject({ kind: 'invited', name: 'Sra' })
    expect(await onboard(joining(merchant, phone))).toMatchObject({ orders_created: 2 })
    expect(await walletOf(database.db, merchant.program_id, phone)).toMatchObject({ name: 'سارة', posted: 2_000 })
    for (const { order_uuid } of earnings) {
      expect(await rowOf(database.db, order_uuid)).toMatchObject({ order_status: 'approved', earned_points: 1_000 })
      expect((await eventsOf(database.db, order_uuid)).map(({ name }) => name)).toEqual(['approved'])
    }
    expect(await waitingOf(merchant)).toEqual([])
  })

  it('changes only the consent and the name of an active customer', async () => {
    const merchant = await oneMerchant(database.db, { activation: 'automatic' })
    const [named, nameless] = [freshPhone(), freshPhone()]
    await earnOn()(earningOf(merchant, { phone: named, name: 'Huda' }))
    await earnOn()(earningOf(merchant, { phone: nameless }))
    for (const phone of [named, nameless]) {
      const { customer_id } = await onboard(joining(merchant, phone))
      expect(await consentsOf(merchant, customer_id)).toHaveLength(1)
    }
    expect(await walletOf(database.db, merchant.program_id, named)).toMatchObject({ name: 'سارة', posted: 1_000 })
    expect(await walletOf(database.db, merchant.program_id, nameless)).toMatchObject({ name: 'سارة', posted: 1_000 })
  })

  it('again changes nothing, and a version of the terms is agreed to once', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = freshPhone()
    await earnOn()(earningOf(merchant, { phone }))
    const first = await onboard(joining(merchant, phone))
    clock.advance(60)
    const again = await onboard(joining(merchant, phone, { name: 'Somebody else', source: 'checkout', locale: 'en' }))
    expect(again).toEqual({ customer_id: first.customer_id, orders_created: 0 })
    expect(await walletOf(database.db, merchant.program_id, phone)).toMatchObject({ name: 'سارة', posted: 1_000 })
    expect(await consentsOf(merchant, first.customer_id)).toMatchObject([{ locale: 'ar', source: 'wallet' }])
    expect(await countRows(database.owner, merchant.program_id)).toMatchObject({ orders: 1, event: 1 })
  })

  it.each([
    ['a blank name', { name: ' \t ' }, [{ field: 'name', rule: 'required' }]],
    ['a name of 256 letters', { name: 'س'.repeat(256) }, [{ field: 'name', rule: 'max_string', limit: 255 }]],
    ['other terms', { terms_version: '1999-01' }, [{ field: 'terms', rule: 'required' }]],
  ])('is refused for %s, and changes nothing', async (_, changes, errors) => {
    const merchant = await oneMerchant(database.db, required)
    const phone = freshPhone()
    expect(await refusalOf(onboard(joining(merchant, phone, changes)))).toEqual({ kind: 'validation', errors })
    expect(await findCustomerOf(merchant.program_id, phone)).toMatchObject({ kind: 'unknown' })
    await onboard(joining(merchant, phone, { name: '𐍈'.repeat(255) }))
  })

  it('a customer of one program is unknown to another', async () => {
    const [here, there] = [await oneMerchant(database.db, required), await oneMerchant(database.db, required)]
    const phone = freshPhone()
    await onboard(joining(here, phone))
    expect(await findCustomerOf(there.program_id, phone)).toMatchObject({ kind: 'unknown' })
  })
})

describe('at the same moment, in two processes', () => {
  let made: Database[] = []
  const processes = (): [Database, Database] => {
    if (made.length === 0) made = [database.connect({ size: 8 }), database.connect({ size: 8 })]
    const [one, two] = made
    if (one === undefined || two === undefined) throw new Error('no pools')
    return [one, two]
  }

  it('20 tabs of one unknown customer: one customer, one wallet, one consent', async () => {
    const [one, two] = processes()
    const merchant = await oneMerchant(database.db, required)
    for (let round = 0; round < 5; round += 1) {
      const phone = freshPhone()
      const done = await Promise.all(
        Array.from({ length: 20 }, (_, i) => onboardingOn(i % 2 ? one : two).onboard(joining(merchant, phone))),
      )
      expect(new Set(done.map(({ customer_id }) => customer_id)).size).toBe(1)
      expect(await consentsOf(merchant, done[0]?.customer_id ?? '')).toHaveLength(1)
    }
  })

  it.each(['automatic', 'required'] as const)(
    'onboarding and the first earning of a phone, in a program of %s activation: one customer, whose earning is an order',
    async (activation) => {
      const [one, two] = processes()
      const merchants = await earningMerchants(database.db, 3, { activation })
      const [merchant] = merchants
      if (merchant === undefined) throw new Error('no merchant was made')
      const earn = earnOn(one)
      const rounds = 25
      for (let round = 0; round < rounds; round += 1) {
        const phone = freshPhone()
        const earned = merchants.map((each) => earn(earningOf(each, { phone })))
        await Promise.all([onboardingOn(two).onboard(joining(merchant, phone)), ...earned])
        expect(await walletOf(database.owner, merchant.program_id, phone)).toMatchObject({
          ...{ status: 'active', name: 'سارة', posted: 3_000, version: 3 },
        })
      }
      expect(await waitingOf(merchant)).toEqual([])
      const total = rounds * merchants.length
      expect(await countRows(database.owner, merchant.program_id)).toMatchObject({ orders: total, event: total })
    },
  )

  it('an operator’s activation, a second tab and further earnings of an invited customer: all is awarded once', async () => {
    const [one, two] = processes()
    const merchants = await earningMerchants(database.db, 4, required)
    const [merchant] = merchants
    if (merchant === undefined) throw new Error('no merchant was made')
    const earn = earnOn(one)
    const { program_id } = merchant
    for (let round = 0; round < 15; round += 1) {
      const phone = freshPhone()
      await earn(earningOf(merchant, { phone }))
      const [first, second, operated] = await Promise.all([
        onboardingOn(one).onboard(joining(merchant, phone)),
        onboardingOn(two).onboard(joining(merchant, phone)),
        activateCustomer(two, clock, { program_id, phone }),
        ...merchants.map((each) => earn(earningOf(each, { phone }))),
      ])
      const created = first.orders_created + second.orders_created + operated.orders_created
      expect(created).toBeGreaterThanOrEqual(1)
      expect(await walletOf(database.owner, program_id, phone)).toMatchObject({ posted: 5_000, version: 5 })
    }
    expect(await waitingOf(merchant)).toEqual([])
    expect(await countRows(database.owner, program_id)).toMatchObject({ orders: 75, event: 75 })
  })
})
