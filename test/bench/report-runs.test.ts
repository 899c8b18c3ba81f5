import { expect, it } from 'vitest'
import type { ProcessesBenchResult } from '../../src/bench/processes.ts'
import { renderProcesses } from '../../src/bench/report-runs.ts'
import { stretchOf } from '../../src/bench/rolling.ts'

const times = { p50_ms: 20, p99_ms: 80, longest_ms: 190.5 }
const processes: ProcessesBenchResult = {
  database: 'PostgreSQL 18.4',
  connections: 128,
  rates: [{ processes: 2, per_second: 5_000, refused: 7 }],
  ledger_differences: 0,
}

it('every answer but 200 is a failure of a restart, and so is a request without one', () => {
  const load = { seconds: 4, statuses: { 200: 8_000, 429: 1, 503: 2, broken: 3 }, ...times }
  expect(stretchOf(load)).toEqual({
    ...{ seconds: 4, per_second: 2_000, ...times },
    failed: { 429: 1, 503: 2, broken: 3 },
  })
})

it('shows what failed while processes were restarted', () => {
  const calm = { seconds: 8, per_second: 4_000, ...times, failed: {} }
  const rolling = { connections: 128, drain_s: 5, before: calm, during: calm, restarts_s: [6.54, 7.2] }
  const clean = renderProcesses({ ...processes, rolling })
  expect(clean).toMatch(/The same, restarted in turn +4,000\/s earnings, .*longest 190\.50 ms; 6\.5 s and 7\.2 s/)
  expect(clean).toMatch(/Requests that failed meanwhile +0 +0$/m)
  const broken = renderProcesses({
    ...processes,
    rolling: { ...rolling, during: { ...calm, failed: { 503: 2, broken: 3 } } },
  })
  expect(broken).toMatch(/Requests that failed meanwhile +2 × 503, 3 × broken +0$/m)
})

it('shows an older result, whose processes were not restarted', () => {
  expect(renderProcesses(processes)).not.toContain('restarted')
})
