import type { Uuid } from '../../domain/ids.ts'
import { prepared, type Statement } from '../statement.ts'
import type { About } from './check.ts'

/** The rows that a quick check has read, and those that may be wrong. */
export interface QuickCount {
  readonly transfers: number
  readonly entries: number
  readonly wallets: number
  readonly suspects: number
}

/**
 * A fast query over a part of the ledger that covers several checks. It finds every violation of them, except where its own
 * comment names one, and may report a false one. If it reports any, the checks that it covers find the exact places.
 */
interface QuickQuery extends About {
  /** The rows that it checks, for messages. */
  readonly name: string
  /** The checks that it covers. */
  readonly checks: readonly string[]
  /** The table and key that divide the ledger into parts: keys from `$2` to `$3`, both included. */
  readonly table: string
  readonly key: string
  /** Keys per part: the query takes at most a few seconds, which ends its snapshot soon. */
  readonly part_size: number
  /** Settings for this query alone. */
  readonly settings?: readonly string[]
  /**
   * `$1` is the program, `$2` and `$3` the part, `$4` the oldest order whose events still exist, `$5` and `$6` the part
   * with some seconds around it, which contains nearly all rows written together with those of the part. Columns: the
   * number of `transfers`, `entries` and `wallets` checked, and of `suspects`.
   *
   * Rows that few others need are looked up by their whole key, in subqueries that give one row: PostgreSQL reads the table for
   * an `exists`, and takes a lookup by a row comparison to cost as much as reading it.
   */
  readonly sql: string
}

/** A quick check with its prepared statements: to parse and plan the longest takes a tenth of the time of a part. */
export interface QuickCheck extends QuickQuery {
  /** Takes the values of `sql`. */
  readonly count: (...values: readonly unknown[]) => Statement<QuickCount>
  /** Gives the key after a part of so many keys that begins behind another key. */
  readonly endOfPart: (program_id: number, behind: Uuid, part_size: number) => Statement<{ readonly key: Uuid }>
}

/** Defines a quick check. */
export function quickCheck(of: QuickQuery): QuickCheck {
  const { name, table, key, sql } = of
  return {
    ...of,
    count: prepared<QuickCount>(`verify_${name}`, sql),
    endOfPart: prepared<{ key: Uuid }>(
      `verify_${name}_end`,
      `select ${key} as key from ${table} where program_id = $1 and ${key} > $2 order by ${key} offset $3 limit 1`,
    ),
  }
}

/** Keys per part of a table whose rows are read beside those of others: their hash tables then fit into a processor's cache. */
export const few_keys = 25_000

/** Settings that have PostgreSQL read tables in the order of their keys, in which rows lie. */
export const inKeyOrder = ['set local enable_bitmapscan = off', 'set local random_page_cost = 1']

/** SQL condition for rows written at about the same time as the part. */
export const around = (key: string): string => `${key} >= $5 and ${key} < $6`

/** SQL condition for the rows of the part. */
export const within = (key: string): string => `${key} between $2 and $3`
