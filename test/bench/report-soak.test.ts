import { expect, it } from 'vitest'
import { deletionOf, renderSoak, soakCurves } from '../../src/bench/report-soak.ts'
import type { Sample, SoakBenchResult } from '../../src/bench/soak.ts'

const sizes = { database_mb: 100, queue_mb: 5, rss_mb: 240 }
const times = { p50_ms: 20, p99_ms: 80 }
const sample = (at_s: number, changes: Partial<Sample> = {}): Sample => ({
  ...{ at_s, earnings_per_s: 1_950, deliveries_per_s: 1_950, waiting: 0, dead_rows: 10 },
  ...{ ...sizes, ...times, ...changes },
})
const older: SoakBenchResult = {
  ...{ database: 'PostgreSQL 18.4', full_speed_per_s: 4_083, pace_per_s: 2_041, lost: 0, ledger_differences: 0 },
  samples: [sample(10), sample(20, { earnings_per_s: 2_000 })],
}

const table = { vacuums: 0, autovacuums: 2, dead_rows: 10, table_mb: 24, indexes_mb: 35 }
const withTables = (autovacuums: number, dead_rows: number) => ({
  orders: { ...table, autovacuums },
  delivery_queue: { ...table, dead_rows },
})
const newer: SoakBenchResult = {
  ...older,
  reached_per_s: 1_975,
  expired: { event: 300, request_log: 200 },
  samples: [
    sample(10, { tables: withTables(2, 500), expired: { event: 300, request_log: 200 } }),
    sample(20, { tables: withTables(4, 900), expired: { event: 300, request_log: 50 }, p99_ms: 120 }),
    sample(30, { tables: withTables(9, 100), expired: { event: 0, request_log: 0 }, p99_ms: 110 }),
    sample(40, { tables: withTables(11, 300), expired: { event: 0, request_log: 0 }, p99_ms: 90 }),
  ],
}

it('shows the pace that was reached beside the one that was asked for', () => {
  expect(renderSoak(newer)).toMatch(/^1,975 earnings a second of the 2,041 asked for, half of 4,083, for 40 s;/)
})

it('shows vacuums, dead rows and sizes of each table', () => {
  const text = renderSoak(newer)
  expect(text).toMatch(/orders +autovacuums 9, dead rows 10 at most, 24 MB and 35 MB of indexes at last/)
  expect(text).toMatch(/delivery_queue +autovacuums 0, dead rows 900 at most/)
})

it('shows that what was past retention was deleted, and what earnings felt of it', () => {
  const deletion = { rows: 500, left: 0, from_s: 10, until_s: 30, during_p99_ms: 120, otherwise_p99_ms: 90 }
  expect(deletionOf(newer)).toEqual(deletion)
  const text = renderSoak(newer)
  expect(text).toMatch(/Rows past retention that are left +0 of 500, deleted from 10 s to 30 s +0$/m)
  expect(text).toMatch(/p99 while they were deleted +120\.00 ms at most, otherwise 90\.00 ms in the median$/m)
})

it('says how much is left where the soak ended before the maintenance began', () => {
  const short = { ...newer, samples: newer.samples.slice(0, 1) }
  expect(deletionOf(short)).toMatchObject({ rows: 500, left: 500, from_s: null, until_s: null })
  expect(renderSoak(short)).toMatch(/Rows past retention that are left +500 of 500 +0$/m)
  expect(renderSoak(short)).not.toContain('while they were deleted')
})

it('draws curves of tables and of rows past retention', () => {
  const values = new Map(soakCurves(newer).map((curve) => [curve.name, curve.values]))
  expect(values.get('autovacuums so far')).toEqual([4, 6, 11, 13])
  expect(values.get('indexes of all tables, MB')).toEqual([70, 70, 70, 70])
  expect(values.get('dead rows of all tables')).toEqual([510, 910, 110, 310])
  expect(values.get('rows past retention')).toEqual([500, 350, 0, 0])
})

it('shows an older result, which has neither tables nor rows past retention', () => {
  const text = renderSoak(older)
  expect(text).toMatch(/^1,975 earnings a second of the 2,041 asked for, half of 4,083, for 20 s;/)
  expect(text).not.toMatch(/autovacuums|retention/)
  expect(deletionOf(older)).toBeUndefined()
  const names = soakCurves(older).map(({ name }) => name)
  expect(names).toHaveLength(9)
  expect(names).not.toContain('autovacuums so far')
})
