import pg from 'pg'
import { prepared, type Statement } from '../statement.ts'

/** What a check is about. */
export interface About {
  /** Queries for rows of a program `$1`. Without any, nothing of the program can break the rule. */
  readonly subjects: readonly string[]
}

/** One rule of the ledger, as a query that gives the violations. */
export interface Check extends About {
  readonly name: string
  /** `$1` is the program, `$2` the oldest order whose events still exist. Columns: `id`, `detail`. */
  readonly sql: string
}

/** Makes a check of a name, its subjects and a query. */
export function check(name: string, subjects: readonly string[], sql: string): Check {
  return { name, subjects, sql }
}

/** Gives the queries for the rows of a program in some tables. */
export function rowsOf(...tables: readonly string[]): string[] {
  return tables.map((table) => `select from ${table} where program_id = $1`)
}

/**
 * Makes the statement that gives the subjects of checks that a program has rows of. Most programs have no holds, refunds or
 * settlements, and need not run the checks of them.
 */
export function subjectsOf(checks: readonly About[]): (program_id: number) => Statement<{ readonly subject: string }> {
  const subjects = new Set(checks.flatMap((check) => check.subjects))
  const found = Array.from(subjects, (one) => `select ${pg.escapeLiteral(one)} as subject where exists (${one})`)
  return prepared('verify_subjects', found.join(' union all '))
}
