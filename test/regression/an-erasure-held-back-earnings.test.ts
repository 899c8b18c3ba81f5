import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { eraseCustomer } from '../../src/features/deployment/erasure.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, oneMerchant, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { waitForLocks } from '../support/wait.ts'

// An erasure held the wallet from its beginning to its end: 40 s with 40,000 orders. Earnings of the customer waited so long, and those of
// all others in the program behind them, until they failed.

const database = testDatabase({ leaves: ['due messages'] })
const clock = new TestClock('2026-02-01T09:00:00.000Z')

it('a customer earns while the orders of before are erased, and what is earned is erased too', async () => {
  const merchant = await oneMerchant(database.db)
  const { program_id } = merchant
  const phone = await customerWith(database.db, merchant, { points: 10 })
  const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
  const earn = createEarn({ db: database.db, clock, lock_window_s: 10 })
  const earning = earningOf(merchant, { phone, metadata: JSON.stringify({ who: 'Noura' }) })
  const parts = { owner: database.owner, secrets: createSecretBox(defaults.secret_key) }
  const erased: Promise<unknown>[] = []
  await database.owner.transaction(async (tx) => {
    // The erasure stops here, in the middle of the orders.
    await tx.run({
      text: `select from event e join orders o on o.program_id = e.program_id and o.order_uuid = e.order_uuid
        where e.program_id = $1 and o.customer_id = $2 for no key update of e`,
      values: [program_id, customer_id],
    })
    const by = { source: 'command', name: 'Sara' } as const
    erased.push(eraseCustomer({ ...parts, by }, { program_id, phone, typed: phone }))
    await waitForLocks(database.owner, 1)
    expect(await earn(earning)).toMatchObject({ kind: 'order' })
  })
  await Promise.all(erased)
  const left = await database.owner.one({
    text: `select o.customer_id, o.metadata, o.items, e.payload::text like '%Noura%' as told from orders o
      join event e on e.program_id = $1 and e.order_uuid = o.order_uuid where o.program_id = $1 and o.order_uuid = $2`,
    values: [program_id, earning.order_uuid],
  })
  expect(left).toEqual({ customer_id, metadata: null, items: null, told: false })
  expect(await walletOf(database.db, program_id, phone)).toBeUndefined()
})
