import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Earning } from '../../../src/domain/earning.ts'
import { parseReferenceNumber } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { createReadOrder } from '../../../src/features/orders/service.ts'
import { testDatabase } from '../../support/database.ts'
import {
  countRows,
  earningMerchants,
  earningOf,
  earnOn,
  freshPhone,
  inProgram,
  oneMerchant,
  orderOf,
  refusalOf,
  TestClock,
  walletOf,
} from '../../support/earnings.ts'
import { ledgerDifferences } from '../../support/ledger.ts'
import { waitForLocks } from '../../support/wait.ts'

// docs/spec/earning.md#earn and docs/spec/earning.md#lock. The file's end checks that the ledger balances.

const database = testDatabase({ leaves: ['due messages'] })
const noon = '2026-02-01T09:00:00.000Z'

function rowsOf<Row>(db: Database, text: string, ...values: unknown[]): Promise<Row[]> {
  return db.run<Row>({ text, values })
}

describe('who is awarded', () => {
  it('an unknown phone becomes an active customer with the points of the purchase', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant, { total: 12_345, name: 'Sara' })
    const order = orderOf(await earnOn(database.db)(earning))
    expect(order).toMatchObject({ order_status: 'approved', total_points: 1_234, order_uuid: earning.order_uuid })
    expect(await walletOf(database.owner, merchant.program_id, earning.phone)).toEqual({
      customer_id: earning.customer_id,
      status: 'active',
      name: 'Sara',
      posted: 1_234,
      held: 0,
      version: 1,
    })
  })

  it('a known customer gets more, under the same wallet', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const phone = freshPhone()
    const first = earningOf(merchant, { phone })
    await earn(first)
    await earn(earningOf(merchant, { phone }))
    const wallet = await walletOf(database.owner, merchant.program_id, phone)
    expect(wallet).toMatchObject({ customer_id: first.customer_id, posted: 2_000, version: 2 })
  })

  it('ratings earn the flat points of their kind, and carry no price', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const product = orderOf(await earn(earningOf(merchant, { source: 'product_rating' })))
    const store = orderOf(await earn(earningOf(merchant, { source: 'store_rating' })))
    expect(product).toMatchObject({ total_points: 50, total_halalas: 0, source: 'product_rating' })
    expect(store).toMatchObject({ total_points: 100, total_halalas: 0, source: 'store_rating' })
  })

  it('zero points move nothing in the ledger, and the order and its event are there', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant, { total: 0 })
    expect(orderOf(await earnOn(database.db)(earning))).toMatchObject({ order_status: 'approved', total_points: 0 })
    const before = await countRows(database.owner, merchant.program_id)
    expect(before).toMatchObject({ orders: 1, event: 1 })
    const moved = await rowsOf(database.owner, 'select from transfer where order_uuid = $1', earning.order_uuid)
    expect(moved).toEqual([])
    expect(await walletOf(database.owner, merchant.program_id, earning.phone)).toMatchObject({ posted: 0, version: 0 })
  })
})

describe('names', () => {
  it('fill a name that is missing and never replace one', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const phone = freshPhone()
    const nameNow = async () => (await walletOf(database.owner, merchant.program_id, phone))?.name
    await earn(earningOf(merchant, { phone }))
    expect(await nameNow()).toBeNull()
    await earn(earningOf(merchant, { phone, name: 'Sara' }))
    expect(await nameNow()).toBe('Sara')
    await earn(earningOf(merchant, { phone, name: 'Nora' }))
    expect(await nameNow()).toBe('Sara')
  })

  it('are not lost when the earning that makes the customer has none and another of its batch has one', async () => {
    const merchants = await earningMerchants(database.db, 3)
    const earn = earnOn(database.db)
    const phone = freshPhone()
    const names = [null, 'Sara', 'Nora']
    await Promise.all(
      merchants.map((merchant, index) => earn(earningOf(merchant, { phone, name: names[index] ?? null }))),
    )
    const wallet = await walletOf(database.owner, merchants[0]?.program_id ?? 0, phone)
    expect(wallet).toMatchObject({ name: 'Sara', posted: 3_000, version: 3 })
  })

  it('of one batch for a customer without a name: the first stays, as if they had come one by one', async () => {
    const merchants = await earningMerchants(database.db, 3)
    const earn = earnOn(database.db)
    const phone = freshPhone()
    const [first] = merchants
    if (first !== undefined) await earn(earningOf(first, { phone }))
    const names = [null, 'Sara', 'Nora']
    await Promise.all(
      merchants.map((merchant, index) => earn(earningOf(merchant, { phone, name: names[index] ?? null }))),
    )
    expect(await walletOf(database.owner, first?.program_id ?? 0, phone)).toMatchObject({ name: 'Sara' })
  })
})

describe('who waits for activation', () => {
  it('an unknown phone where the program requires it: invited, nothing posted, no event', async () => {
    const merchant = inProgram(await oneMerchant(database.db), { activation: 'required' })
    const before = await countRows(database.owner, merchant.program_id)
    const earning = earningOf(merchant, { metadata: '{"branch":"Olaya"}' })
    const earned = await earnOn(database.db)(earning)
    expect(earned).toEqual({ kind: 'pending', id: expect.any(Number), earning })
    const after = await countRows(database.owner, merchant.program_id)
    expect(after).toEqual({ ...before, customer: Number(before['customer']) + 1, pending_earning: 1 })
    expect(await walletOf(database.owner, merchant.program_id, earning.phone)).toMatchObject({
      status: 'invited',
      posted: 0,
      version: 0,
    })
    const [row] = await rowsOf(
      database.owner,
      'select * from pending_earning where pending_uuid = $1',
      earning.order_uuid,
    )
    expect(row).toMatchObject({
      order_number: earning.order_number,
      total_halalas: 10_000,
      total_points: 1_000,
      points_per_sar_e4: 100_000,
      order_uuid: null,
      metadata: { branch: 'Olaya' },
      created_at: new Date(noon),
    })
  })

  it('a customer who is invited, also where unknown phones are activated', async () => {
    const merchant = await oneMerchant(database.db)
    const phone = '500000003' as Earning['phone']
    const earned = await earnOn(database.db)(earningOf(merchant, { phone }))
    expect(earned.kind).toBe('pending')
    expect(await walletOf(database.owner, merchant.program_id, phone)).toMatchObject({ status: 'invited', posted: 0 })
  })

  it('a pending earning is a repeat too, and there is no order to name', async () => {
    const merchant = inProgram(await oneMerchant(database.db), { activation: 'required' })
    const clock = new TestClock(noon)
    const earn = earnOn(database.db, clock)
    const first = earningOf(merchant)
    await earn(first)
    const again = () => refusalOf(earn(earningOf(merchant, { phone: first.phone, order_number: first.order_number })))
    expect(await again()).toEqual({ kind: 'order_number_repeated', retry_after_s: 10 })
    clock.advance(10)
    expect(await again()).toEqual({ kind: 'validation', errors: [{ field: 'order_number', rule: 'taken' }] })
  })

  it('a customer who is activated between being read and being decided is awarded, not left pending', async () => {
    const merchant = inProgram(await oneMerchant(database.db), { activation: 'required' })
    const earn = earnOn(database.db)
    const phone = freshPhone()
    await earn(earningOf(merchant, { phone }))
    const [locked, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const activating = database.owner.transaction(async (tx) => {
      await tx.run({
        text: `select from account where program_id = $1
          and account_id = (select customer_id from customer where program_id = $1 and phone = $2) for no key update`,
        values: [merchant.program_id, phone],
      })
      await tx.run({
        text: `update customer set status = 'active', activated_at = now() where phone = $1`,
        values: [phone],
      })
      locked.resolve()
      await begun.promise
    })
    await locked.promise
    const earning = earn(earningOf(merchant, { phone }))
    await waitForLocks(database.owner)
    begun.resolve()
    await activating
    expect((await earning).kind).toBe('order')
  })
})

/** Counts how often the work of a transaction is run from now on. */
function countTries(db: Database): () => number {
  let tries = 0
  const transaction = db.transaction.bind(db)
  const counted = vi.spyOn(db, 'transaction').mockImplementation((work, options) =>
    transaction((tx) => {
      tries += 1
      return work(tx)
    }, options),
  )
  onTestFinished(() => counted.mockRestore())
  return () => tries
}

describe('the stored order and the answer', () => {
  const metadata =
    '{"nested":{"list":[1,2.5,-0,1e21,"نقطة 🎉"]},"__proto__":{"x":1},"constructor":null,"":"\\u0000 \\ud800 \\\\u0000"}'

  it('the order is read back as it was answered', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant, { metadata, shipping_address: '{"city":"Riyadh"}' })
    const order = orderOf(await earnOn(database.db)(earning))
    expect(parseReferenceNumber(order.reference_number)).toBe(order.reference_number)
    expect(await createReadOrder(database.db)(merchant, earning.order_uuid)).toEqual(order)
  })

  it('metadata comes back as it was sent: nested, in any script, with any key', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant, { metadata })
    const earned = orderOf(await earnOn(database.db)(earning))
    const read = await createReadOrder(database.db)(merchant, earning.order_uuid)
    const sent = JSON.stringify(JSON.parse(metadata))
    expect(JSON.stringify(earned.metadata)).toBe(sent)
    expect(JSON.stringify(read.metadata)).toBe(sent)
    expect(sent).toContain('"__proto__":{"x":1}')
  })

  it('metadata that PostgreSQL stores but cannot read does not stop the verification of the ledger', async () => {
    const merchant = await oneMerchant(database.db)
    await earnOn(database.db)(earningOf(merchant, { metadata }))
    expect(await ledgerDifferences(database.owner)).toEqual([])
  })

  it('every column of the order row is right', async () => {
    const merchant = await oneMerchant(database.db)
    const amounts = { shipping_halalas: asHalalas(1_500), tax_halalas: asHalalas(0), discount_halalas: asHalalas(25) }
    const earning = earningOf(merchant, {
      ...amounts,
      shipping_address: '{"city":"Riyadh"}',
      order_number: '#١٠٠١ "x\\',
    })
    const order = orderOf(await earnOn(database.db)(earning))
    const [row] = await rowsOf(database.owner, 'select * from orders where order_uuid = $1', earning.order_uuid)
    const now = new Date(noon)
    expect(row).toEqual({
      ...amounts,
      program_id: merchant.program_id,
      order_uuid: earning.order_uuid,
      id: order.id,
      merchant_id: merchant.merchant_id,
      customer_id: earning.customer_id,
      type: 1,
      source: 'purchase',
      reference_number: order.reference_number,
      order_number: '#١٠٠١ "x\\',
      order_status: 'approved',
      total_halalas: 10_000,
      total_points: 1_000,
      earned_points: 1_000,
      shipping_address: { city: 'Riyadh' },
      items: [{ product_name: 'Tea', product_price: 10, quantity: 1 }],
      metadata: null,
      shipping_status: 'new',
      ...{ label_ar: null, label_en: null, payment_method: null, reason: null, booked_at: null },
      ...{ authorized_at: null, redeemed_halalas: 0, micro_sar_per_point: null, refunded_late: false },
      ...{ refunded_halalas: 0, returned_points: 0, reversed_points: 0 },
      ...{ paid_at: now, created_at: now, updated_at: now },
    })
  })

  it('one transfer from the merchant to the wallet, under the order', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant)
    await earnOn(database.db)(earning)
    const [transfer] = await rowsOf(database.owner, 'select * from transfer where order_uuid = $1', earning.order_uuid)
    expect(transfer).toMatchObject({
      transfer_id: earning.transfer_id,
      kind: 'earn',
      reference: `earn:${earning.order_uuid}`,
      created_at: new Date(noon),
    })
    const entries = await rowsOf(
      database.owner,
      'select line, account_id, bucket, amount, balance_after, account_version from entry where transfer_id = $1 order by line',
      earning.transfer_id,
    )
    const bucket = 'available'
    expect(entries).toEqual([
      { line: 0, account_id: merchant.account_id, bucket, amount: -1_000, balance_after: null, account_version: null },
      { line: 1, account_id: earning.customer_id, bucket, amount: 1_000, balance_after: 1_000, account_version: 1 },
    ])
  })

  it('one event with the payload of docs/spec/webhooks.md#payload', async () => {
    const merchant = await oneMerchant(database.db)
    const earning = earningOf(merchant, { metadata: '{"branch":"Olaya","__proto__":1}', total: 19_950 })
    const order = orderOf(await earnOn(database.db)(earning))
    const events = await rowsOf<{ payload: unknown; event_id: string; name: string; merchant_id: number }>(
      database.owner,
      'select event_id, merchant_id, name, payload from event where order_uuid = $1',
      earning.order_uuid,
    )
    expect(events).toEqual([
      { event_id: earning.event_id, merchant_id: merchant.merchant_id, name: 'approved', payload: expect.anything() },
    ])
    expect(JSON.stringify(events[0]?.payload)).toBe(
      JSON.stringify({
        id: earning.order_uuid,
        reference_number: order.reference_number,
        order_number: earning.order_number,
        type: 'earning',
        total_price: 199.5,
        total_points: 1_995,
        payment_status: 'fully_paid',
        order_status: 'approved',
        metadata: JSON.parse('{"branch":"Olaya","__proto__":1}'),
        created_at: noon,
        updated_at: noon,
      }),
    )
  })

  it('events go to the partition of their month, not to the default one', async () => {
    await earnOn(database.db)(earningOf(await oneMerchant(database.db)))
    expect(await rowsOf(database.owner, 'select from event_default')).toEqual([])
  })
})

describe('a repeated order number', () => {
  it('within the lock window is refused with the seconds to wait and the uuid of the order', async () => {
    const merchant = await oneMerchant(database.db)
    const clock = new TestClock(noon)
    const earn = earnOn(database.db, clock)
    const first = earningOf(merchant)
    await earn(first)
    const again = () => refusalOf(earn(earningOf(merchant, { order_number: first.order_number })))
    const repeated = { kind: 'order_number_repeated', order_uuid: first.order_uuid }
    expect(await again()).toEqual({ ...repeated, retry_after_s: 10 })
    clock.advance(0.001)
    expect(await again()).toEqual({ ...repeated, retry_after_s: 10 })
    clock.advance(6)
    expect(await again()).toEqual({ ...repeated, retry_after_s: 4 })
    clock.advance(3.998)
    expect(await again()).toEqual({ ...repeated, retry_after_s: 1 })
    clock.advance(0.001)
    expect(await again()).toEqual({
      kind: 'validation',
      errors: [{ field: 'order_number', rule: 'taken' }],
      order_uuid: first.order_uuid,
    })
    expect(await countRows(database.owner, merchant.program_id)).toMatchObject({ orders: 1, event: 1 })
  })

  it('of an order from the future, after the clock was set back, is a repeat and does not wait for ever', async () => {
    const merchant = await oneMerchant(database.db)
    const clock = new TestClock(noon)
    const earn = earnOn(database.db, clock)
    const first = earningOf(merchant)
    await earn(first)
    const again = () => refusalOf(earn(earningOf(merchant, { order_number: first.order_number })))
    clock.advance(-9)
    expect(await again()).toMatchObject({ kind: 'order_number_repeated', retry_after_s: 10 })
    clock.advance(-86_400)
    expect(await again()).toMatchObject({ kind: 'validation', order_uuid: first.order_uuid })
  })

  it('a repeated review is a repeat at once, and each kind of rating has its own references', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const order_number = 'R-1'
    const product = earningOf(merchant, { source: 'product_rating', order_number })
    await earn(product)
    expect(await refusalOf(earn(earningOf(merchant, { source: 'product_rating', order_number })))).toEqual({
      kind: 'validation',
      errors: [{ field: 'review_reference', rule: 'taken' }],
      order_uuid: product.order_uuid,
    })
    await earn(earningOf(merchant, { source: 'store_rating', order_number }))
    await earn(earningOf(merchant, { source: 'purchase', order_number }))
  })

  it('is no repeat at another merchant, of the same program or of another', async () => {
    const [one, two] = await earningMerchants(database.db, 2)
    const other = await oneMerchant(database.db)
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn(database.db)
    const outcomes = await Promise.all([one, two, other].map((each) => earn(earningOf(each, { order_number: '1001' }))))
    expect(new Set(outcomes.map((earned) => orderOf(earned).order_uuid)).size).toBe(3)
  })

  it('of a request that failed does not count', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const order_number = 'F-1'
    await expect(earn(earningOf(merchant, { order_number, phone: 'no phone' as Earning['phone'] }))).rejects.toThrow()
    await earn(earningOf(merchant, { order_number }))
  })

  it('with half a surrogate pair, which is stored as another character, is a repeat, not a unique violation', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const first = earningOf(merchant, { order_number: 'A\ud800' })
    await earn(first)
    const tries = countTries(database.db)
    expect(await refusalOf(earn(earningOf(merchant, { order_number: 'A\ud800' })))).toMatchObject({
      kind: 'order_number_repeated',
      order_uuid: first.order_uuid,
    })
    expect(tries()).toBe(1)
  })

  it('is refused with spaces, quotes and scripts taken as they are', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    for (const order_number of ['a b', 'a  b', "o'x", '{"a"}', 'NULL', '١٠٠١', '1001', 'A', 'a']) {
      await earn(earningOf(merchant, { order_number }))
      expect(await refusalOf(earn(earningOf(merchant, { order_number })))).toMatchObject({
        kind: 'order_number_repeated',
      })
    }
  })
})
