import type { Locale, LocalText } from '../../domain/locale.ts'
import { notice } from '../design/components.ts'
import { moment } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate, sayCount } from '../design/interpolate.ts'
import { codeTexts, tries_left_texts } from './texts.ts'

/** What became of a code that was sent or asked for; told by the page that a form leads to. */
export type CodeNote =
  | { readonly kind: 'wrong' | 'missing' | 'over' | 'not_sent' | 'sent_again' }
  /** `far`: not within the next hours, so that a time of day alone would mislead. */
  | { readonly kind: 'too_many_codes' | 'too_many_tries'; readonly retry_at: Date; readonly far?: boolean }

/** No limit makes a reader wait longer. */
const day_ms = 86_400_000
const far_ms = 6 * 3_600_000

/** The note in a query, where it stands between a form and the page after it. */
export function noteQuery(note: CodeNote): Readonly<Record<string, string>> {
  return 'retry_at' in note ? { note: note.kind, until: String(note.retry_at.getTime()) } : { note: note.kind }
}

/** The note of a query. Anybody can write one: null for what no form of ours leads to, and for what is past. */
export function readNote(query: Readonly<Record<string, string>>, now: Date): CodeNote | null {
  const kind = query['note']
  switch (kind) {
    case 'too_many_codes':
    case 'too_many_tries': {
      const wait_ms = Number(query['until']) - now.getTime()
      if (!(wait_ms > 0 && wait_ms <= day_ms)) return null
      return { kind, retry_at: new Date(now.getTime() + wait_ms), far: wait_ms > far_ms }
    }
    case 'wrong':
    case 'missing':
    case 'over':
    case 'not_sent':
    case 'sent_again':
      return { kind }
    default:
      return null
  }
}

/** The same query without a note. */
export function withoutNote(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { note: _note, until: _until, ...rest } = query
  return rest
}

export interface ToldNote {
  /** About what was typed: it belongs to the field. */
  readonly error?: Html
  /** About what happened: it stands above the form. */
  readonly message?: Html
}

/** When the page itself ends, and what to say to those who may come back only after that. */
export interface PageEnd {
  readonly at: Date
  readonly late: LocalText
}

/** A note in words. `tries_left` are those of the code that can be used now, 0 where there is none. */
export function tellNote(note: CodeNote | null, locale: Locale, tries_left = 0, end?: PageEnd): ToldNote {
  if (note === null) return {}
  switch (note.kind) {
    case 'wrong':
      return { error: tries_left === 0 ? html`${codeTexts.over[locale]}` : wrong(tries_left, locale) }
    case 'missing':
    case 'over':
      return { error: html`${codeTexts[note.kind][locale]}` }
    case 'too_many_codes':
    case 'too_many_tries': {
      const text = end !== undefined && note.retry_at >= end.at ? end.late : codeTexts[note.kind]
      const time = moment(note.retry_at, locale, note.far === true ? 'both' : 'time')
      return { message: notice('warning', interpolate(text, locale, { time })) }
    }
    case 'not_sent':
      return { message: notice('warning', codeTexts.not_sent[locale]) }
    case 'sent_again':
      return { message: notice('success', codeTexts.sent_again[locale]) }
  }
}

function wrong(tries_left: number, locale: Locale): Html {
  return interpolate(codeTexts.wrong, locale, { tries: sayCount(tries_left_texts, tries_left, locale) })
}
