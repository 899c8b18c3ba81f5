import { audit } from '../../db/audit.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { addDays, type Day, dayOf } from '../../domain/day.ts'
import { DomainError, type FieldError, refuseFields } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import { max_rate_days_ahead } from '../../domain/rates.ts'
import { terms as builtIn, type Terms } from '../../domain/terms.ts'
import { max_terms_versions, parseTerms, readTermsVersion } from '../../domain/terms-text.ts'
import type { Clock } from '../../lib/clock.ts'
import { lockProgram } from './program-queries.ts'
import {
  findTerms,
  findVersionOn,
  findVersions,
  insertTerms,
  type TermsRow,
  type TermsVersionRow,
} from './terms-queries.ts'

/** Terms as a customer reads them. */
export interface ProgramTerms {
  readonly version: string
  /** Null for the product's own text. */
  readonly begins_on: Day | null
  readonly texts: Readonly<Record<Locale, Terms>>
}

/** A version as an operator adds it. */
export interface NewTerms {
  readonly version: string
  readonly begins_on: Day
  readonly text_en: string
  readonly text_ar: string
}

export interface TermsService {
  /**
   * The terms in force, or a version of them; the product's own where the program has no text.
   * @throws DomainError `path_not_found` for a version that is not known
   */
  read(program_id: number | null, version?: string): Promise<ProgramTerms>
  /** The version in force. */
  versionOf(program_id: number): Promise<string>
  /** Those of the program, the latest first. */
  list(program_id: number): Promise<readonly TermsVersionRow[]>
  find(program_id: number, version: string): Promise<TermsRow | undefined>
  /** @throws DomainError `validation` */
  add(program_id: number, fresh: NewTerms, by: Actor, beforeCommit?: BeforeCommit<void>): Promise<void>
}

/** The version of a program's terms that is in force: to be recorded with a consent. */
export async function termsVersionOf(db: Queryable, program_id: number, now: Date): Promise<string> {
  return (await db.one(findVersionOn(program_id, dayOf(now))))?.version ?? builtIn.version
}

/** docs/spec/customers.md#terms */
export function createTerms({ db, clock }: { readonly db: Database; readonly clock: Clock }): TermsService {
  return {
    async read(program_id, version) {
      const asked = version === undefined ? { day: dayOf(clock.now()) } : { version }
      const row = program_id === null ? undefined : await db.one(findTerms(program_id, asked))
      const texts = row && { en: parseTerms(row.text_en), ar: parseTerms(row.text_ar) }
      if (row === undefined || !texts?.en || !texts.ar) {
        // A version that somebody agreed to keeps its text.
        if (version !== undefined && version !== builtIn.version) throw new DomainError({ kind: 'path_not_found' })
        return { ...builtIn, begins_on: null }
      }
      return { version: row.version, begins_on: row.begins_on, texts: { en: texts.en, ar: texts.ar } }
    },
    versionOf: (program_id) => termsVersionOf(db, program_id, clock.now()),
    list: (program_id) => db.run(findVersions(program_id, max_terms_versions)),
    find: (program_id, version) => db.one(findTerms(program_id, { version })),
    add: (program_id, fresh, by, beforeCommit) =>
      db.transaction(async (tx) => {
        const now = clock.now()
        await tx.one(lockProgram(program_id))
        const known = await tx.run(findVersions(program_id, max_terms_versions))
        const errors = mistakesOf(fresh, known, now)
        if (errors.length > 0) refuseFields(...errors)
        void tx.run(insertTerms(program_id, { ...fresh, created_at: now }))
        const after = { version: fresh.version, begins_on: fresh.begins_on }
        audit(tx, by, [{ program_id, action: 'program.terms', object: `program:${program_id}`, before: null, after }])
        await beforeCommit?.(tx)
      }),
  }
}

function mistakesOf(fresh: NewTerms, known: readonly TermsVersionRow[], now: Date): FieldError[] {
  const { version, begins_on } = fresh
  const today = dayOf(now)
  const errors: FieldError[] = []
  if (readTermsVersion(version) === null) errors.push({ field: 'version', rule: 'version_name' })
  else if (version === builtIn.version || known.some((one) => one.version === version))
    errors.push({ field: 'version', rule: 'taken' })
  else if (known.length >= max_terms_versions)
    errors.push({ field: 'version', rule: 'limit_reached', limit: max_terms_versions })
  if (begins_on < today) errors.push({ field: 'begins_on', rule: 'day_past' })
  if (begins_on > addDays(today, max_rate_days_ahead))
    errors.push({ field: 'begins_on', rule: 'days_ahead', limit: max_rate_days_ahead })
  for (const field of ['text_en', 'text_ar'] as const)
    if (parseTerms(fresh[field]) === null) errors.push({ field, rule: 'terms_text' })
  return errors
}
