import { type Command, InvalidArgumentError } from 'commander'
import { benchAttacks } from '../bench/attacks.ts'
import { benchEarning } from '../bench/earning.ts'
import { benchGrowth } from '../bench/growth.ts'
import { benchNew } from '../bench/new.ts'
import { renderAttacks, renderEarning, renderNew, renderWebhooks, saveResult } from '../bench/report.ts'
import { renderGrowth } from '../bench/report-growth.ts'
import { measureRequestLog } from '../bench/request-log.ts'
import { benchWebhooks } from '../bench/webhooks.ts'
import { addExamples } from './command.ts'
import type { Shell } from './shell.ts'

interface BenchOptions {
  readonly seconds?: number
  readonly orders?: number
  readonly save?: string
  readonly json?: boolean
  readonly shell: Shell
}

/** Adds `bench NAME`. Each measurement starts a server and a database of its own, and removes them. */
export function addBenchCommand(program: Command): void {
  const command = program
    .command('bench')
    .description('measure the service on this machine, next to PostgreSQL alone')
    .argument('<name>', 'earning, webhooks, grow, new or door')
    .option('--seconds <n>', 'length of each measurement (default: 8; 30 for new)', seconds)
    .option('--orders <n>', 'orders that grow writes (default: 1000000; 10000000 takes an hour)', orderCount)
    .option('--save <folder>', 'also write the result to FOLDER as JSON')
    .option('--json', 'print the result as one JSON object')
    .action(async (name: string, options: BenchOptions) => {
      const now = new Date()
      const { stdout, stderr } = options.shell
      const progress = (line: string): void => void stderr.write(`${line} …\n`)
      const { result, text } = await measure(
        name,
        { duration_s: options.seconds ?? (name === 'new' ? 30 : 8), orders: options.orders ?? 1_000_000, progress },
        now,
      )
      stdout.write(options.json === true ? `${JSON.stringify(result)}\n` : `${text}\n`)
      if (options.save !== undefined) progress(`wrote ${await saveResult(options.save, name, result, now)}`)
    })
  addExamples(command, [
    'nuqta bench earning',
    'nuqta bench webhooks --seconds 20 --save bench/results',
    'nuqta bench grow --orders 10000000',
    'nuqta bench new',
  ])
}

async function measure(
  name: string,
  options: { readonly duration_s: number; readonly orders: number; readonly progress: (line: string) => void },
  now: Date,
): Promise<{ readonly result: object; readonly text: string }> {
  if (name === 'earning') {
    const result = { ...(await benchEarning(options)), request_log: await measureRequestLog(options) }
    return { result, text: renderEarning(result, now) }
  }
  if (name === 'webhooks') {
    const result = await benchWebhooks(options)
    return { result, text: renderWebhooks(result, now) }
  }
  if (name === 'grow') {
    const result = await benchGrowth(options)
    return { result, text: renderGrowth(result, now) }
  }
  if (name === 'door') {
    const result = await benchAttacks(options)
    return { result, text: renderAttacks(result, now) }
  }
  if (name === 'new') {
    const result = await benchNew(options)
    return { result, text: renderNew(result, now) }
  }
  throw new InvalidArgumentError(`There is no bench called ${name}: choose earning, webhooks, grow, new or door.`)
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 600) throw new InvalidArgumentError('Give 1 to 600 seconds.')
  return value
}

function orderCount(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 10_000 || value > 20_000_000)
    throw new InvalidArgumentError('Give 10000 to 20000000 orders.')
  return value
}
