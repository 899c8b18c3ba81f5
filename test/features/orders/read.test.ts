import { describe, expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../src/db/failure.ts'
import { Database } from '../../../src/db/pool.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import { createEarn } from '../../../src/features/earning/service.ts'
import { createReadOrder } from '../../../src/features/orders/service.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { testDatabase } from '../../support/database.ts'
import { earningMerchants, earningOf, orderOf, refusalOf, TestClock } from '../../support/earnings.ts'

const database = testDatabase()
const notFound = { kind: 'order_not_found' }

async function orderAt(merchant: Merchant) {
  const earn = createEarn({ db: database.db, clock: new TestClock('2026-02-01T09:00:00Z'), lock_window_s: 10 })
  return orderOf(await earn(earningOf(merchant)))
}

async function twoMerchants(): Promise<[Merchant, Merchant]> {
  const [one, two] = await earningMerchants(database.db, 2)
  if (one === undefined || two === undefined) throw new Error('no merchants were made')
  return [one, two]
}

describe('an order is read', () => {
  it('by its merchant, any number of times', async () => {
    const [merchant] = await twoMerchants()
    const order = await orderAt(merchant)
    const read = createReadOrder(database.db)
    const answers = await Promise.all(Array.from({ length: 5 }, () => read(merchant, order.order_uuid)))
    expect(answers).toEqual(Array.from({ length: 5 }, () => order))
  })

  it('by its owner and another merchant in one batch: the other does not see it', async () => {
    const [owner, other] = await twoMerchants()
    const order = await orderAt(owner)
    const read = createReadOrder(database.db)
    const [first, mine, last] = await Promise.all([
      refusalOf(read(other, order.order_uuid)),
      read(owner, order.order_uuid),
      refusalOf(read(other, order.order_uuid)),
    ])
    expect([first, mine, last]).toEqual([notFound, order, notFound])
  })

  it('never by a merchant of another program, nor when it does not exist', async () => {
    const [owner] = await twoMerchants()
    const [foreign] = await twoMerchants()
    const order = await orderAt(owner)
    const read = createReadOrder(database.db)
    const both = await Promise.all([
      refusalOf(read(foreign, order.order_uuid)),
      refusalOf(read(owner, newUuid())),
      read(owner, order.order_uuid),
    ])
    expect(both).toEqual([notFound, notFound, order])
  })

  it('not while the database is unreachable: the answer is not "not found"', async () => {
    const [merchant] = await twoMerchants()
    const away = new Database('postgresql://nobody@127.0.0.1:1/none', { connect_timeout_ms: 200 })
    const asked = Array.from({ length: 3 }, () => createReadOrder(away)(merchant, newUuid()))
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.toSatisfy(isDatabaseUnavailable) })
    await away.close()
  })
})
