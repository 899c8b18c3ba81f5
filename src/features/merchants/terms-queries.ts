import { prepared, type Statement } from '../../db/statement.ts'
import type { Day } from '../../domain/day.ts'

/** A version of a program's own terms, without its text. */
export interface TermsVersionRow {
  readonly version: string
  readonly begins_on: Day
  readonly created_at: Date
}

/** The same with its text in both languages. */
export interface TermsRow extends TermsVersionRow {
  readonly text_en: string
  readonly text_ar: string
}

/** Gives the SQL for the version in force on the day `$day` of the program `$program`; null for the product's own text. */
export function versionOn(program: string, day: string): string {
  return `(select t.version from program_terms t where t.program_id = ${program} and t.begins_on <= ${day}::date
    and (t.program_id, t.version) >= (${program}, '') order by t.begins_on desc, t.created_at desc limit 1)`
}

const version = prepared<{ version: string | null }>('terms.version', `select ${versionOn('$1', '$2')} as version`)

/** The version in force on a day; null for the product's own text. */
export function findVersionOn(program_id: number, day: Day): Statement<{ version: string | null }> {
  return version(program_id, day)
}

/** The text in force on a day, or the one of a version; gives nothing for the product's own. */
export function findTerms(
  program_id: number,
  asked: { readonly day: Day } | { readonly version: string },
): Statement<TermsRow> {
  const [condition, value] = 'day' in asked ? ['t.begins_on <= $2::date', asked.day] : ['t.version = $2', asked.version]
  return {
    text: `select t.version, t.begins_on, t.text_en, t.text_ar, t.created_at from program_terms t
      where t.program_id = $1 and ${condition} order by t.begins_on desc, t.created_at desc limit 1`,
    values: [program_id, value],
  }
}

/** The versions of a program, the latest first. */
export function findVersions(program_id: number, limit: number): Statement<TermsVersionRow> {
  return {
    text: `select t.version, t.begins_on, t.created_at from program_terms t where t.program_id = $1
      order by t.begins_on desc, t.created_at desc limit $2`,
    values: [program_id, limit],
  }
}

/** Adds a version; gives nothing if the program has it already. */
export function insertTerms(program_id: number, row: TermsRow): Statement<{ version: string }> {
  return {
    text: `insert into program_terms (program_id, version, begins_on, text_en, text_ar, created_at)
      values ($1, $2, $3::date, $4, $5, $6) on conflict (program_id, version) do nothing returning version`,
    values: [program_id, row.version, row.begins_on, row.text_en, row.text_ar, row.created_at],
  }
}
