import { afterAll, describe, expect, it, vi } from 'vitest'
import { CommitUnknown } from '../../../src/db/failure.ts'
import { Database } from '../../../src/db/pool.ts'
import type { Earning } from '../../../src/domain/earning.ts'
import { isUuid, parseReferenceNumber } from '../../../src/domain/ids.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import { MAX_WALLET_POINTS } from '../../../src/domain/points.ts'
import { createEarn, type Earned } from '../../../src/features/earning/service.ts'
import { createReadOrder } from '../../../src/features/orders/service.ts'
import * as ids from '../../../src/lib/ids.ts'
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
import { startProxy } from '../../support/proxy.ts'
import { patience } from '../../support/server.ts'

// Simultaneous earnings, in one process and in several, also when something fails (docs/spec/earning.md#lock).
// Two `createEarn` on two pools are two processes. The file's end checks that the ledger balances.

// Test files share modules: import fresh ones, so that this file changes no others.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
vi.mock('../../../src/lib/ids.ts', { spy: true })

/** Recognises the error by its message, because errors from the nodes of a cluster lose their SQLSTATE. */
const refusedPhone = expect.stringContaining('violates check constraint "customer_phone_check"')
const database = testDatabase({ leaves: ['due messages'] })
const noon = '2026-02-01T09:00:00.000Z'

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

describe('one earning of a merchant at a time', () => {
  it('in one process one wins, and the others are refused at once', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => earn(earningOf(merchant))))
    const [won, ...lost] = outcomes
    expect(won?.status).toBe('fulfilled')
    for (const one of lost) expect(one).toMatchObject({ reason: { failure: { kind: 'earning_in_progress' } } })
    await earn(earningOf(merchant))
  })

  it('an earning whose lock another process holds is refused at once: nothing waits, nothing is written, others are served', async () => {
    const [locked, free] = await earningMerchants(database.db, 2)
    if (locked === undefined || free === undefined) throw new Error('no merchants were made')
    const earn = earnOn(database.db)
    await whileLocked(locked, async () => {
      const [refused, earned] = await Promise.all([refusalOf(earn(earningOf(locked))), earn(earningOf(free))])
      expect(refused).toEqual({ kind: 'earning_in_progress' })
      expect(earned.kind).toBe('order')
    })
    expect(await countRows(database.owner, locked.program_id)).toMatchObject({ orders: 1 })
    await earn(earningOf(locked))
  })

  it('changing a merchant, or an order of it being written, is not mistaken for its lock', async () => {
    const merchant = await oneMerchant(database.db)
    await database.owner.transaction(async (tx) => {
      await tx.run({ text: 'update merchant set name = name where merchant_id = $1', values: [merchant.merchant_id] })
      expect((await earnOn(database.db)(earningOf(merchant))).kind).toBe('order')
    })
  })

  it('two processes racing for one order number make exactly one order', async () => {
    const merchant = await oneMerchant(database.db)
    const processes = [earnOn(database.connect({ size: 4 })), earnOn(database.connect({ size: 4 }))]
    const order_number = 'RACE'
    const outcomes = new Set<string>()
    const clients = Array.from({ length: 8 }, async (_, index) => {
      const earn = processes[index % 2]
      if (earn === undefined) throw new Error('no process')
      for (let attempt = 0; attempt < 25; attempt += 1) {
        const outcome = await earn(earningOf(merchant, { order_number })).then(
          (earned) => orderOf(earned).order_uuid,
          (error: { failure: { kind: string; order_uuid?: string } }) => error.failure.order_uuid ?? error.failure.kind,
        )
        outcomes.add(outcome)
      }
    })
    await Promise.all(clients)
    outcomes.delete('earning_in_progress')
    expect([...outcomes].filter(isUuid)).toHaveLength(1)
    expect(outcomes.size).toBe(1)
    expect(await countRows(database.owner, merchant.program_id)).toMatchObject({ orders: 1, event: 1 })
  })
})

describe('many merchants, few customers', () => {
  it('two merchants that meet the same new phone at once, in two processes, share one customer', async () => {
    const merchants = await earningMerchants(database.db, 2)
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
    const merchants = await earningMerchants(database.db, 24)
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
    const merchants = await earningMerchants(database.db, 10)
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

describe('one failure does not affect others', () => {
  it('an earning that the database refuses fails alone; those of its batch are awarded', async () => {
    const merchants = await earningMerchants(database.db, 8)
    const earn = earnOn(database.db)
    const outcomes = await Promise.allSettled(
      merchants.map((merchant, index) =>
        earn(earningOf(merchant, index === 3 ? { phone: 'no phone' as Earning['phone'] } : {})),
      ),
    )
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(merchants.map((_, index) => index === 3))
    expect(outcomes[3]).toMatchObject({ reason: { message: refusedPhone } })
    expect(await countRows(database.owner, merchants[0]?.program_id ?? 0)).toMatchObject({ orders: 7 })
  })

  it('a wallet that cannot hold the points fails alone', async () => {
    const [one, two] = await earningMerchants(database.db, 2)
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn(database.db)
    const phone = freshPhone()
    await earn({ ...earningOf(one, { phone }), points: MAX_WALLET_POINTS })
    const [over, fine] = await Promise.allSettled([earn(earningOf(one, { phone })), earn(earningOf(two))])
    expect([over.status, fine.status]).toEqual(['rejected', 'fulfilled'])
    expect(over).toMatchObject({ reason: { failure: { errors: [{ field: 'total_price', rule: 'wallet_full' }] } } })
  })

  it('a merchant whose earning failed may earn again', async () => {
    const merchant = await oneMerchant(database.db)
    const earn = earnOn(database.db)
    await expect(earn(earningOf(merchant, { phone: 'x' as Earning['phone'] }))).rejects.toMatchObject({
      message: refusedPhone,
    })
    await earn(earningOf(merchant))
  })

  it('a reference number that is taken is drawn again', async () => {
    const [one, two] = await earningMerchants(database.db, 2)
    if (one === undefined || two === undefined) throw new Error('no merchants were made')
    const earn = earnOn(database.db)
    const taken = parseReferenceNumber(orderOf(await earn(earningOf(one))).reference_number)
    if (taken === null) throw new Error('no reference number')
    vi.mocked(ids.newReferenceNumber).mockReturnValueOnce(taken).mockReturnValueOnce(taken)
    const order = orderOf(await earn(earningOf(two)))
    expect(order.reference_number).not.toBe(taken)
    expect(await countRows(database.owner, one.program_id)).toMatchObject({ orders: 2, event: 2 })
  })
})

describe('a commit whose answer is lost', () => {
  it('is found by the next try: one order, one event, and the answer it would have had', async () => {
    const merchant = await oneMerchant(database.db)
    const proxy = await startProxy(database.url)
    const through = new Database(proxy.url, { ...patience, size: 2 })
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

  it('is never refused with "another earning is in progress", which would say that nothing was written', async () => {
    const [written, lost] = await earningMerchants(database.db, 2)
    if (written === undefined || lost === undefined) throw new Error('no merchants were made')
    const proxy = await startProxy(database.url)
    const through = new Database(proxy.url, { ...patience, size: 2 })
    /** Until somebody knows that the first try is over, it may still hold the lock. */
    const earnWhileLocked = (
      earning: Earning,
      when: 'before the server hears the COMMIT' | 'after the server has committed',
    ) =>
      new Promise<Earned>((resolve, reject) => {
        const done = Promise.withResolvers<Earned>()
        proxy.breakNextCommit(when, async () => {
          const held = Promise.withResolvers<void>()
          whileLocked(earning.merchant, () => {
            held.resolve()
            return done.promise.catch(() => undefined)
          }).then(() => resolve(done.promise), reject)
          await held.promise
        })
        earnOn(through)(earning).then(done.resolve, done.reject)
      })
    try {
      const earning = earningOf(written)
      expect(orderOf(await earnWhileLocked(earning, 'after the server has committed')).order_uuid).toBe(
        earning.order_uuid,
      )
      await expect(earnWhileLocked(earningOf(lost), 'before the server hears the COMMIT')).rejects.toBeInstanceOf(
        CommitUnknown,
      )
    } finally {
      await through.close()
      await proxy.close()
    }
  })
})
