import { expect, test } from 'vitest'
import { createEarn } from '../../src/features/earning/service.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, freshPhone, refusalOf, TestClock } from '../support/earnings.ts'

const database = testDatabase()

// What went wrong: an earning locked its customer's wallet even if another process held the lock of its merchant. A
// repeated request, for the same customer, then waited for the first one instead of answering 429 at once
// (docs/spec/earning.md#lock). If the first one hung, it answered 503 after 15 seconds.
test('an earning that finds its merchant locked does not wait for the wallet that the lock’s holder has locked', async () => {
  const [merchant] = await earningMerchants(database.db, 1)
  if (merchant === undefined) throw new Error('no merchant was made')
  const clock = new TestClock('2026-02-01T09:00:00Z')
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const phone = freshPhone()
  await earn(earningOf(merchant, { phone }))
  await database.owner.transaction(async (tx) => {
    const values = [merchant.program_id]
    await tx.run({ text: 'select from earning_lock where program_id = $1 for no key update', values })
    await tx.run({ text: 'select from account where program_id = $1 for no key update', values })
    // Answered although the wallet stays locked until the end of this transaction.
    const refusal = await refusalOf(earn(earningOf(merchant, { phone })))
    expect(refusal).toEqual({ kind: 'earning_in_progress' })
  })
})
