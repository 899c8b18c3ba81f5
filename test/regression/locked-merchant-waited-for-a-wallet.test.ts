import { expect, test } from 'vitest'
import { createEarn } from '../../src/features/earning/service.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, freshPhone, makeMerchants, refusalOf, TestClock } from '../support/earnings.ts'

const database = testDatabase()

// What went wrong: an earning whose merchant was locked by another process locked its customer's wallet all the same.
// A repeated request, which is for the same customer, so waited for the first one to end instead of hearing 429 at once
// (decisions §5), and for a first one that hung it was a 503 after 15 seconds.
test('an earning that finds its merchant locked does not wait for the wallet that the lock’s holder has locked', async () => {
  const [merchant] = await makeMerchants(database.db, 1)
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
