import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/purge.ts'
import type { Locale } from '../../domain/text.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TranslationFailure, Translator } from '../../providers/translation/port.ts'
import { deleteTranslations, findTranslation, saveTranslation } from './translation-queries.ts'

/** Spec, "Limits". */
const cache_ms = 30 * 86_400_000

/** Decisions §9: what a translation may take; then the text is copied. */
const budget_ms = 2_000

/** A label has 120 characters at most, a translated one too (spec, "Limits"). */
const max_label = 120

export interface Label {
  readonly text: string
  readonly source: Locale
  readonly target: Locale
}

/** Gives a label in another language: its translation, or the label itself where there is none. Never refuses. */
export type TranslateLabel = (program_id: number, label: Label) => Promise<string>

export interface TranslationOptions {
  readonly db: Database
  readonly clock: Clock
  /** Undefined where none is configured: labels are copied. */
  readonly translator: Translator | undefined
  /** Told why a label was copied. */
  readonly onFailure?: (reason: TranslationFailure | 'too_long') => void
  readonly budget_ms?: number
}

/** Decisions §9: cached for 30 days by target language and text, whoever translated it. */
export function createTranslateLabel(options: TranslationOptions): TranslateLabel {
  const { db, clock, translator, onFailure = () => undefined } = options
  return async (program_id, label) => {
    if (translator === undefined) return label.text
    const now = clock.now()
    const span = { after: new Date(now.getTime() - cache_ms), until: now }
    const known = await db.one(findTranslation(program_id, label, span))
    if (known !== undefined) return known.translated
    const outcome = await translator.translate(label, AbortSignal.timeout(options.budget_ms ?? budget_ms))
    const reason = outcome.kind === 'failed' ? outcome.reason : tooLong(outcome.text)
    if (outcome.kind === 'failed' || reason !== null) {
      if (reason !== null) onFailure(reason)
      return label.text
    }
    await db.run(saveTranslation(program_id, { ...label, translated: outcome.text }, now))
    return outcome.text
  }
}

function tooLong(text: string): 'too_long' | null {
  return [...text].length > max_label ? 'too_long' : null
}

/** Forgets translations whose thirty days are over at `now` of the business clock; gives how many. */
export function purgeTranslations(db: Database, now: Date, batch?: number): Promise<number> {
  const before = new Date(now.getTime() - cache_ms)
  return purgeEverywhere(db, (program_id, count) => deleteTranslations(program_id, before, count), batch)
}
