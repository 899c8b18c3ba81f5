import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { asHalalas } from '../../../src/domain/money.ts'
import type { NewFinding } from '../../../src/features/payments/finding-queries.ts'
import { keepAll, readOpenFindings } from '../../../src/features/payments/findings.ts'
import { readTasksDue } from '../../../src/features/payments/tasks.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { createFindingMetrics, createPaymentMetrics } from '../../../src/observability/feature-metrics.ts'
import { createMetrics } from '../../../src/observability/metrics.ts'
import { oneShop, type Shop } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { replacingOrder } from '../../support/orders.ts'

const database = testDatabase({ leaves: ['due payment tasks'] })
let shop: Shop

beforeAll(async () => {
  shop = await oneShop(database.db)
})

async function task(state: 'due' | 'refused' | 'done', created_at: string): Promise<void> {
  const { program_id } = shop.merchant
  const { order_uuid } = await replacingOrder(database.db, shop.merchant)
  const payment_uuid = newUuid()
  await database.db.run({
    text: `insert into order_payment (program_id, payment_uuid, order_uuid, provider, amount_halalas, state, created_at,
        updated_at) values ($1, $2, $3, 'paytabs', 100, 'failed', $4, $4)`,
    values: [program_id, payment_uuid, order_uuid, created_at],
  })
  await database.db.run({
    text: `insert into payment_task (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, due_at,
        created_at, ended_at) values ($1, $2, $3, $4, 'give_back', 100, $5, $6, $6, $7)`,
    values: [program_id, newUuid(), payment_uuid, order_uuid, state, created_at, state === 'due' ? null : created_at],
  })
  if (state === 'refused') await keepAll(database.db, program_id, [refusedTask(order_uuid, payment_uuid)])
}

const refusedTask = (order_uuid: Uuid, payment_uuid: Uuid): NewFinding => ({
  ...{ finding_uuid: newUuid(), merchant_id: shop.merchant.merchant_id, order_uuid, payment_uuid, provider: 'paytabs' },
  ...{ provider_reference: null, amount_halalas: asHalalas(100), kind: 'give_back_refused', action: 'none' },
  ...{ detail: 'refused', refund_halalas: null, returned_points: null, reversed_points: null },
})

it('metrics count the due and the refused payment tasks, and the age of the oldest', async () => {
  const now = new Date('2026-02-01T09:00:00Z')
  const metrics = createMetrics()
  createPaymentMetrics(metrics.registry, () => readTasksDue(database.db, now))
  createFindingMetrics(metrics.registry, () => readOpenFindings(database.db))
  const lines = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('nuqta_pay'))
  expect(await lines()).toEqual([
    'nuqta_payment_tasks_due 0',
    'nuqta_payment_oldest_task_seconds 0',
    'nuqta_payment_tasks_refused 0',
  ])
  await task('due', '2026-02-01T08:59:30Z')
  await task('due', '2026-02-01T08:58:00Z')
  await task('refused', '2026-02-01T08:00:00Z')
  await task('done', '2026-02-01T07:00:00Z')
  expect(await lines()).toEqual([
    'nuqta_payment_tasks_due 2',
    'nuqta_payment_oldest_task_seconds 120',
    'nuqta_payment_tasks_refused 1',
  ])
})

it('metrics are unknown while the database is unreachable', async () => {
  const metrics = createMetrics()
  createPaymentMetrics(metrics.registry, () => Promise.reject(new Error('away')))
  expect(await metrics.registry.metrics()).toContain('nuqta_payment_tasks_due Nan')
})
