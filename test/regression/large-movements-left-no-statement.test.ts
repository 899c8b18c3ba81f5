import { expect, it } from 'vitest'
import { MAX_POINTS_PER_SAR } from '../../src/domain/points.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, freshPhone, orderOf } from '../support/earnings.ts'
import { wordsOf } from '../support/shopper.ts'
import { agreed, signedIn } from '../support/wallets.ts'

const database = testDatabase()
const stage = checkoutStage(database)

// A wallet is bounded, what came and went in a month is not: above 2^53 points the statement answered 500.
it('a statement adds up whatever has come and gone', async () => {
  const { services } = stage.app
  const { program_id } = stage.shop.merchant
  const phone = freshPhone()
  const merchant = { ...stage.shop.merchant, points_per_sar_e4: MAX_POINTS_PER_SAR }
  for (let count = 1; count <= 91; count += 1) {
    const { order_uuid } = orderOf(
      await services.earn(earningOf(merchant, { phone, total: 99_999_999_999, order_number: `R-${count}` })),
    )
    await services.refundOrder(merchant, order_uuid, { amount_halalas: null, reason: null })
  }
  await agreed(database, program_id, phone)
  const me = await signedIn(services, stage.shopper(), { program_id, phone })
  const statement = wordsOf(await me.open(`/wallet/statement?program=${program_id}`))
  expect(statement).toContain(
    'Points added +9,099,999,999,909,000 Points deducted −9,099,999,999,909,000 Balance at the end 0',
  )
})
