import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { CommitUnknown } from '../../src/db/failure.ts'
import { Database } from '../../src/db/pool.ts'
import { verifyLedger } from '../../src/db/verify.ts'
import type { Earning } from '../../src/domain/earning.ts'
import { isUuid, parseReferenceNumber } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints, type PointsPerSarE4 } from '../../src/domain/points.ts'
import * as entropy from '../../src/entropy.ts'
import type { Earned } from '../../src/features/earning/outcome.ts'
import { createEarn } from '../../src/features/earning/story.ts'
import { createReadOrder } from '../../src/features/orders/story.ts'
import { testDatabase } from '../support/database.ts'
import {
  countRows,
  earningOf,
  freshPhone,
  inProgram,
  makeMerchants,
  refusalOf,
  TestClock,
  walletOf,
} from '../support/earnings.ts'
import { startProxy } from '../support/proxy.ts'

// The earning path, decisions §2, §3 and §5. The file's end checks that the ledger balances.

vi.mock('../../src/entropy.ts', { spy: true })

const database = testDatabase()
const noon = '2026-02-01T09:00:00.000Z'

function earnOn(db: Database = database.db, clock = new TestClock(noon), lock_window_s = 10) {
  return createEarn({ db, clock, lock_window_s })
}

async function oneMerchant(): Promise<Merchant> {
  const [merchant] = await makeMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  return merchant
}

function orderOf(earned: Earned) {
  if (earned.kind !== 'order') throw new Error(`${earned.kind} instead of an order`)
  return earned.order
}

function rowsOf<Row>(db: Database, text: string, ...values: unknown[]): Promise<Row[]> {
  return db.run<Row>({ text, values })
}

/** Holds the lock of a merchant as another process would, for as long as `work` takes. */
function whileLocked<T>({ program_id, merchant_id }: Merchant, work: () => Promise<T>): Promise<T> {
  return database.owner.transaction(async (tx) => {
    await tx.run({
      text: 'select from earning_lock where program_id = $1 and merchant_id = $2 for no key update',
      values: [program_id, merchant_id],
    })
    return work()
  })
}

describe('who is awarded', () => {
  it('an unknown phone becomes an active customer with the points of the purchase', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant, { total: 12_345, name: 'Sara' })
    const order = orderOf(await earnOn()(earning))
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
    const merchant = await oneMerchant()
    const earn = earnOn()
    const phone = freshPhone()
    const first = earningOf(merchant, { phone })
    await earn(first)
    await earn(earningOf(merchant, { phone }))
    const wallet = await walletOf(database.owner, merchant.program_id, phone)
    expect(wallet).toMatchObject({ customer_id: first.customer_id, posted: 2_000, version: 2 })
  })

  it('ratings earn the flat points of their kind, and carry no price', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
    const product = orderOf(await earn(earningOf(merchant, { source: 'product_rating' })))
    const store = orderOf(await earn(earningOf(merchant, { source: 'store_rating' })))
    expect(product).toMatchObject({ total_points: 50, total_halalas: 0, source: 'product_rating' })
    expect(store).toMatchObject({ total_points: 100, total_halalas: 0, source: 'store_rating' })
  })

  it('zero points move nothing in the ledger, and the order and its event are there', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant, { total: 0 })
    expect(orderOf(await earnOn()(earning))).toMatchObject({ order_status: 'approved', total_points: 0 })
    const before = await countRows(database.owner, merchant.program_id)
    expect(before).toMatchObject({ orders: 1, event: 1 })
    const moved = await rowsOf(database.owner, 'select from transfer where order_uuid = $1', earning.order_uuid)
    expect(moved).toEqual([])
    expect(await walletOf(database.owner, merchant.program_id, earning.phone)).toMatchObject({ posted: 0, version: 0 })
  })
})

describe('names', () => {
  it('fill a name that is missing and never replace one', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
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
    const merchants = await makeMerchants(database.db, 3)
    const earn = earnOn()
    const phone = freshPhone()
    const names = [null, 'Sara', 'Nora']
    await Promise.all(
      merchants.map((merchant, index) => earn(earningOf(merchant, { phone, name: names[index] ?? null }))),
    )
    const wallet = await walletOf(database.owner, merchants[0]?.program_id ?? 0, phone)
    expect(wallet).toMatchObject({ name: 'Sara', posted: 3_000, version: 3 })
  })

  it('of one batch for a customer without a name: the first stays, as if they had come one by one', async () => {
    const merchants = await makeMerchants(database.db, 3)
    const earn = earnOn()
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
    const merchant = inProgram(await oneMerchant(), { activation: 'required' })
    const before = await countRows(database.owner, merchant.program_id)
    const earning = earningOf(merchant, { metadata: '{"branch":"Olaya"}' })
    const earned = await earnOn()(earning)
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
    const merchant = await oneMerchant()
    const phone = '500000003' as Earning['phone']
    const earned = await earnOn()(earningOf(merchant, { phone }))
    expect(earned.kind).toBe('pending')
    expect(await walletOf(database.owner, merchant.program_id, phone)).toMatchObject({ status: 'invited', posted: 0 })
  })

  it('a pending earning is a repeat too, and there is no order to name', async () => {
    const merchant = inProgram(await oneMerchant(), { activation: 'required' })
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
    const merchant = inProgram(await oneMerchant(), { activation: 'required' })
    const earn = earnOn()
    const phone = freshPhone()
    await earn(earningOf(merchant, { phone }))
    const activating = database.owner.transaction(async (tx) => {
      await tx.run({
        text: `select from account where account_id = (select customer_id from customer where phone = $1)
          for no key update`,
        values: [phone],
      })
      await tx.run({
        text: `update customer set status = 'active', activated_at = now() where phone = $1`,
        values: [phone],
      })
      await sleep(150)
    })
    await sleep(50)
    const earned = await earn(earningOf(merchant, { phone }))
    await activating
    expect(earned.kind).toBe('order')
  })
})

describe('what is stored and answered', () => {
  const metadata =
    '{"nested":{"list":[1,2.5,-0,1e21,"نقطة 🎉"]},"__proto__":{"x":1},"constructor":null,"":"\\u0000 \\ud800 \\\\u0000"}'

  it('the order is read back as it was answered', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant, { metadata, shipping_address: '{"city":"Riyadh"}' })
    const order = orderOf(await earnOn()(earning))
    expect(parseReferenceNumber(order.reference_number)).toBe(order.reference_number)
    expect(await createReadOrder(database.db)(merchant, earning.order_uuid)).toEqual(order)
  })

  it('metadata comes back as it was sent: nested, in any script, with any key', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant, { metadata })
    const earned = orderOf(await earnOn()(earning))
    const read = await createReadOrder(database.db)(merchant, earning.order_uuid)
    const sent = JSON.stringify(JSON.parse(metadata))
    expect(JSON.stringify(earned.metadata)).toBe(sent)
    expect(JSON.stringify(read.metadata)).toBe(sent)
    expect(sent).toContain('"__proto__":{"x":1}')
  })

  it('metadata that PostgreSQL cannot read, though it keeps it, does not stop the verification of the ledger', async () => {
    const merchant = await oneMerchant()
    await earnOn()(earningOf(merchant, { metadata }))
    expect((await verifyLedger(database.owner)).differences).toEqual([])
  })

  it('every column of the order row is right', async () => {
    const merchant = await oneMerchant()
    const amounts = { shipping_halalas: asHalalas(1_500), tax_halalas: asHalalas(0), discount_halalas: asHalalas(25) }
    const earning = earningOf(merchant, {
      ...amounts,
      shipping_address: '{"city":"Riyadh"}',
      order_number: '#١٠٠١ "x\\',
    })
    const order = orderOf(await earnOn()(earning))
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
      ...{ label_ar: null, label_en: null, payment_method: null, reason: null, settlement_id: null },
      ...{ authorized_at: null, redeemed_halalas: 0 },
      ...{ refunded_halalas: 0, returned_points: 0, reversed_points: 0 },
      ...{ paid_at: now, created_at: now, updated_at: now },
    })
  })

  it('one transfer from the merchant to the wallet, under the order', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant)
    await earnOn()(earning)
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

  it('one event, whose payload is that of decisions §10', async () => {
    const merchant = await oneMerchant()
    const earning = earningOf(merchant, { metadata: '{"branch":"Olaya","__proto__":1}', total: 19_950 })
    const order = orderOf(await earnOn()(earning))
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

  it('events are in a month of their own, not in the partition for strays', async () => {
    await earnOn()(earningOf(await oneMerchant()))
    expect(await rowsOf(database.owner, 'select from event_default')).toEqual([])
  })
})

describe('a repeated order number', () => {
  it('within the lock window is told when to come back and which order it was', async () => {
    const merchant = await oneMerchant()
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

  it('a repeated review is taken at once, and each kind of rating has references of its own', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
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
    const [one, two] = await makeMerchants(database.db, 2)
    const other = await oneMerchant()
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn()
    const outcomes = await Promise.all([one, two, other].map((each) => earn(earningOf(each, { order_number: '1001' }))))
    expect(new Set(outcomes.map((earned) => orderOf(earned).order_uuid)).size).toBe(3)
  })

  it('of a request that failed does not count', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
    const order_number = 'F-1'
    await expect(earn(earningOf(merchant, { order_number, phone: 'no phone' as Earning['phone'] }))).rejects.toThrow()
    await earn(earningOf(merchant, { order_number }))
  })

  it('is refused with spaces, quotes and scripts taken as they are', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
    for (const order_number of ['a b', 'a  b', "o'x", '{"a"}', 'NULL', '١٠٠١', '1001', 'A', 'a']) {
      await earn(earningOf(merchant, { order_number }))
      expect(await refusalOf(earn(earningOf(merchant, { order_number })))).toMatchObject({
        kind: 'order_number_repeated',
      })
    }
  })
})

describe('one earning of a merchant at a time', () => {
  it('in one process one wins, and the others are told at once', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => earn(earningOf(merchant))))
    const [won, ...lost] = outcomes
    expect(won?.status).toBe('fulfilled')
    for (const one of lost) expect(one).toMatchObject({ reason: { failure: { kind: 'earning_in_progress' } } })
    await earn(earningOf(merchant))
  })

  it('a lock held by another process is told at once: nothing waits, nothing is written, others are served', async () => {
    const [locked, free] = await makeMerchants(database.db, 2)
    if (locked === undefined || free === undefined) throw new Error('no merchants were made')
    const earn = earnOn()
    await whileLocked(locked, async () => {
      const started_ms = performance.now()
      const [refused, earned] = await Promise.all([refusalOf(earn(earningOf(locked))), earn(earningOf(free))])
      expect(performance.now() - started_ms).toBeLessThan(1_000)
      expect(refused).toEqual({ kind: 'earning_in_progress' })
      expect(earned.kind).toBe('order')
    })
    expect(await countRows(database.owner, locked.program_id)).toMatchObject({ orders: 1 })
    await earn(earningOf(locked))
  })

  it('changing a merchant, or an order of it being written, is not mistaken for its lock', async () => {
    const merchant = await oneMerchant()
    await database.owner.transaction(async (tx) => {
      await tx.run({ text: 'update merchant set name = name where merchant_id = $1', values: [merchant.merchant_id] })
      expect((await earnOn()(earningOf(merchant))).kind).toBe('order')
    })
  })

  it('two processes racing for one order number make exactly one order', async () => {
    const merchant = await oneMerchant()
    const processes = [earnOn(database.connect({ size: 4 })), earnOn(database.connect({ size: 4 }))]
    const order_number = 'RACE'
    const attempts = Array.from({ length: 200 }, async (_, index) => {
      await sleep(Math.floor(index / 8) * 2)
      const earn = processes[index % 2]
      if (earn === undefined) throw new Error('no process')
      return earn(earningOf(merchant, { order_number })).then(
        (earned) => orderOf(earned).order_uuid,
        (error: { failure: { kind: string; order_uuid?: string } }) => error.failure.order_uuid ?? error.failure.kind,
      )
    })
    const outcomes = new Set(await Promise.all(attempts))
    outcomes.delete('earning_in_progress')
    expect([...outcomes].filter(isUuid)).toHaveLength(1)
    expect(outcomes.size).toBe(1)
    expect(await countRows(database.owner, merchant.program_id)).toMatchObject({ orders: 1, event: 1 })
  })
})

describe('many merchants, few customers', () => {
  it('two merchants that meet the same new phone at once, in two processes, share one customer', async () => {
    const merchants = await makeMerchants(database.db, 2)
    const [left, right] = [earnOn(database.connect()), earnOn(database.connect())]
    const [one, two] = merchants
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    for (let round = 0; round < 20; round += 1) {
      const phone = freshPhone()
      await Promise.all([left(earningOf(one, { phone })), right(earningOf(two, { phone }))])
      expect(await walletOf(database.owner, one.program_id, phone)).toMatchObject({ posted: 2_000, version: 2 })
    }
  })

  it('in random order from two processes: no deadlock surfaces, sums are exact, versions have no gap', async () => {
    const merchants = await makeMerchants(database.db, 24)
    const phones = Array.from({ length: 5 }, freshPhone)
    const processes = [earnOn(database.connect({ size: 4 })), earnOn(database.connect({ size: 4 }))]
    const earned = await Promise.all(
      merchants.map(async (merchant, index) => {
        const earn = processes[index % 2]
        let points = 0
        for (let round = 0; round < 12; round += 1) {
          const phone = phones[Math.floor(Math.random() * phones.length)]
          if (phone === undefined || earn === undefined) throw new Error('nobody to earn')
          const total = Math.floor(Math.random() * 50_000)
          points += orderOf(await earn(earningOf(merchant, { phone, total, name: 'Sara' }))).total_points
        }
        return points
      }),
    )
    const program_id = merchants[0]?.program_id ?? 0
    const wallets = await Promise.all(phones.map((phone) => walletOf(database.owner, program_id, phone)))
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    expect(sum(wallets.map((wallet) => wallet?.posted ?? 0))).toBe(sum(earned))
    expect(await countRows(database.owner, program_id)).toMatchObject({ orders: 24 * 12 })
  })

  it('several earnings for one customer in one batch follow each other through the wallet', async () => {
    const merchants = await makeMerchants(database.db, 10)
    const phone = freshPhone()
    const sizes: number[] = []
    const observe = (size: number) => sizes.push(size)
    const earn = createEarn({ db: database.db, clock: new TestClock(noon), lock_window_s: 10, observe })
    await Promise.all(merchants.map((merchant) => earn(earningOf(merchant, { phone }))))
    expect(sizes).toEqual([10])
    expect(await walletOf(database.owner, merchants[0]?.program_id ?? 0, phone)).toMatchObject({
      posted: 10_000,
      version: 10,
    })
  })
})

describe('what goes wrong with one does not go wrong with others', () => {
  it('an earning that the database refuses fails alone; those of its batch are awarded', async () => {
    const merchants = await makeMerchants(database.db, 8)
    const earn = earnOn()
    const outcomes = await Promise.allSettled(
      merchants.map((merchant, index) =>
        earn(earningOf(merchant, index === 3 ? { phone: 'no phone' as Earning['phone'] } : {})),
      ),
    )
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(merchants.map((_, index) => index === 3))
    expect(outcomes[3]).toMatchObject({ reason: { code: '23514' } })
    expect(await countRows(database.owner, merchants[0]?.program_id ?? 0)).toMatchObject({ orders: 7 })
  })

  it('a wallet that cannot hold the points fails alone', async () => {
    const [one, two] = await makeMerchants(database.db, 2)
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn()
    const huge = { ...one, points_per_sar_e4: 900_000_000_000 as PointsPerSarE4 }
    const phone = freshPhone()
    await earn({ ...earningOf(huge, { phone }), points: asPoints(Number.MAX_SAFE_INTEGER) })
    const [over, fine] = await Promise.allSettled([earn(earningOf(one, { phone })), earn(earningOf(two))])
    expect([over.status, fine.status]).toEqual(['rejected', 'fulfilled'])
  })

  it('a merchant whose earning failed may earn again', async () => {
    const merchant = await oneMerchant()
    const earn = earnOn()
    await expect(earn(earningOf(merchant, { phone: 'x' as Earning['phone'] }))).rejects.toMatchObject({ code: '23514' })
    await earn(earningOf(merchant))
  })

  it('a reference number that is taken is drawn again', async () => {
    const [one, two] = await makeMerchants(database.db, 2)
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn()
    const taken = parseReferenceNumber(orderOf(await earn(earningOf(one))).reference_number)
    if (taken === null) throw new Error('no reference number')
    vi.mocked(entropy.newReferenceNumber).mockReturnValueOnce(taken).mockReturnValueOnce(taken)
    const order = orderOf(await earn(earningOf(two)))
    expect(order.reference_number).not.toBe(taken)
    expect(await countRows(database.owner, one.program_id)).toMatchObject({ orders: 2, event: 2 })
  })
})

describe('a commit whose answer is lost', () => {
  it('is found by the next try: one order, one event, and the answer it would have had', async () => {
    const merchant = await oneMerchant()
    const proxy = await startProxy(database.url)
    const through = new Database(proxy.url, { size: 2 })
    try {
      for (const when of ['before the server hears the COMMIT', 'after the server has committed'] as const) {
        proxy.breakNextCommit(when)
        const earning = earningOf(merchant)
        const order = orderOf(await earnOn(through)(earning))
        expect(await createReadOrder(database.db)(merchant, earning.order_uuid)).toEqual(order)
      }
      const pending = earningOf(inProgram(merchant, { activation: 'required' }))
      proxy.breakNextCommit('after the server has committed')
      expect(await earnOn(through)(pending)).toMatchObject({ kind: 'pending', earning: pending })
      expect(await countRows(database.owner, merchant.program_id)).toMatchObject({
        orders: 2,
        event: 2,
        pending_earning: 1,
      })
    } finally {
      await through.close()
      await proxy.close()
    }
  })

  it('is never told as "another earning is in progress", which would say that nothing was written', async () => {
    const [written, lost] = await makeMerchants(database.db, 2)
    if (written === undefined || lost === undefined) throw new Error('no merchants were made')
    const proxy = await startProxy(database.url)
    const through = new Database(proxy.url, { size: 2 })
    /** As soon as the first try is over, the lock is held by what may still be that try. */
    const lockAfterBreak = (merchant: Merchant, done: Promise<unknown>) =>
      whileLocked(merchant, () => done.catch(() => undefined))
    try {
      const earning = earningOf(written)
      proxy.breakNextCommit('after the server has committed')
      const first = earnOn(through)(earning)
      await sleep(15)
      await lockAfterBreak(written, first)
      expect(orderOf(await first).order_uuid).toBe(earning.order_uuid)

      proxy.breakNextCommit('before the server hears the COMMIT')
      const second = earnOn(through)(earningOf(lost))
      await sleep(15)
      await lockAfterBreak(lost, second)
      await expect(second).rejects.toBeInstanceOf(CommitUnknown)
    } finally {
      await through.close()
      await proxy.close()
    }
  })
})
