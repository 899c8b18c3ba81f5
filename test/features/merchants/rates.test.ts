import { expect, it } from 'vitest'
import type { Day } from '../../../src/domain/day.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import { asPoints, type MicroSarPerPoint } from '../../../src/domain/points.ts'
import { rateAt } from '../../../src/domain/rates.ts'
import { createAuthenticate } from '../../../src/features/merchants/authenticate.ts'
import { changeProgram } from '../../../src/features/merchants/program-settings.ts'
import { readProgram } from '../../../src/features/merchants/programs.ts'
import { oneShop, servicesOn } from '../../support/app.ts'
import { confirm, formOf, provenCheckout, sellBy, viewOf } from '../../support/checkouts.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'

// A rate begins at midnight in Riyadh, also for merchants loaded before. docs/spec/points-and-money.md#rate-days

const database = testDatabase({ leaves: ['open holds'] })
const value = (micro: number) => micro as MicroSarPerPoint

it('counts from the first moment of its day on: in a checkout, a wallet, and for a merchant loaded before', async () => {
  const shop = await oneShop(database.db)
  await sellBy(database.owner, shop, 'merchant')
  const { program_id } = shop.merchant
  // Two seconds before midnight in Riyadh, some days after the program was made.
  const midnight = new Date(`${new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)}T21:00:00Z`)
  const clock = new TestClock(new Date(midnight.getTime() - 2_000))
  const tomorrow = new Date(midnight.getTime() + 3 * 3_600_000).toISOString().slice(0, 10) as Day
  const rate = { micro_sar_per_point: value(10_000), begins_on: tomorrow }
  await changeProgram(database.db, program_id, { rate, now: clock.now() })

  const services = servicesOn(database.db, { clock })
  const checkout = await provenCheckout(database.db, services, shop, { points: 1_000 })
  const customer_id = (await viewOf(services, checkout)).customer?.customer_id
  const worth = async () => (await services.readWallet(program_id, customer_id ?? ('' as never)))?.micro_sar_per_point
  const merchant = await createAuthenticate(database.db)('private', shop.private_key)
  const known = () => rateAt(merchant?.program.rates ?? [], clock.now())
  const before = await formOf(services, checkout)
  expect([before.view.micro_sar_per_point, await worth(), known()]).toEqual([5_000, 5_000, 5_000])

  clock.advance(2)
  expect([(await viewOf(services, checkout)).micro_sar_per_point, await worth(), known()]).toEqual([
    10_000, 10_000, 10_000,
  ])
  // What was shown at yesterday's rate is shown again, even if the page was read before midnight.
  const shown = { points: asPoints(200), due_halalas: asHalalas(9_900) }
  expect(await services.confirmCheckout(before, shown)).toEqual({ kind: 'changed' })
  expect(await confirm(services, checkout, { points: 200 })).toEqual({ kind: 'changed' })
  const now_worth = { points: asPoints(200), due_halalas: asHalalas(9_800) }
  expect(await services.confirmCheckout(before, now_worth)).toEqual({ kind: 'reserved' })
})

it('is replaced by another one of the same day, and refused for a day that is over', async () => {
  const shop = await oneShop(database.db)
  const { program_id } = shop.merchant
  const now = new Date()
  for (const micro of [7_000, 8_000])
    await changeProgram(database.db, program_id, { rate: { micro_sar_per_point: value(micro) }, now })
  const ratesNow = async () => (await readProgram(database.db, program_id))?.rates
  const rates = await ratesNow()
  expect(rates?.map(({ micro_sar_per_point }) => micro_sar_per_point)).toEqual([8_000, 5_000])
  const past = { micro_sar_per_point: value(9_000), begins_on: '2026-01-01' as Day }
  await expect(changeProgram(database.db, program_id, { rate: past, now })).rejects.toThrow('validation')
  expect(await ratesNow()).toEqual(rates)
})
