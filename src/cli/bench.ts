import { type Command, InvalidArgumentError } from 'commander'
import { benchAttacks } from '../bench/attacks.ts'
import { benchCitus } from '../bench/citus.ts'
import { benchEarning } from '../bench/earning.ts'
import { benchGrowth } from '../bench/growth.ts'
import { readHead, renderHead } from '../bench/head.ts'
import { benchHot } from '../bench/hot.ts'
import { benchMemory } from '../bench/memory.ts'
import { benchNew } from '../bench/new.ts'
import { benchPages } from '../bench/pages.ts'
import { benchPaint } from '../bench/paint.ts'
import { benchProcesses } from '../bench/processes.ts'
import { renderAttacks, renderEarning, renderNew, renderWebhooks, saveResult } from '../bench/report.ts'
import { renderGrowth, renderMemory } from '../bench/report-growth.ts'
import { renderPages, renderPaint } from '../bench/report-pages.ts'
import { renderCitus, renderHot, renderProcesses } from '../bench/report-runs.ts'
import { renderSoak, saveCurves } from '../bench/report-soak.ts'
import { measureRequestLog } from '../bench/request-log.ts'
import { benchSoak } from '../bench/soak.ts'
import { benchWebhooks } from '../bench/webhooks.ts'
import { addExamples } from './command.ts'
import type { Shell } from './shell.ts'

interface BenchOptions {
  readonly seconds?: number
  readonly orders?: number
  readonly database?: string
  readonly save?: string
  readonly json?: boolean
  readonly shell: Shell
}

interface Measuring {
  readonly duration_s: number
  readonly orders: number
  readonly database_url: string | undefined
  readonly progress: (line: string) => void
}

/** Every result names the database server that was measured. */
interface Result {
  readonly database: string
}

interface Measured {
  readonly result: Result
  /** The table, without its head. */
  readonly text: string
  /** Writes more than the result into a folder; gives the path. */
  readonly save?: (folder: string) => Promise<string>
}

interface Bench {
  /** Seconds of one measurement, where no other number is given. */
  readonly seconds: number
  readonly run: (options: Measuring) => Promise<Measured>
}

/** Every bench by name. Each measurement starts a server and a database of its own, and removes them. */
const benches: Readonly<Record<string, Bench>> = {
  earning: {
    seconds: 8,
    async run(options) {
      const result = { ...(await benchEarning(options)), request_log: await measureRequestLog(options) }
      return { result, text: renderEarning(result) }
    },
  },
  webhooks: bench(8, benchWebhooks, renderWebhooks),
  pages: bench(8, benchPages, renderPages),
  paint: bench(8, benchPaint, renderPaint),
  grow: bench(5, benchGrowth, renderGrowth),
  memory: bench(8, benchMemory, renderMemory),
  processes: bench(8, benchProcesses, renderProcesses),
  hot: bench(8, benchHot, renderHot),
  soak: {
    seconds: 1_200,
    async run(options) {
      const result = await benchSoak(options)
      return { result, text: renderSoak(result), save: (folder) => saveCurves(folder, result) }
    },
  },
  citus: {
    seconds: 8,
    async run({ database_url, ...options }) {
      if (database_url === undefined)
        throw new InvalidArgumentError('Give --database: the URL of an empty database on the coordinator of a cluster.')
      const result = await benchCitus({ ...options, database_url })
      return { result, text: renderCitus(result) }
    },
  },
  new: bench(30, benchNew, renderNew),
  door: bench(8, benchAttacks, renderAttacks),
}

function bench<Own extends Result>(
  seconds: number,
  measure: (options: Measuring) => Promise<Own>,
  render: (result: Own) => string,
): Bench {
  return {
    seconds,
    async run(options) {
      const result = await measure(options)
      return { result, text: render(result) }
    },
  }
}

/** Benches that are measured together, one after the other. */
const groups: Readonly<Record<string, readonly string[]>> = { all: ['earning', 'webhooks', 'grow'] }
const names = [...Object.keys(benches), ...Object.keys(groups)]
const listed = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Adds `bench NAME`. */
export function addBenchCommand(program: Command): void {
  const command = program
    .command('bench')
    .description('measure the service on this machine, next to PostgreSQL alone')
    .argument('<name>', listed)
    .option('--seconds <n>', 'length of each measurement (default: 8; 5 for grow, 30 for new, 1200 for soak)', seconds)
    .option('--orders <n>', 'orders that grow writes (default: 1000000; 10000000 takes an hour)', orderCount)
    .option('--database <url>', 'empty database on the coordinator of a Citus cluster, as a superuser (for citus)')
    .option('--save <folder>', 'also write the result to FOLDER as JSON')
    .option('--json', 'print the result as one JSON object')
    .action(run)
  addExamples(command, [
    'nuqta bench earning',
    'nuqta bench webhooks --seconds 20 --save bench/results',
    'nuqta bench pages',
    'nuqta bench grow --orders 10000000',
    'nuqta bench new',
    'nuqta bench all --save bench/results',
  ])
}

async function run(name: string, options: BenchOptions): Promise<void> {
  for (const [one, chosen] of benchesOf(name)) await measure(one, chosen, options)
}

/** The benches that a name stands for, in their order. An unknown name is wrong use. */
export function benchesOf(name: string): readonly (readonly [name: string, bench: Bench])[] {
  return (groups[name] ?? [name]).map((one) => {
    const bench = benches[one]
    if (bench === undefined) throw new InvalidArgumentError(`There is no bench called ${one}: choose ${listed}.`)
    return [one, bench]
  })
}

async function measure(
  name: string,
  chosen: Bench,
  { shell: { stdout, stderr }, json, save, ...options }: BenchOptions,
): Promise<void> {
  const head = await readHead(new Date())
  const progress = (line: string): void => void stderr.write(`${line} …\n`)
  const { seconds: duration_s = chosen.seconds, orders = 1_000_000, database: database_url } = options
  const measured = await chosen.run({ duration_s, orders, database_url, progress })
  const whole = { ...head, ...measured.result }
  const lines = [...renderHead(head, measured.result.database), measured.text]
  stdout.write(json === true ? `${JSON.stringify(whole)}\n` : `${lines.join('\n')}\n`)
  if (save === undefined) return
  progress(`wrote ${await saveResult(save, name, whole)}`)
  if (measured.save !== undefined) progress(`wrote ${await measured.save(save)}`)
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 7_200) throw new InvalidArgumentError('Give 1 to 7200 seconds.')
  return value
}

function orderCount(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 10_000 || value > 20_000_000)
    throw new InvalidArgumentError('Give 10000 to 20000000 orders.')
  return value
}
