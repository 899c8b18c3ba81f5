import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Curve, drawCurves } from './curves.ts'
import type { ExpiredRows } from './expired.ts'
import { medianOf } from './pairs.ts'
import { columns, type Line, ms, rate } from './report.ts'
import type { Sample, SoakBenchResult } from './soak.ts'
import type { TableState } from './tables.ts'

const count = (value: number): string => Math.round(value).toLocaleString('en')
const megabytes = (value: number): string => `${count(value)} MB`
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const rowsOf = (rows: ExpiredRows): number => sum(Object.values(rows))

/** Renders the soak as a table of its first and last minutes. */
export function renderSoak(result: SoakBenchResult): string {
  const { samples } = result
  const some = Math.max(1, Math.min(6, Math.floor(samples.length / 2)))
  const [early, late] = [samples.slice(0, some), samples.slice(-some)]
  const line = (what: string, of: (sample: Sample) => number, show: (value: number) => string): Line => {
    const mean = (part: readonly Sample[]) => sum(part.map(of)) / part.length
    const most = Math.max(...samples.map(of))
    return {
      what,
      measured: `${show(mean(early))} at first, ${show(mean(late))} at last, ${show(most)} at most`,
      target: '',
    }
  }
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
    ...tableLines(samples),
    ...deletionLines(result),
    { what: 'Deliveries lost', measured: String(result.lost), target: '0' },
    { what: 'ledger verify, differences', measured: String(result.ledger_differences), target: '0' },
  ]
  return [about(result), '', ...columns(lines)].join('\n')
}

function about({ samples, full_speed_per_s, pace_per_s, reached_per_s }: SoakBenchResult): string {
  // Older results do not say what was reached, but for each sample.
  const reached = reached_per_s ?? sum(samples.map((one) => one.earnings_per_s)) / samples.length
  const pace = `${count(reached)} earnings a second of the ${count(pace_per_s)} asked for, half of ${count(full_speed_per_s)}`
  return `${pace}, for ${samples.at(-1)?.at_s ?? 0} s; a webhook for each merchant`
}

/** Vacuums, dead rows and sizes of each table; none for an older result. */
function tableLines(samples: readonly Sample[]): Line[] {
  const [first, last] = [samples[0]?.tables, samples.at(-1)?.tables]
  if (first === undefined || last === undefined) return []
  return Object.entries(last).map(([name, { autovacuums, table_mb, indexes_mb }]) => {
    const dead = Math.max(...samples.map(({ tables }) => tables?.[name]?.dead_rows ?? 0))
    // A dropped partition takes its count away.
    const more = Math.max(0, autovacuums - (first[name]?.autovacuums ?? 0))
    const sizes = `${megabytes(table_mb)} and ${megabytes(indexes_mb)} of indexes at last`
    return {
      what: `  ${name}`,
      measured: `autovacuums ${more}, dead rows ${count(dead)} at most, ${sizes}`,
      target: '',
    }
  })
}

/** How rows past retention were deleted, and what earnings felt; nothing for an older result. */
function deletionLines(result: SoakBenchResult): Line[] {
  const found = deletionOf(result)
  if (found === undefined) return []
  const { rows, left, from_s, until_s, during_p99_ms, otherwise_p99_ms } = found
  const when = from_s === null ? '' : `, deleted from ${from_s} s to ${until_s} s`
  const times = `${ms(during_p99_ms)} at most, otherwise ${ms(otherwise_p99_ms)} in the median`
  return [
    { what: 'Rows past retention that are left', measured: `${count(left)} of ${count(rows)}${when}`, target: '0' },
    ...(from_s === null ? [] : [{ what: 'p99 while they were deleted', measured: times, target: '' }]),
  ]
}

interface Deletion {
  /** Past retention at the beginning, and at the end. */
  readonly rows: number
  readonly left: number
  /** The beginning and the end of the samples in which rows went; null if none did. */
  readonly from_s: number | null
  readonly until_s: number | null
  /** The slowest of these samples. */
  readonly during_p99_ms: number
  /** The median of the others. */
  readonly otherwise_p99_ms: number
}

/** Finds the samples in which rows past retention were deleted; undefined for an older result, which had none. */
export function deletionOf({ expired, samples }: Pick<SoakBenchResult, 'expired' | 'samples'>): Deletion | undefined {
  if (expired === undefined) return undefined
  const rows = rowsOf(expired)
  const left = samples.map((one) => rowsOf(one.expired ?? {}))
  const wentIn = samples.map((_one, n) => (left[n] ?? 0) < (n === 0 ? rows : (left[n - 1] ?? 0)))
  const [first, last] = [wentIn.indexOf(true), wentIn.lastIndexOf(true)]
  const p99 = (went: boolean) => samples.filter((_one, n) => wentIn[n] === went).map((one) => one.p99_ms)
  return {
    ...{ rows, left: left.at(-1) ?? rows },
    from_s: first === -1 ? null : (samples[first - 1]?.at_s ?? 0),
    until_s: samples[last]?.at_s ?? null,
    during_p99_ms: Math.max(...p99(true)),
    otherwise_p99_ms: medianOf(p99(false)),
  }
}

/** The curves of a soak: those of all results, and those of tables where the result has them. */
export function soakCurves({ samples, expired }: Pick<SoakBenchResult, 'samples' | 'expired'>): Curve[] {
  const curve = (name: string, of: (sample: Sample) => number) => ({ name, values: samples.map(of) })
  const curves = [
    curve('earnings a second', (one) => one.earnings_per_s),
    curve('p50 of an earning, ms', (one) => one.p50_ms),
    curve('p99 of an earning, ms', (one) => one.p99_ms),
    curve('deliveries a second', (one) => one.deliveries_per_s),
    curve('deliveries that wait', (one) => one.waiting),
    curve('memory of the server, MB', (one) => one.rss_mb),
    curve('tables and indexes, MB', (one) => one.database_mb),
    curve('queue with its indexes, MB', (one) => one.queue_mb),
    curve('dead rows of queue and wallets', (one) => one.dead_rows),
  ]
  const ofTables = (name: string, of: (table: TableState) => number) =>
    curve(name, ({ tables }) => sum(Object.values(tables ?? {}).map(of)))
  if (samples.every(({ tables }) => tables !== undefined))
    curves.push(
      ofTables('indexes of all tables, MB', (table) => table.indexes_mb),
      ofTables('dead rows of all tables', (table) => table.dead_rows),
      ofTables('autovacuums so far', (table) => table.autovacuums),
    )
  if (expired !== undefined) curves.push(curve('rows past retention', (one) => rowsOf(one.expired ?? {})))
  return curves
}

/** Writes the curves of a soak as `soak.svg`; gives its path. */
export async function saveCurves(folder: string, result: SoakBenchResult): Promise<string> {
  const { samples, pace_per_s } = result
  const minutes = Math.round((samples.at(-1)?.at_s ?? 0) / 60)
  const file = join(folder, 'soak.svg')
  const reached = result.reached_per_s === undefined ? '' : `${count(result.reached_per_s)} of `
  const title = `${reached}${count(pace_per_s)} earnings a second for ${minutes} minutes`
  await writeFile(file, drawCurves(title, soakCurves(result)))
  return file
}
