import { expect, it } from 'vitest'
import { countExpired, type ExpiredCounts, loadExpired, retentionSettings } from '../../src/bench/expired.ts'
import { lookAtTables } from '../../src/bench/tables.ts'
import { dropOldPartitions } from '../../src/db/partitions.ts'
import { verifyLedger } from '../../src/db/verify.ts'
import { purgeExpired } from '../../src/features/deployment/maintenance.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { register } from '../support/deliveries.ts'

const database = testDatabase()
const counts: ExpiredCounts = {
  ...{ event: 40, delivery: 40, delivery_attempt: 40 },
  ...{ request_log: 30, idempotency: 20, wallet_session: 10 },
}
const none = { event: 0, delivery: 0, delivery_attempt: 0, request_log: 0, idempotency: 0, wallet_session: 0 }
const [retention_days, request_log_days] = [
  Number(retentionSettings.NUQTA_RETENTION_DAYS),
  Number(retentionSettings.NUQTA_REQUEST_LOG_DAYS),
]

it('writes rows that the maintenance deletes, all of them, with their months', async () => {
  const { db, owner } = database
  const merchant = await makeMerchant(db)
  await register(db, merchant, 'https://localhost:1/hook')
  const now = new Date()
  expect(await countExpired(db, merchant.program_id, now)).toEqual(none)
  expect(await loadExpired(owner, [merchant], now, counts)).toEqual(counts)
  expect(await countExpired(db, merchant.program_id, now)).toEqual(counts)
  expect((await verifyLedger(db)).differences).toEqual([])

  const clock = { now: () => now }
  await purgeExpired({ open: { service: db }, clock, retention_days, request_log_days })
  const months = { event: 40, delivery: 40, delivery_attempt: 40 }
  expect(await countExpired(db, merchant.program_id, now)).toEqual({ ...none, ...months })
  expect(await dropOldPartitions(owner, now, retention_days)).toHaveLength(3)
  expect(await countExpired(db, merchant.program_id, now)).toEqual(none)
})

it('measures tables with and without partitions', async () => {
  const { tables, database_mb } = await lookAtTables(database.db, ['merchant', 'event'])
  expect(Object.keys(tables)).toEqual(['merchant', 'event'])
  const { merchant, event } = tables
  expect(merchant?.table_mb).toBeGreaterThan(0)
  expect(merchant?.indexes_mb).toBeGreaterThan(0)
  expect(event?.indexes_mb).toBeGreaterThan(0)
  expect(event?.vacuums).toBe(0)
  expect(database_mb).toBeGreaterThan((merchant?.table_mb ?? 0) + (merchant?.indexes_mb ?? 0))
})
