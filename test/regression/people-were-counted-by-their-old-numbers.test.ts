import { expect, it } from 'vitest'
import { parseDay } from '../../src/domain/day.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { createReadProgramFigures } from '../../src/features/activity/program-overview.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { mergeCustomers } from '../../src/features/people/merge.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { oneMerchant, TestClock, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

// The first page of a program counted wallets and called them customers: a person whose numbers were merged twice, and who
// was erased for ever.

const database = testDatabase()
const by = { source: 'command', name: 'Sara' } as const

it('a program counts a person with two numbers once, and nobody who is erased', async () => {
  const { db, owner } = database
  const merchant = await oneMerchant(db)
  const { program_id } = merchant
  const day = parseDay('2026-02-01')
  if (day === null) throw new Error('no such day')
  const period = { from: day, to: day }
  // Each reader keeps the sums for a minute.
  const read = async () => (await createReadProgramFigures(db)(program_id, { period, before: period })).wallets
  const customer = () => customerWith(db, merchant, { points: 100 })
  const before = await read()
  const [one, other, gone] = [await customer(), await customer(), await customer()]
  expect(await read()).toMatchObject({ customers: before.customers + 3 })

  const from = (await walletOf(db, program_id, one))?.customer_id as Uuid
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  await mergeCustomers({ db, clock }, { program_id, from, into_phone: other, locale: 'en', by })
  await eraseCustomer(
    { owner, secrets: createSecretBox(defaults.secret_key), by },
    { program_id, phone: gone, typed: gone },
  )
  // The points of an erased customer stay.
  expect(await read()).toEqual({
    customers: before.customers + 1,
    posted: String(Number(before.posted) + 300),
    held: '0',
  })
})
