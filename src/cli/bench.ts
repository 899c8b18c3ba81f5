import { type Command, InvalidArgumentError } from 'commander'
import { benchEarning } from '../bench/earning.ts'
import { renderEarning, saveResult } from '../bench/report.ts'
import { examples } from './command.ts'

/** `bench NAME`: measurements on a server and a database of their own, which they start and remove. */
export function addBenchCommand(program: Command): void {
  const command = program
    .command('bench')
    .description('measure this machine: ratios to what PostgreSQL alone does, in one run')
    .argument('<name>', 'earning')
    .option('--seconds <n>', 'of each measurement', seconds, 8)
    .option('--save <folder>', 'also write the result to FOLDER as JSON')
    .option('--json', 'print the result as one JSON object')
    .action(async (name: string, options: { seconds: number; save?: string; json?: boolean }) => {
      if (name !== 'earning') throw new InvalidArgumentError(`There is no bench called ${name}: earning is one.`)
      const now = new Date()
      const progress = (line: string): void => void process.stderr.write(`${line} …\n`)
      const result = await benchEarning({ duration_s: options.seconds, progress })
      process.stdout.write(options.json === true ? `${JSON.stringify(result)}\n` : `${renderEarning(result, now)}\n`)
      if (options.save !== undefined) progress(`wrote ${await saveResult(options.save, name, result, now)}`)
    })
  examples(command, ['nuqta bench earning', 'nuqta bench earning --seconds 20 --save bench/results'])
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 600) throw new InvalidArgumentError('Give 1 to 600 seconds.')
  return value
}
