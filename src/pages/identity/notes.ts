import type { Locale } from '../../http/locale.ts'
import { notice } from '../components.ts'
import { moment } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { say, sayCount } from '../say.ts'
import { codeTexts, tries_left } from './texts.ts'

/** What became of a code that was sent or asked for; told by the page that a form leads to. */
export type CodeNote =
  | { readonly kind: 'wrong'; readonly tries_left: number }
  | { readonly kind: 'missing' | 'over' | 'not_sent' | 'sent_again' }
  | { readonly kind: 'too_many_codes' | 'too_many_tries'; readonly retry_at: Date }

const hour_ms = 3_600_000

/** The note in a query, where it stands between a form and the page after it. */
export function noteQuery(note: CodeNote): Readonly<Record<string, string>> {
  switch (note.kind) {
    case 'wrong':
      return note.tries_left === 0 ? { note: 'over' } : { note: note.kind, left: String(note.tries_left) }
    case 'too_many_codes':
    case 'too_many_tries':
      return { note: note.kind, until: String(note.retry_at.getTime()) }
    default:
      return { note: note.kind }
  }
}

/** The note of a query. Anybody can write a query: null for what no form of ours leads to, and for what is past. */
export function readNote(query: Readonly<Record<string, string>>, now: Date): CodeNote | null {
  const kind = query['note']
  switch (kind) {
    case 'wrong': {
      const left = Number(query['left'])
      return [1, 2, 3, 4].includes(left) ? { kind, tries_left: left } : null
    }
    case 'too_many_codes':
    case 'too_many_tries': {
      const wait_ms = Number(query['until']) - now.getTime()
      return wait_ms > 0 && wait_ms <= hour_ms ? { kind, retry_at: new Date(now.getTime() + wait_ms) } : null
    }
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
  const { note: _note, left: _left, until: _until, ...rest } = query
  return rest
}

/** A note in words: about what was typed (`error`), or about what happened (`message`). */
export function tellNote(note: CodeNote | null, locale: Locale): { readonly error?: Html; readonly message?: Html } {
  if (note === null) return {}
  switch (note.kind) {
    case 'wrong':
      return { error: say(codeTexts.wrong, locale, { tries: sayCount(tries_left, note.tries_left, locale) }) }
    case 'missing':
    case 'over':
      return { error: html`${codeTexts[note.kind][locale]}` }
    case 'too_many_codes':
    case 'too_many_tries':
      return {
        message: notice('warning', say(codeTexts[note.kind], locale, { time: moment(note.retry_at, locale, 'time') })),
      }
    case 'not_sent':
      return { message: notice('warning', codeTexts.not_sent[locale]) }
    case 'sent_again':
      return { message: notice('success', codeTexts.sent_again[locale]) }
  }
}
