import { beforeAll, expect, it } from 'vitest'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { asPoints, MAX_WALLET_POINTS } from '../../../src/domain/points.ts'
import { type Adjustment, adjustWallet } from '../../../src/features/wallet/adjust.ts'
import { testDatabase } from '../../support/database.ts'
import { freshPhone, oneMerchant, TestClock } from '../../support/earnings.ts'
import { customerWith, pointsOf } from '../../support/orders.ts'

// The ledger is compared with the wallets after the file, so every adjustment here is balanced.
const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
let merchant: Merchant
let program: Adjustment['program']

beforeAll(async () => {
  merchant = await oneMerchant(database.db)
  program = merchant.program
})

function adjust(phone: Phone, points: number, reason = 'A gift'): Promise<unknown> {
  return adjustWallet(database.db, clock, { program, phone, typed: phone, points: asPoints(points), reason })
}

it('adds points and takes them, with the reason, and fires no event', async () => {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const events = () => database.db.run({ text: 'select event_id from event', values: [] })
  const before = (await events()).length
  await adjust(phone, 50)
  await adjust(phone, -170, 'Given twice')
  expect(await pointsOf(database.db, merchant, phone)).toEqual([-20, 0])
  const made = await database.db.run({
    text: `select kind, reason, created_at from transfer where program_id = $1 and kind = 'adjust' order by transfer_id`,
    values: [merchant.program_id],
  })
  expect(made.slice(-2)).toEqual([
    { kind: 'adjust', reason: 'A gift', created_at: clock.now() },
    { kind: 'adjust', reason: 'Given twice', created_at: clock.now() },
  ])
  expect(await events()).toHaveLength(before)
})

it('refuses what would leave the bound of a wallet, and an unknown phone', async () => {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  await expect(adjust(phone, MAX_WALLET_POINTS)).rejects.toThrow('takes 99999999999900 more')
  await adjust(phone, -MAX_WALLET_POINTS)
  await expect(adjust(phone, -101)).rejects.toThrow('from this one 100 can be taken')
  expect(await pointsOf(database.db, merchant, phone)).toEqual([100 - MAX_WALLET_POINTS, 0])
  await expect(adjust(freshPhone(), 1)).rejects.toThrow('No customer of this program has the phone')
})

it('two at once both count', async () => {
  const phone = await customerWith(database.db, merchant, { points: 10 })
  await Promise.all([adjust(phone, 5), adjust(phone, 7), adjust(phone, -2)])
  expect(await pointsOf(database.db, merchant, phone)).toEqual([20, 0])
})
