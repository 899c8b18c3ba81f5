import { expect, test } from 'vitest'
import { grace_ms } from '../../src/features/activity/count.ts'
import { countAll, countOn } from '../support/activity.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, earnOn, freshPhone, TestClock } from '../support/earnings.ts'

// A merchant who gave and took back full wallets, ninety thousand times a day, made a sum of points too large for its column. The
// job failed from then on, for all merchants of the program.

const database = testDatabase()

test('other figures are still counted once a sum of points has no more room', async () => {
  const [merchant, other] = await earningMerchants(database.db, 2)
  if (merchant === undefined || other === undefined) throw new Error('no merchants were made')
  const { program_id, merchant_id } = merchant
  const earn = earnOn(database.db, new TestClock('2026-02-01T09:00:00Z'))
  const count = () => countAll(countOn(database.db, { machine_ms: () => Date.now() + grace_ms }))
  const phone = freshPhone()
  await count()
  await earn(earningOf(merchant, { phone }))
  await count()
  for (const [table, column] of [
    ['activity_day', 'issued_points'],
    ['merchant_customer', 'earned_points'],
  ])
    await database.owner.run({
      text: `update ${table} set ${column} = 9223372036854775807 where program_id = $1 and merchant_id = $2`,
      values: [program_id, merchant_id],
    })
  await earn(earningOf(merchant, { phone }))
  await earn(earningOf(other, { phone }))
  await count()
  const days = await database.db.run({
    text: `select d.merchant_id, d.purchases, d.issued_points::text as issued_points, c.orders, c.earned_points::text as earned_points
      from activity_day d join merchant_customer c using (program_id, generation, merchant_id)
      where program_id = $1 order by d.merchant_id`,
    values: [program_id],
  })
  const full = '9223372036854775807'
  expect(days).toMatchObject([
    { merchant_id, purchases: 2, issued_points: full, orders: 2, earned_points: full },
    { merchant_id: other.merchant_id, purchases: 1, orders: 1 },
  ])
})
