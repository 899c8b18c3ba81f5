import type { Beside } from './beside.ts'
import type { GrowthBenchResult } from './growth.ts'
import type { MemoryBenchResult } from './memory.ts'
import { columns, type Line, ms, range, rate, ratio } from './report.ts'
import type { Compared, Sizes } from './sizes.ts'
import type { WholeResult } from './whole.ts'

const seconds = (value: number): string => `${value.toFixed(1)} s`
const sizes = <T>(of: Sizes<T>, show: (value: T) => string): string => `${show(of.small)}, ${show(of.grown)}`
/** Both, and the ratio with its range where the result has it. */
const compared = (of: Compared, show: (value: number) => string): string =>
  of.ratio === undefined ? sizes(of, show) : `${sizes(of, show)}, ${ratio(of.ratio)}${range(of.range ?? null)}`

/** Renders the bench of a grown database as a table: each figure with 10,000 orders, then with all. */
export function renderGrowth(result: GrowthBenchResult): string {
  const { reference_per_s: reference, earnings_per_s } = result
  const lines: Line[] = [
    {
      what: 'P3 p50 of one earning: with 10,000 orders, grown, ratio',
      measured: compared({ ratio: result.p50_ratio, ...result.p50_ms }, ms),
      target: '≤ 1.25',
    },
    { what: 'Earnings, 32 connections', measured: compared(earnings_per_s, rate), target: '' },
  ]
  if (reference !== null) {
    const over = { small: earnings_per_s.small / reference.small, grown: earnings_per_s.grown / reference.grown }
    lines.push(
      { what: 'pgbench, one call and commit an earning, 8 clients', measured: compared(reference, rate), target: '' },
      { what: 'P1 at 32 connections / pgbench', measured: sizes(over, ratio), target: '' },
    )
  }
  lines.push({
    what: 'P8 reads of single orders, 32 connections',
    measured: compared(result.reads_per_s, rate),
    target: '',
  })
  for (const view of result.views) {
    lines.push({ what: `P12 ${view.name}, p50`, measured: compared(view, ms), target: '≤ 100 ms' })
  }
  lines.push(...renderWhole(result))
  const figures = result.figures_s === undefined ? '' : `, their daily figures in ${seconds(result.figures_s)}`
  const about = `${result.orders.toLocaleString('en')} orders of ${result.customers.toLocaleString('en')} customers, written in ${seconds(result.load_s)}${figures}`
  return [about, '', ...columns(lines)].join('\n')
}

/** The work of the small database stands above that of the grown one, where the result has it. */
function renderWhole({ small, ...grown }: GrowthBenchResult): Line[] {
  const both = (what: string, show: (one: WholeResult) => string, target: string): Line[] => [
    ...(small === undefined ? [] : [{ what: `${what}, 10,000 orders`, measured: show(small), target: '' }]),
    { what: small === undefined ? what : `${what}, grown`, measured: show(grown), target },
  ]
  const copies = (of: 'backup_s' | 'restore_s'): string =>
    small === undefined ? seconds(grown[of]) : sizes({ small: small[of], grown: grown[of] }, seconds)
  const differences = grown.ledger_differences + (small?.ledger_differences ?? 0)
  return [
    ...both('P11 ledger verify', ({ verify }) => verified(verify), '≥ 200,000/s, p99 ≤ 2 ×'),
    ...both('P13 settlement preview', ({ preview }) => took(preview), '≤ 60 s, p99 ≤ 2 ×'),
    ...both('P13 settlement close', ({ close }) => took(close), '≤ 60 s, p99 ≤ 2 ×'),
    { what: 'P14 backup', measured: copies('backup_s'), target: '≤ 60 s for 1,000,000' },
    { what: 'P14 restore', measured: copies('restore_s'), target: '≤ 60 s for 1,000,000' },
    { what: 'ledger verify, differences', measured: String(differences), target: '0' },
  ]
}

function verified(verify: WholeResult['verify']): string {
  return `${rate(verify.entries / verify.seconds)} entries, ${took(verify)}`
}

function took({ seconds: all_s, alone_p99_ms, beside_p99_ms, refused }: Beside): string {
  const refusals = refused === 0 ? '' : `, ${refused} answered with 429`
  return `${seconds(all_s)}; p99 of earnings ${ms(alone_p99_ms)} alone, ${ms(beside_p99_ms)} beside${refusals}`
}

/** Renders the bench of memory as a table. */
export function renderMemory({ sizes, connections }: MemoryBenchResult): string {
  const lines: Line[] = sizes.map(({ young_mb, per_second, cpu_us, rss_peak_mb }) => ({
    what: `Young generation of ${young_mb} MB`,
    measured: `${rate(per_second)} earnings, ${Math.round(cpu_us)} µs of the service each, ${Math.round(rss_peak_mb)} MB at most`,
    target: '',
  }))
  const about = `P6: at most 320 MB by default, at most 200 MB by NUQTA_YOUNG_GENERATION_MB; ${connections} connections`
  return [about, '', ...columns(lines)].join('\n')
}
