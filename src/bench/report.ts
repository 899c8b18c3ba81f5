import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../lib/folder.ts'
import type { AttackBenchResult } from './attacks.ts'
import type { EarningBenchResult } from './earning.ts'
import type { NewBenchResult } from './new.ts'
import { medianOf } from './pairs.ts'
import type { Customers } from './reference.ts'
import type { RequestLogResult } from './request-log.ts'
import type { HttpResult } from './sides.ts'
import type { Latency, WebhookBenchResult } from './webhooks.ts'

/** One line of a report. */
export interface Line {
  readonly what: string
  readonly measured: string
  readonly target: string
}

/** Renders the bench of earnings as a table; all its numbers are from one run on one machine. */
export function renderEarning(result: EarningBenchResult & { readonly request_log: RequestLogResult }): string {
  const lines: Line[] = []
  for (const one of result.reference ?? []) {
    const p50 = one.p50_ms === null ? '' : `, p50 ${ms(one.p50_ms)}`
    const measured = `${rate(one.per_second)}, ${ms(one.latency_ms)} on average${p50}`
    lines.push({
      what: `pgbench, one call and commit an earning, ${clients(one.clients)}, customers ${one.customers}`,
      measured,
      target: '',
    })
  }
  for (const one of result.http) {
    lines.push({ what: `HTTPS, ${connections(one)}, customers ${one.customers}`, measured: http(one), target: '' })
  }
  lines.push(
    {
      what: 'P1 HTTPS / pgbench, each at its best, half of the customers new',
      measured: `${ratio(result.rate_ratio)}${range(result.rate_range)}${pairs(result, 'half new')}`,
      target: '≥ 1.00',
    },
    {
      what: 'The same, customers known',
      measured: `${ratio(result.known_rate_ratio)}${range(result.known_rate_range)}${pairs(result, 'known')}`,
      target: '',
    },
    {
      what: `HTTPS, ${connections(result.programs)}, ${result.programs.programs} programs of ${result.programs.merchants_of_each} merchants`,
      measured: http(result.programs),
      target: '',
    },
    {
      what: 'P2 p50 on one connection / p50 of pgbench, one client',
      measured: `${ratio(result.latency_ratio)}${range(result.latency_range)}`,
      target: '≤ 3.00',
    },
    {
      what: 'P8 reads of single orders / pgbench in P1',
      measured: `${ratio(result.reads.ratio)}, ${rate(result.reads.per_second)}, p50 ${ms(result.reads.p50_ms)}, p99 ${ms(result.reads.p99_ms)}`,
      target: '≥ 1.70',
    },
    { what: 'P6 most memory of the server, 128 connections', measured: `${result.rss_mb} MB`, target: '≤ 320 MB' },
    { what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' },
    { what: 'Daily figures, in the background', measured: dailyFigures(result), target: '' },
    { what: 'Earnings with / without the request log', measured: requestLog(result.request_log), target: '≥ 0.97' },
  )
  const reference = result.reference_version ?? 'pgbench is not installed: no reference, P1 and P2 are not claimed'
  return [`${reference}; load by ${result.load}`, '', ...columns(lines)].join('\n')
}

function http({ per_second, p50_ms, p99_ms, mean_batch, refused }: HttpResult): string {
  const others = refused === 0 ? '' : `, ${refused} refused`
  return `${rate(per_second)}, p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, batch ${mean_batch.toFixed(1)}${others}`
}

/** The rates of the pairs, and at which numbers of clients. */
function pairs({ rate_pairs }: EarningBenchResult, customers: Customers): string {
  const found = rate_pairs.find((one) => one.customers === customers)
  if (found === undefined) return ''
  const [served, alone] = [rate(medianOf(found.http_per_s)), rate(medianOf(found.reference_per_s))]
  const counts = `${connections(found)} and ${clients(found.clients)}`
  return ` (${served} and ${alone}, ${counts}, ${found.http_per_s.length} pairs)`
}

function dailyFigures({ daily_figures: { orders, us_per_order }, http }: EarningBenchResult): string {
  const earning_us = 1e6 / Math.max(...http.map(({ per_second }) => per_second))
  const share = ratio(us_per_order / earning_us)
  return `${us_per_order.toFixed(0)} µs an order (${orders} orders), ${share} of the time of an earning`
}

function requestLog({
  ratio: rates,
  ratio_range,
  cpu_ratio,
  with_log,
  without_log,
  written,
  counted,
}: RequestLogResult): string {
  const median = (of: RequestLogResult['with_log']) => rate(medianOf(of.map((one) => one.per_second)))
  const detail = `${median(with_log)} and ${median(without_log)}, ${with_log.length} pairs`
  return `${rates.toFixed(3)}${range(ratio_range)} (${detail}), processor time ${cpu_ratio.toFixed(3)}; ${written} rows, ${counted} only counted`
}

/** Renders the bench of a new database as a table. */
export function renderNew(result: NewBenchResult): string {
  const { stretches, stretch_s, cost_ratio } = result
  const lines: Line[] = stretches.map((per_second, n) => ({
    what: `Earnings from ${n * stretch_s} s to ${(n + 1) * stretch_s} s`,
    measured: rate(per_second),
    target: '',
  }))
  lines.push(
    { what: 'P10 cost of an earning at first / a minute later', measured: ratio(cost_ratio), target: '≤ 1.20' },
    { what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' },
  )
  return ['A new database, as initdb makes it', '', ...columns(lines)].join('\n')
}

/** Renders the bench of webhooks as a table. */
export function renderWebhooks(result: WebhookBenchResult): string {
  const { quiet, beside_load, backlog, together, sustained } = result
  const latency = ({ p50_ms, p99_ms, earnings_per_s }: Latency): string =>
    `p50 ${ms(p50_ms)}, p99 ${ms(p99_ms)}, at ${rate(earnings_per_s)} earnings`
  const lines: Line[] = [
    { what: 'P5 commit to first byte, 200 events/s', measured: latency(quiet), target: '≤ 20 ms / 100 ms' },
    { what: 'P5 the same, beside earnings at full speed', measured: latency(beside_load), target: '≤ 20 ms / 100 ms' },
    { what: 'Earnings as in P1, 128 connections, no webhooks', measured: rate(result.earnings_per_s), target: '' },
    {
      what: 'Deliveries of a backlog, over TLS',
      measured: `${rate(backlog.per_s)}, ${backlog.deliveries.toLocaleString('en')} due at once`,
      target: '',
    },
    { what: 'P4 deliveries / earnings, each alone', measured: ratio(result.rate_ratio), target: '≥ 1.00' },
    {
      what: 'Both at full speed, a webhook each',
      measured: `${rate(together.earnings_per_s)} earnings, ${rate(together.deliveries_per_s)} deliveries, ${together.left} waited at the end`,
      target: '',
    },
    {
      what: 'The highest rate at which the queue stays',
      measured:
        sustained === null
          ? 'none found'
          : `${rate(sustained.earnings_per_s)} earnings, ${rate(sustained.deliveries_per_s)} deliveries, p50 ${ms(sustained.p50_ms)}, p99 ${ms(sustained.p99_ms)}, oldest ${ms(sustained.oldest_ms)}`,
      target: '',
    },
    { what: 'Deliveries / earnings, both at once', measured: ratio(result.together_ratio), target: 'the queue stays' },
    { what: 'Commit to first byte, before others hang', measured: latency(result.before_hanging), target: '' },
    { what: 'The same, beside one that hangs', measured: latency(result.beside_one_hanging), target: 'as before' },
    { what: 'The same, beside 50 that hang', measured: latency(result.beside_many_hanging), target: '' },
    { what: 'Deliveries lost', measured: `${result.lost}, ${result.repeated} came more than once`, target: '0' },
    { what: 'Memory of the server', measured: `${result.rss_mb} MB`, target: '' },
  ]
  return ['', ...columns(lines)].join('\n')
}

/** Renders the bench of attacks as a table: the effect of each on the service and on others. */
export function renderAttacks({ attacks, rss_before_mb, rss_after_mb }: AttackBenchResult): string {
  const lines: Line[] = attacks.map((one) => {
    const answers = Object.entries(one.statuses).map(([status, count]) => `${count} × ${status}`)
    const delay = `event loop p99 ${ms(one.event_loop_p99_ms)}, longest ${ms(one.event_loop_max_ms)}`
    const others = `healthz p50 ${ms(one.healthz_p50_ms)}, ${rate(one.earnings_per_s)} of 100 earnings`
    const measured = [`${Math.round(one.rss_peak_mb)} MB`, delay, others, answers.join(', ')].filter(
      (text) => text !== '',
    )
    return { what: one.name, measured: measured.join('; '), target: '' }
  })
  const peak_mb = Math.max(...attacks.map((one) => one.rss_peak_mb))
  const p99_ms = Math.max(...attacks.map((one) => one.event_loop_p99_ms))
  lines.push(
    { what: 'R8 largest memory of the service', measured: `${Math.round(peak_mb)} MB`, target: '≤ 400 MB' },
    { what: 'R8 event-loop delay, worst p99', measured: ms(p99_ms), target: '≤ 50 ms' },
    {
      what: 'Memory before and after',
      measured: `${Math.round(rss_before_mb)} MB, ${Math.round(rss_after_mb)} MB`,
      target: '',
    },
  )
  return ['', ...columns(lines)].join('\n')
}

/** Writes a result with its head as JSON, to compare results over time. Gives the path of the file. */
export async function saveResult(folder: string, name: string, whole: object): Promise<string> {
  await makeFolder(folder, 0o777)
  const file = join(folder, `${name}.json`)
  await writeFile(file, `${JSON.stringify({ name, ...whole }, null, 2)}\n`)
  return file
}

export function columns(lines: readonly Line[]): string[] {
  const width = (of: (line: Line) => string) => Math.max(...lines.map((line) => of(line).length))
  const [what, measured] = [width((line) => line.what), width((line) => line.measured)]
  return lines.map((line) => `${line.what.padEnd(what)}  ${line.measured.padEnd(measured)}  ${line.target}`.trimEnd())
}

export const rate = (per_second: number): string => `${Math.round(per_second).toLocaleString('en')}/s`
export const ms = (value: number): string => `${value.toFixed(2)} ms`
export const ratio = (value: number | null): string => (value === null ? '—' : value.toFixed(2))
/** The 95 % confidence interval of a median, behind it. */
export const range = (of: readonly [number, number] | null): string =>
  of === null ? '' : `, 95 % CI ${ratio(of[0])} to ${ratio(of[1])}`
const connections = ({ connections: count }: { readonly connections: number }): string =>
  `${count} connection${count === 1 ? '' : 's'}`
const clients = (count: number): string => `${count} client${count === 1 ? '' : 's'}`
