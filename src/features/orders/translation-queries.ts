import { prepared, type Statement } from '../../db/statement.ts'
import type { Locale } from '../../domain/locale.ts'

const findText = prepared<{ translated: string }>(
  'translation.find',
  `select translated from translation
   where program_id = $1 and target = $2 and text = $3 and (program_id, target, text) >= ($1, $2, $3)
     and (created_at > $4 and created_at <= $5) is true`,
)

/** The translation of a text, if it was made within a span of time. */
export function findTranslation(
  program_id: number,
  of: { readonly target: Locale; readonly text: string },
  span: { readonly after: Date; readonly until: Date },
): Statement<{ translated: string }> {
  return findText(program_id, of.target, of.text, span.after, span.until)
}

const saveText = prepared<never>(
  'translation.save',
  `insert into translation (program_id, target, text, translated, created_at) values ($1, $2, $3, $4, $5)
   on conflict (program_id, target, text)
   do update set translated = excluded.translated, created_at = excluded.created_at`,
)

/** Saves a translation; it replaces an older one. */
export function saveTranslation(
  program_id: number,
  of: { readonly target: Locale; readonly text: string; readonly translated: string },
  now: Date,
): Statement<never> {
  return saveText(program_id, of.target, of.text, of.translated, now)
}

/** Deletes up to `count` translations of a program that were made before an instant. */
export function deleteTranslations(program_id: number, before: Date, count: number): Statement<{ target: Locale }> {
  return {
    text: `delete from translation where program_id = $1 and (target, text) in (
        select target, text from translation where program_id = $1 and created_at < $2 order by created_at limit $3
      ) and created_at < $2 returning target`,
    values: [program_id, before, count],
  }
}
