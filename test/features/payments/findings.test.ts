import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { FindingRow } from '../../../src/features/payments/finding-queries.ts'
import { createFindings, purgeFindings } from '../../../src/features/payments/findings.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import type { Services } from '../../../src/routes.ts'
import { app_noon, oneShop, type Shop, servicesOn } from '../../support/app.ts'
import { BookedProvider } from '../../support/booked-provider.ts'
import { paidCheckout } from '../../support/booked-shop.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { providersOf, reconcilePayments } from '../../support/payments.ts'

// A finding of the payment reconciliation is kept for operators with its resolution, however often the reconciliation runs.

const database = testDatabase({ leaves: ['open holds', 'due payment tasks'] })
const by = { source: 'dashboard', name: 'operator@nuqta.example' } as const
let clock: TestClock
let provider: BookedProvider
let services: Services
let shop: Shop

beforeAll(async () => {
  clock = new TestClock(app_noon)
  provider = new BookedProvider()
  services = servicesOn(database.db, { clock, payments: providersOf({ sandbox: provider }) })
  shop = await oneShop(database.db)
})

const reconcile = () => reconcilePayments({ db: database.db, clock, payments: providersOf({ sandbox: provider }) })
const found = async (state?: FindingRow['state']) =>
  createFindings(database.db).list(shop.merchant.program_id, state, { before: undefined, size: 10 })

async function paid() {
  const { order_uuid, payment_uuid } = await paidCheckout(database.db, { provider, services, shop })
  return { order_uuid, payment_uuid }
}

it('a finding is kept once, however many runs find it, and a reversal says what was given back', async () => {
  const [odd, gone] = [await paid(), await paid()]
  provider.arrive(odd.payment_uuid, 'paid', 9_000)
  provider.books.delete(gone.payment_uuid)
  clock.advance(3_600)
  await reconcile()
  await reconcile()
  const [first, second] = [...(await found())].sort((a, b) => b.times - a.times)
  const common = { merchant_name: 'Shop', state: 'open', note: null, ended_at: null, amount_halalas: 9_750 }
  const kind = { kind: 'amount_differs', action: 'none', times: 2, refund_halalas: null, detail: 'paid, 90.00 SAR' }
  expect(first).toMatchObject({ ...common, ...odd, ...kind, order_status: 'approved' })
  const back = { refund_halalas: 10_000, returned_points: 500, reversed_points: 975 }
  const reversed = { kind: 'missing', action: 'reversed', times: 1, order_status: 'fully_refunded' }
  expect(second).toMatchObject({ ...common, ...gone, ...reversed, ...back })
  expect(await createFindings(database.db).countOpen(shop.merchant.program_id)).toBe(2)
})

it('a finding resolves itself when its payment agrees, and a later run can open it again', async () => {
  const [order] = (await found()).filter(({ kind }) => kind === 'amount_differs')
  if (order === undefined) throw new Error('no finding')
  provider.arrive(order.payment_uuid, 'paid', 9_750)
  await reconcile()
  expect(await found('resolved')).toMatchObject([{ finding_uuid: order.finding_uuid, ended_at: expect.any(Date) }])
  const again = { text: 'update order_payment set reconciled_at = null where payment_uuid = $1' }
  await database.owner.run({ ...again, values: [order.payment_uuid] })
  provider.arrive(order.payment_uuid, 'paid', 9_000)
  await reconcile()
  expect(await found('resolved')).toEqual([])
  expect(await found('open')).toHaveLength(2)
})

it('a handled finding stays handled in later runs, with its note; the audit log has no text of it', async () => {
  const { program_id, merchant_id } = shop.merchant
  const [order] = (await found()).filter(({ kind }) => kind === 'amount_differs')
  const of = { program_id, finding_uuid: order?.finding_uuid as Uuid }
  const findings = createFindings(database.db)
  const note = 'Asked the bank: 7.50 SAR come tomorrow.'
  const handled = { state: 'handled', note, changed_by: by.name, ended_at: expect.any(Date) }
  expect(await findings.change(of, { handled: true, note }, by)).toMatchObject(handled)
  await reconcile()
  expect(await found('handled')).toMatchObject([{ finding_uuid: of.finding_uuid, note, times: 4 }])
  expect(await findings.change(of, { handled: false }, by)).toMatchObject({ state: 'open', note, ended_at: null })
  const rows = await database.owner.run({
    text: `select object, before, after from audit where action = 'findings.set' order by audit_id`,
    values: [],
  })
  expect(rows).toEqual([
    {
      object: `order:${order?.order_uuid}`,
      before: { state: 'open', has_note: false },
      after: { state: 'handled', has_note: true },
    },
    { object: `order:${order?.order_uuid}`, before: { state: 'handled' }, after: { state: 'open' } },
  ])
  expect(merchant_id).toBe(order?.merchant_id)
  await expect(findings.change({ ...of, finding_uuid: newUuid() }, {}, by)).rejects.toThrow()
})

it('findings that have ended are purged in time; open ones stay', async () => {
  const [one] = await found()
  const of = { program_id: shop.merchant.program_id, finding_uuid: one?.finding_uuid as Uuid }
  await createFindings(database.db).change(of, { handled: true }, by)
  expect(await purgeFindings(database.db, new Date(Date.now() - 60_000))).toBe(0)
  expect(await purgeFindings(database.db, new Date(Date.now() + 60_000))).toBe(1)
  expect(await found()).toHaveLength(1)
})
