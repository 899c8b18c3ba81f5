import type { PageBenchResult } from './pages.ts'
import type { PaintBenchResult } from './paint.ts'
import { columns, type Line, ms, rate } from './report.ts'

const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`

/** Renders the bench of hosted pages as a table. */
export function renderPages(result: PageBenchResult): string {
  const lines: Line[] = result.pages.flatMap((one) => [
    {
      what: one.page,
      measured: `p50 ${ms(one.p50_ms)}, p99 ${ms(one.p99_ms)}; ${rate(one.per_second)} to eight readers at once`,
      target: '',
    },
    {
      what: `${one.page}, gzipped`,
      measured: `page ${kb(one.html_gzip_bytes)} of ${kb(one.html_bytes)}, scripts ${kb(one.scripts_gzip_bytes)}, styles ${kb(one.styles_gzip_bytes)}`,
      target: '',
    },
  ])
  lines.push(
    { what: 'P9 server time of the slowest page, p50', measured: ms(result.slowest_p50_ms), target: '≤ 5 ms' },
    { what: 'P9 most scripts of a page, gzipped', measured: kb(result.most_scripts_gzip_bytes), target: '≤ 15 kB' },
    { what: 'Memory of the server', measured: `${result.rss_mb} MB`, target: '' },
  )
  return ['', ...columns(lines)].join('\n')
}

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
