import pg from 'pg'
import { prepared, type Statement } from '../statement.ts'

/** What a check is about. */
export interface About {
  /** Queries for rows of a program `$1`. Without any, nothing of the program can break the rule. */
  readonly subjects: readonly string[]
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
