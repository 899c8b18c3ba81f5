import { expect, test } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { createFindings, purgeFindings } from '../../src/features/payments/findings.ts'
import { app_noon } from '../support/app.ts'
import { bookedShop, paidCheckout } from '../support/booked-shop.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { providersOf, reconcilePayments } from '../support/payments.ts'

// A handled finding was purged NUQTA_RETENTION_DAYS after it was handled, though its payment still disagreed. The next run found
// it anew, as open (docs/spec/payments.md#findings).

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const clock = new TestClock(app_noon)
const booked = bookedShop(database, clock)

test('a handled finding stays handled for as long as it stands, and is purged in time after that', async () => {
  const { provider, shop } = booked()
  const before = new Date(Date.now() - 60_000)
  const { payment_uuid } = await paidCheckout(database.db, booked())
  provider.arrive(payment_uuid, 'paid', 9_000)
  clock.advance(3_600)
  const reconcile = () => reconcilePayments({ db: database.db, clock, payments: providersOf({ sandbox: provider }) })
  await reconcile()
  const { program_id } = shop.merchant
  const findings = createFindings(database.db)
  const list = () => findings.list(program_id, undefined, { before: undefined, size: 10 })
  const [finding] = await list()
  const finding_uuid = finding?.finding_uuid as Uuid
  await findings.change({ program_id, finding_uuid }, { handled: true }, { source: 'dashboard', name: 'Sara' })
  const age = (column: string) =>
    database.owner.run({
      text: `update reconciliation_finding set ${column} = now() - interval '500 days' where finding_uuid = $1`,
      values: [finding_uuid],
    })
  await age('ended_at')
  expect(await purgeFindings(database.db, before)).toBe(0)
  await reconcile()
  expect(await list()).toMatchObject([{ finding_uuid, state: 'handled' }])
  await age('seen_at')
  expect(await purgeFindings(database.db, before)).toBe(1)
})
