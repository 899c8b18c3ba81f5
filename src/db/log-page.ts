import type { Uuid } from '../domain/ids.ts'

/** The part of a log that one page looks at, so that a rare kind of row costs no walk through the whole log. */
export interface LogWindow {
  readonly before: Uuid | undefined
  /** The most rows to look at. */
  readonly window: number
  readonly size: number
}

/** What a page needs: its rows, how many were looked at for them, and the last of these. */
export interface FoundInLog<Row> {
  readonly rows: readonly Row[]
  readonly looked: number
  readonly last: Uuid | null
}

/**
 * Gives a page of at most `limit` rows, and the id behind which the next page begins, or null at the end. A page may be
 * short, or empty, with more behind it.
 * @param found of a window of `limit + 1` rows; undefined where the query gave nothing
 */
export function logPageOf<Row>(
  found: FoundInLog<Row> | undefined,
  { limit, window, idOf }: { readonly limit: number; readonly window: number; readonly idOf: (row: Row) => Uuid },
): { readonly rows: readonly Row[]; readonly next: Uuid | null } {
  if (found === undefined) return { rows: [], next: null }
  const rows = found.rows.slice(0, limit)
  const shown = rows.at(-1)
  if (found.rows.length > limit) return { rows, next: shown === undefined ? null : idOf(shown) }
  return { rows, next: found.looked < window ? null : found.last }
}
