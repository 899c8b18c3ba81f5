import { expect, it } from 'vitest'
import type { GrowthBenchResult } from '../../src/bench/growth.ts'
import { renderGrowth } from '../../src/bench/report-growth.ts'

const work = { seconds: 10, alone_p99_ms: 7, beside_p99_ms: 13, refused: 0 }

/** As results were stored before both databases were measured alike. */
const older: GrowthBenchResult = {
  ...{ database: 'PostgreSQL 18.1', orders: 1_000_000, customers: 100_000, load_s: 106.27 },
  ...{ verify: { ...work, entries: 2_060_000 }, preview: work, close: { ...work, refused: 1 }, ledger_differences: 0 },
  ...{ p50_ms: { small: 1.6, grown: 1.66 }, p50_ratio: 1.04 },
  ...{ earnings_per_s: { small: 2_749, grown: 2_743 }, reference_per_s: { small: 2_442, grown: 2_109 } },
  ...{ reads_per_s: { small: 9_510, grown: 10_080 }, views: [{ name: 'customers', small: 1.08, grown: 1.09 }] },
  ...{ backup_s: 10.6, restore_s: 48.1 },
}

/** The columns of a table's lines, without its targets. */
const linesOf = (result: GrowthBenchResult) =>
  renderGrowth(result)
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(0, 2))

it('shows an older result without what it does not have', () => {
  expect(linesOf(older)).toEqual([
    ['1,000,000 orders of 100,000 customers, written in 106.3 s'],
    [''],
    ['P3 p50 of one earning: with 10,000 orders, grown, ratio', '1.60 ms, 1.66 ms, 1.04'],
    ['Earnings, 32 connections', '2,749/s, 2,743/s'],
    ['pgbench, one call and commit an earning, 8 clients', '2,442/s, 2,109/s'],
    ['P1 at 32 connections / pgbench', '1.13, 1.30'],
    ['P8 reads of single orders, 32 connections', '9,510/s, 10,080/s'],
    ['P12 customers, p50', '1.08 ms, 1.09 ms'],
    ['P11 ledger verify', '206,000/s entries, 10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement preview', '10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement close', '10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside, 1 answered with 429'],
    ['P14 backup', '10.6 s'],
    ['P14 restore', '48.1 s'],
    ['ledger verify, differences', '0'],
  ])
})

it('shows the small database beside the grown one, and ratios with their ranges', () => {
  const fast = { ...work, seconds: 0.5 }
  const lines = linesOf({
    ...older,
    figures_s: 60,
    p50_ms: { small: 1.6, grown: 1.66, ratio: 1.04, range: [1.01, 1.06] },
    small: {
      ...{ verify: { ...fast, entries: 20_000 }, preview: fast, close: fast, ledger_differences: 2 },
      ...{ backup_s: 1, restore_s: 4 },
    },
  })
  expect(lines[0]).toEqual(['1,000,000 orders of 100,000 customers, written in 106.3 s, their daily figures in 60.0 s'])
  expect(lines[2]?.[1]).toBe('1.60 ms, 1.66 ms, 1.04, 95 % CI 1.01 to 1.06')
  expect(lines.slice(8)).toEqual([
    ['P11 ledger verify, 10,000 orders', '40,000/s entries, 0.5 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P11 ledger verify, grown', '206,000/s entries, 10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement preview, 10,000 orders', '0.5 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement preview, grown', '10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement close, 10,000 orders', '0.5 s; p99 of earnings 7.00 ms alone, 13.00 ms beside'],
    ['P13 settlement close, grown', '10.0 s; p99 of earnings 7.00 ms alone, 13.00 ms beside, 1 answered with 429'],
    ['P14 backup', '1.0 s, 10.6 s'],
    ['P14 restore', '4.0 s, 48.1 s'],
    ['ledger verify, differences', '2'],
  ])
})
