import { beforeAll, expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { findOpenHolds, type WalletKey } from '../../src/features/wallet/queries.ts'
import { testDatabase } from '../support/database.ts'
import { oneMerchant, walletOf } from '../support/earnings.ts'
import { customerWith, expireHold, replacingOrder } from '../support/orders.ts'
import { rowsRead, stepsOf } from '../support/reads.ts'

// The open holds of a wallet were found by its entries: with a million of them, one held point took more than a second.

const database = testDatabase({ plans: 'by_key', leaves: ['open holds'] })
let key: WalletKey

beforeAll(async () => {
  const { db } = database
  const merchant = await oneMerchant(db)
  const phone = await customerWith(db, merchant, { points: 100 })
  for (const points of [1, 2, 3, 4, 5]) {
    const { order_uuid } = await replacingOrder(db, merchant, { phone, points })
    if (points % 2 === 0) await expireHold(db, merchant, order_uuid)
  }
  const wallet = await walletOf(db, merchant.program_id, phone)
  key = { program_id: merchant.program_id, customer_id: wallet?.customer_id as Uuid }
})

test('no entry is read, nor a hold that has ended', async () => {
  const steps = await stepsOf(database.db, findOpenHolds(key))
  expect(steps.map((step) => step['Relation Name'])).not.toContain('entry')
  const holds = steps.filter((step) => step['Relation Name'] === 'hold')
  expect(holds.map((step) => [step['Index Name'], rowsRead(step)])).toEqual([['hold_account_idx', 3]])
})

test('the newest comes first', async () => {
  expect((await database.db.run(findOpenHolds(key))).map(({ points }) => points)).toEqual([5, 3, 1])
})
