import { expect, it } from 'vitest'
import { excludeOrder, includeOrder } from '../../src/features/settlement/exclusion.ts'
import { testDatabase } from '../support/database.ts'
import { oneMerchant, refusalOf, TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'

// A merchant has room for 1,000 orders in dispute. One more was refused as not paid, or of a closed period, which it was
// not: nothing said that others have to be taken in again.

const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')

it('one order too many in dispute is refused for that, until another is taken in again', async () => {
  const { db, owner } = database
  const merchant = await oneMerchant(db)
  const { program_id, merchant_id } = merchant
  const [first, last] = [await earningOrder(db, merchant, { clock }), await earningOrder(db, merchant, { clock })]
  const of = ({ order_uuid }: typeof first) => ({ program_id, merchant_id, order_uuid, now: clock.now() })
  await excludeOrder(db, { ...of(first), reason: 'In dispute' })
  const others = `insert into settlement_exclusion (program_id, order_uuid, merchant_id, excluded_at)
    select $1::bigint, gen_random_uuid(), $2::bigint, $3::timestamptz from generate_series(2, 1000)`
  await owner.run({ text: others, values: [program_id, merchant_id, clock.now()] })

  const exclude = () => excludeOrder(db, { ...of(last), reason: 'In dispute' })
  expect(await refusalOf(exclude())).toEqual({ kind: 'left_out_full' })
  await includeOrder(db, of(first))
  await exclude()
})
