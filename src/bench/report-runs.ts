import type { CitusBenchResult, CitusLoad } from './citus.ts'
import type { HotBenchResult } from './hot.ts'
import type { ProcessesBenchResult } from './processes.ts'
import { columns, type Line, ms, rate } from './report.ts'
import type { RollingResult } from './rolling.ts'

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
