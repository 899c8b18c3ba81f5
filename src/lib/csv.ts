import type { ExactNumber } from './exact-number.ts'

/** Tables as files that spreadsheets open: CSV of RFC 4180 in UTF-8 with a byte order mark. docs/spec/dashboard-orders.md#csv */

/** Without it, Excel reads UTF-8 as an older encoding. */
const byte_order_mark = '\ufeff'
/**
 * A formula can begin at the start of a text, and after a semicolon, tab or line break. Spreadsheets that write decimals with a
 * comma, as in Arabic, split cells at semicolons. To them a doubled quotation mark is an empty quotation: it does not protect
 * the rest of the text.
 */
const formula = /(?<=^|[;\t\r\n])(?=[ \u00a0"]{0,8}[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu
const needsQuotes = /[",\r\n]/

export type Cell = string | ExactNumber | boolean | null

/** Gives one record with its line break. What looks like a formula in a text is preceded by an apostrophe. */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  // Numbers are ours: a minus before them begins no formula.
  if (typeof cell === 'object') return cell.rawJSON
  if (typeof cell !== 'string') return String(cell)
  const harmless = cell.replaceAll(formula, "'")
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

type Page = readonly (readonly Cell[])[]

/** Gives a file in parts: the header at once, then the records of each page as it is read. */
export async function* csvFile(
  header: readonly string[],
  pages: AsyncIterable<Page> | Iterable<Page>,
): AsyncGenerator<string> {
  yield byte_order_mark + csvRecord(header)
  for await (const page of pages) yield page.map(csvRecord).join('')
}

/**
 * Reads a list page by page until its end, or until `most` rows are read. Nothing is read ahead, so that a reader who
 * leaves ends it.
 */
export async function* readPages<Row>(
  most: number,
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const page_size = 1_000
  let last: Row | undefined
  for (let left = most; left > 0; ) {
    const limit = Math.min(page_size, left)
    const rows = await read(last, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    left -= rows.length
    last = rows.at(-1)
  }
}
