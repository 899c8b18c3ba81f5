import { type Command, InvalidArgumentError } from 'commander'
import { parseUuid, type Uuid } from '../domain/ids.ts'
import type { CommonOptions } from './deployment.ts'
import { whole } from './values.ts'

/** A command with the options that all take. `spec` is its name with its arguments. */
export function addCommand(parent: Command, spec: string, description: string): Command {
  return parent
    .command(spec)
    .description(description)
    .option('--data-dir <path>', 'data directory of the deployment (default: NUQTA_DATA_DIR, else ./data)')
    .option('--json', 'print one JSON object a line, and nothing else, to stdout')
}

/** A command that only groups others. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description)
}

/** What a command's help ends with. */
export function examples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'))
}

/** Gives a command its output, and the process the exit code that it leaves there. */
export async function speak(options: CommonOptions, work: (output: Output) => Promise<void>): Promise<void> {
  const output = createOutput(options.json === true)
  await work(output)
  if (output.code !== 0) process.exitCode = output.code
}

/** How a command speaks: results to stdout, everything else to stderr. */
export interface Output {
  /** One result: an object a line with `--json`, else the text. */
  result(object: object, text: string): void
  /** What is being done, for people only. */
  progress(text: string): void
  /** What a person should know besides the result. */
  note(text: string): void
  /** The exit code unless a failure decides another. */
  code: number
}

/** Writes to the process's own streams. */
export function createOutput(json: boolean): Output {
  return {
    result(object, text) {
      process.stdout.write(`${json ? JSON.stringify(object) : text}\n`)
    },
    progress(text) {
      process.stderr.write(`${text} …\n`)
    },
    note(text) {
      process.stderr.write(`${text}\n`)
    },
    code: 0,
  }
}

/** Names and values one below the other, values aligned. */
export function describe(object: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  return Object.entries(object)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('rawJSON' in value) return String(value.rawJSON)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${onOff(part)}`)
    .join(', ')
}

function onOff(value: unknown): string {
  if (typeof value !== 'boolean') return String(value)
  return value ? 'on' : 'off'
}

const most = 10_000

/** What every list takes besides its filters. */
export interface PageOptions {
  readonly limit: number
  readonly after?: string
}

/** How a command asks for a page. */
export const listing = { pool: { plans: 'by_order' } } as const

/** Lists print the newest, and say how to go on. */
export function addPaging(list: Command): Command {
  return list
    .option('--limit <n>', 'how many at most', whole(1, most), 50)
    .option('--after <cursor>', 'those that come after this one, as the last page said')
}

/** The cursor of lists that go by uuids. */
export function uuidCursor({ after }: PageOptions): Uuid | undefined {
  if (after === undefined) return undefined
  const uuid = parseUuid(after.trim())
  if (uuid === null) throw new InvalidArgumentError(`${after} is not a cursor: give what the last page said.`)
  return uuid
}

/** The cursor of lists that go by numbers. */
export function numberCursor({ after }: PageOptions): number | undefined {
  return after === undefined ? undefined : whole(1, 999_999_999_999_999)(after.trim())
}

/** Prints a page of which one more than `limit` was asked for: when that came, there is more, and stderr says how to go on. */
export function printPage<Row>(
  output: Output,
  { limit }: PageOptions,
  rows: readonly Row[],
  print: { readonly row: (row: Row) => void; readonly cursor: (row: Row) => string | number },
): void {
  const shown = rows.slice(0, limit)
  for (const row of shown) print.row(row)
  const last = shown.at(-1)
  if (rows.length > limit && last !== undefined) output.note(`There are more: --after ${print.cursor(last)}`)
}
