import type { PaintBenchResult } from './paint.ts'
import { columns, ms } from './report.ts'

/** Renders the bench of painted pages as a table. */
export function renderPaint(result: PaintBenchResult): string {
  const lines = result.paints.map(({ page, language, cold, median_ms, fastest_ms, slowest_ms }) => ({
    what: `${page}, ${language}, ${cold ? 'first page of a browser' : 'after it'}`,
    measured: `median ${ms(median_ms)}, from ${ms(fastest_ms)} to ${ms(slowest_ms)} in ${result.repetitions}`,
    target: '',
  }))
  lines.push(
    { what: 'Slowest first page', measured: ms(result.slowest_cold_ms), target: '≤ 1300 ms' },
    { what: 'Slowest page after it', measured: ms(result.slowest_warm_ms), target: '≤ 600 ms' },
  )
  return ['', ...columns(lines)].join('\n')
}
