import { expect, it } from 'vitest'
import { concernsOf, type Health } from '../../dashboard/src/pages/health/concerns.ts'

const nothing = { due: 0, oldest_s: 0, last_error: null }

/** A service at which all is well but the deliveries of two merchants. */
function healthWith(failed: readonly number[]): Health {
  const merchants = failed.map((count, index) => ({
    ...{ merchant_id: index + 1, program_id: 1, name: 'Tea House', name_ar: null },
    ...{ due: 0, oldest_due_s: 0, failed: count },
  }))
  return {
    at: '2026-02-01T09:00:00.000Z',
    database: { oldest_transaction_s: null, connections: 1, most_connections: 100, backed_up_at: null },
    tables: [],
    deliveries: { waiting: 33, oldest_due_s: 0, merchants },
    messages: nothing,
    payment_tasks: { ...nothing, refused: 0 },
    processes: [{ role: 'all', life: 'running', version: '0.1.0', jobs: [], checks: null }],
  } as unknown as Health
}

it('the health page does not say that all is well while deliveries have failed for good', () => {
  expect(concernsOf(healthWith([0, 0]))).toEqual([])
  expect(concernsOf(healthWith([2, 1]))).toEqual([
    { text: 'health.deliveries_given_up', values: { count: 3, number: 3 } },
  ])
})
