import type { RowOf } from '../../api/client.ts'
import { riyadhField } from '../../parts/riyadh-field.ts'

export type Line = RowOf<'/merchants/{merchantId}/settlements/{settlementUuid}/entries'>

export interface Page {
  readonly rows: readonly Line[]
  readonly next: string | null
}

/** Lines of a statement for print: sixty sheets, more or less. The CSV has all. */
export const most_lines = 2_000
export const page_size = '100'

/** Reads a statement page by page, up to `most_lines`. */
export async function readLines(
  readPage: (after: string | undefined) => Promise<Page>,
): Promise<{ readonly lines: readonly Line[]; readonly more: boolean }> {
  const lines: Line[] = []
  for (let after: string | undefined; ; ) {
    const { rows, next } = await readPage(after)
    lines.push(...rows)
    if (next === null || lines.length >= most_lines)
      return { lines: lines.slice(0, most_lines), more: next !== null || lines.length > most_lines }
    after = next
  }
}

/** 2026-01-31 14:05, in Riyadh: a statement says the same to every reader. */
export function riyadhTime(at: string): string {
  return riyadhField(new Date(at)).replace('T', ' ')
}
