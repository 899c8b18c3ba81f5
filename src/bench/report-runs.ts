import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CitusBenchResult, CitusLoad } from './citus.ts'
import { drawCurves } from './curves.ts'
import type { HotBenchResult } from './hot.ts'
import type { ProcessesBenchResult } from './processes.ts'
import { columns, type Line, ms, rate } from './report.ts'
import type { RollingResult } from './rolling.ts'
import type { Sample, SoakBenchResult } from './soak.ts'

/** Renders the bench of one busy merchant as a table. */
export function renderHot(result: HotBenchResult): string {
  const show = ({ accepted_per_s, refused_per_s, p50_ms, p99_ms }: HotBenchResult['serial']): string =>
    `${rate(accepted_per_s)}, p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}${refused_per_s === 0 ? '' : `, ${rate(refused_per_s)} answered with 429`}`
  const others = `Others at ${result.others_per_s} earnings a second`
  const lines: Line[] = [
    { what: 'One merchant, one earning after the other', measured: show(result.serial), target: '' },
    { what: 'One merchant, 16 at once', measured: show(result.crowd), target: '' },
    { what: 'Beside the 16, one that waits after a 429', measured: showPatient(result.patient), target: '' },
    { what: `${others}, alone`, measured: show(result.others_alone), target: '' },
    { what: `${others}, beside the first`, measured: show(result.others_beside_serial), target: '' },
    { what: `${others}, beside the 16`, measured: show(result.others_beside_crowd), target: '' },
  ]
  return ['', ...columns(lines)].join('\n')
}

function showPatient({ accepted_per_s, tries, p50_ms, p99_ms, unfinished }: HotBenchResult['patient']): string {
  const last = unfinished === 0 ? '' : ', the last one unfinished'
  return `${accepted_per_s.toFixed(2)}/s, time to success p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, ${tries.toFixed(1)} tries each${last}`
}

/** Renders the bench of several processes as a table. */
export function renderProcesses(result: ProcessesBenchResult): string {
  const lines: Line[] = result.rates.map(({ processes, per_second, refused }) => ({
    what: `${processes} process${processes === 1 ? '' : 'es'}`,
    measured: `${rate(per_second)} earnings, ${refused} answered with 429`,
    target: '',
  }))
  if (result.rolling !== undefined) lines.push(...rollingLines(result.rolling))
  lines.push({ what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' })
  const about = `${result.connections} connections in all; every process serves every merchant`
  return [about, '', ...columns(lines)].join('\n')
}

function rollingLines({ before, during, restarts_s }: RollingResult): Line[] {
  const show = ({ per_second, p50_ms, p99_ms, longest_ms }: RollingResult['during']): string =>
    `${rate(per_second)} earnings, p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, longest ${ms(longest_ms)}`
  const failed = Object.entries(during.failed).map(([status, count]) => `${count} × ${status}`)
  const restarts = restarts_s.map((seconds) => `${seconds.toFixed(1)} s`).join(' and ')
  return [
    { what: '2 processes behind a balancer', measured: show(before), target: '' },
    { what: 'The same, restarted in turn', measured: `${show(during)}; ${restarts}`, target: '' },
    { what: 'Requests that failed meanwhile', measured: failed.join(', ') || '0', target: '0' },
  ]
}

/** Renders the bench on a Citus cluster as a table. */
export function renderCitus(result: CitusBenchResult): string {
  const us = (value: number | null): string => (value === null ? '—' : `${Math.round(value)} µs`)
  const line = (load: CitusLoad): Line => ({
    what: `${load.programs === 1 ? 'One program' : 'Two programs, on two workers'}, ${load.connections} connection${load.connections === 1 ? '' : 's'}`,
    measured: [
      `${rate(load.per_second)}, p50 ${ms(load.p50_ms)}, p99 ${ms(load.p99_ms)}`,
      `service ${us(load.service_us)}, ${Object.entries(load.nodes_us)
        .map(([name, value]) => `${name} ${us(value)}`)
        .join(', ')}`,
      `${load.single_shard.toFixed(2)} statements to one shard, ${load.multi_shard.toFixed(2)} to several`,
    ].join('; '),
    target: '',
  })
  const lines = [
    ...result.loads.map(line),
    { what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' },
  ]
  const about = `${result.nodes} nodes; processor time and statements for each earning`
  return [about, '', ...columns(lines)].join('\n')
}

/** Renders the soak as a table of its first and last minutes. */
export function renderSoak(result: SoakBenchResult): string {
  const { samples } = result
  const some = Math.max(1, Math.min(6, Math.floor(samples.length / 2)))
  const [early, late] = [samples.slice(0, some), samples.slice(-some)]
  const line = (what: string, of: (sample: Sample) => number, show: (value: number) => string): Line => {
    const mean = (part: readonly Sample[]) => part.reduce((sum, one) => sum + of(one), 0) / part.length
    const most = Math.max(...samples.map(of))
    return {
      what,
      measured: `${show(mean(early))} at first, ${show(mean(late))} at last, ${show(most)} at most`,
      target: '',
    }
  }
  const count = (value: number): string => Math.round(value).toLocaleString('en')
  const megabytes = (value: number): string => `${count(value)} MB`
  const lines: Line[] = [
    line('Earnings', (one) => one.earnings_per_s, rate),
    line('p50', (one) => one.p50_ms, ms),
    line('p99', (one) => one.p99_ms, ms),
    line('Deliveries', (one) => one.deliveries_per_s, rate),
    line('Deliveries that wait', (one) => one.waiting, count),
    line('Memory of the server', (one) => one.rss_mb, megabytes),
    line('Tables and indexes', (one) => one.database_mb, megabytes),
    line('The queue with its indexes', (one) => one.queue_mb, megabytes),
    line('Dead rows of queue and wallets', (one) => one.dead_rows, count),
    { what: 'Deliveries lost', measured: String(result.lost), target: '0' },
    { what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' },
  ]
  return [aboutSoak(result), '', ...columns(lines)].join('\n')
}

function aboutSoak({ samples, full_speed_per_s, pace_per_s, reached_per_s }: SoakBenchResult): string {
  const count = (value: number): string => Math.round(value).toLocaleString('en')
  // Older results do not say what was reached, but for each sample.
  const reached = reached_per_s ?? samples.reduce((sum, one) => sum + one.earnings_per_s, 0) / samples.length
  const pace = `${count(reached)} earnings a second of the ${count(pace_per_s)} asked for, half of ${count(full_speed_per_s)}`
  return `${pace}, for ${samples.at(-1)?.at_s ?? 0} s; a webhook for each merchant`
}

/** Writes the curves of a soak as `soak.svg`; gives its path. */
export async function saveCurves(
  folder: string,
  { samples, pace_per_s, reached_per_s }: SoakBenchResult,
): Promise<string> {
  const curve = (name: string, of: (sample: Sample) => number) => ({ name, values: samples.map(of) })
  const minutes = Math.round((samples.at(-1)?.at_s ?? 0) / 60)
  const file = join(folder, 'soak.svg')
  await writeFile(
    file,
    drawCurves(
      `${reached_per_s === undefined ? '' : `${Math.round(reached_per_s)} of `}${pace_per_s} earnings a second for ${minutes} minutes`,
      [
        curve('earnings a second', (one) => one.earnings_per_s),
        curve('p50 of an earning, ms', (one) => one.p50_ms),
        curve('p99 of an earning, ms', (one) => one.p99_ms),
        curve('deliveries a second', (one) => one.deliveries_per_s),
        curve('deliveries that wait', (one) => one.waiting),
        curve('memory of the server, MB', (one) => one.rss_mb),
        curve('tables and indexes, MB', (one) => one.database_mb),
        curve('queue with its indexes, MB', (one) => one.queue_mb),
        curve('dead rows', (one) => one.dead_rows),
      ],
    ),
  )
  return file
}
