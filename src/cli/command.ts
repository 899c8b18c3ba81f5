import { type Command, InvalidArgumentError } from 'commander'
import { parseUuid, type Uuid } from '../domain/ids.ts'
import { visibleJson, visibleLine } from '../lib/escape.ts'
import type { Shell } from './shell.ts'
import { actorName, whole } from './values.ts'

/** Options that every command takes. */
export interface CommonOptions {
  readonly dataDir?: string
  readonly json?: boolean
  /** Set before every action. */
  readonly shell: Shell
  /** Only of commands that change something: who does it. */
  readonly as?: string
  /** Only of commands that cannot be undone: does not ask. */
  readonly yes?: boolean
}

/** Adds a command with the common options. `usage` is its name and arguments. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--data-dir <path>', 'data directory of the deployment (default: NUQTA_DATA_DIR, else ./data)')
    .option('--json', 'print one JSON object a line, and nothing else, to stdout')
}

/** Adds a command that changes something, which the audit log records. */
export function addChange(parent: Command, usage: string, description: string): Command {
  return addCommand(parent, usage, description).option(
    '--as <name>',
    'who does it, for the audit log (default: the user and the host)',
    actorName,
  )
}

/** Adds a change that cannot be undone: its action calls `confirmed`. */
export function addIrreversible(parent: Command, usage: string, description: string): Command {
  return addChange(parent, usage, description).option('--yes', 'do not ask')
}

/** Adds a command that only groups others. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description)
}

/** A command that does something, with its whole name: `merchant create`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly command: Command
}

/** The commands below `parent` that do something, in their order. */
export function leavesOf(parent: Command, path: readonly string[] = []): Leaf[] {
  return parent.commands.flatMap((command) => {
    const here = [...path, command.name()]
    return command.commands.length === 0 ? [{ path: here, command }] : leavesOf(command, here)
  })
}

const examples = new WeakMap<Command, readonly string[]>()

/** The examples of a command, for the manual page. */
export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? []
}

/** Ends the help of a command with examples. */
export function addExamples(command: Command, lines: readonly string[]): Command {
  examples.set(command, lines)
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'))
}

/** Runs a command with its output, and exits with the code that it leaves there. */
export async function withOutput(options: CommonOptions, work: (output: Output) => Promise<void>): Promise<void> {
  const output = createOutput(options)
  await work(output)
  if (output.code !== 0) options.shell.exitCode = output.code
}

/** A line for people, or several. A line break inside a line is part of a value, and is shown escaped. */
export type Lines = string | readonly string[]

/** Escapes lines for a terminal: values from strangers must not act as its commands. */
export function printable(lines: Lines): string {
  return [lines].flat().map(visibleLine).join('\n')
}

/** Writes results to stdout and everything else to stderr. */
export interface Output {
  /** Prints one result: the object on one line with `--json`, else the lines. */
  result(object: object, lines: Lines): void
  /** Says what is being done, to people only. */
  progress(text: string): void
  /** Says what a person should know besides the result. */
  note(text: string): void
  /** The exit code, unless the command fails. */
  code: number
}

function createOutput({ json = false, shell: { stdout, stderr } }: CommonOptions): Output {
  return {
    result(object, lines) {
      stdout.write(`${json ? visibleJson(object) : printable(lines)}\n`)
    },
    progress(text) {
      stderr.write(`${printable(text)} …\n`)
    },
    note(text) {
      stderr.write(`${printable(text)}\n`)
    },
    code: 0,
  }
}

/** Lists names and values, one a line, with the values aligned. */
export function describe(object: Readonly<Record<string, unknown>>): string[] {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  return Object.entries(object).map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
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

const max_page_size = 10_000

/** Options of every list besides its filters. */
export interface PageOptions {
  readonly limit: number
  readonly after?: string
}

/** The connection settings of a list. */
export const listing = { pool: { plans: 'by_order' } } as const

/** Adds the options of a list: it prints the newest rows, then how to get the next page. */
export function addPaging(list: Command): Command {
  return list
    .option('--limit <n>', 'how many at most', whole(1, max_page_size), 50)
    .option('--after <cursor>', 'those after this one, as the last page said')
}

/** The cursor of a list ordered by uuid. */
export function uuidCursor({ after }: PageOptions): Uuid | undefined {
  if (after === undefined) return undefined
  const uuid = parseUuid(after.trim())
  if (uuid === null) throw new InvalidArgumentError(`${after} is not a cursor: give what the last page said.`)
  return uuid
}

/** The cursor of a list ordered by number. */
export function numberCursor({ after }: PageOptions): number | undefined {
  return after === undefined ? undefined : whole(1, 999_999_999_999_999)(after.trim())
}

/** Tells people that a list is empty; programs see that no line came. `what` is the plural of what it lists. */
export function noteNone(output: Output, { json = false }: Pick<CommonOptions, 'json'>, what: string): void {
  if (!json) output.note(`No ${what} found.`)
}

interface Listed<Row> {
  /** The plural of what is listed. */
  readonly what: string
  readonly row: (row: Row) => void
  readonly cursor: (row: Row) => string | number
}

/** Prints up to `limit` rows. `rows` holds one more when there is another page: then stderr says how to get it. */
export function printPage<Row>(
  output: Output,
  options: PageOptions & Pick<CommonOptions, 'json'>,
  rows: readonly Row[],
  print: Listed<Row>,
): void {
  const { limit, after } = options
  if (rows.length === 0) noteNone(output, options, after === undefined ? print.what : `more ${print.what}`)
  const shown = rows.slice(0, limit)
  for (const row of shown) print.row(row)
  const last = shown.at(-1)
  if (rows.length > limit && last !== undefined) output.note(`There are more: --after ${print.cursor(last)}`)
}
