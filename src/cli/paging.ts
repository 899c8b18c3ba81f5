import { type Command, InvalidArgumentError } from 'commander'
import { parseUuid, type Uuid } from '../domain/ids.ts'
import type { Output } from './output.ts'
import { whole } from './values.ts'

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
