import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { after, day_ms, hour_ms } from '../../domain/spans.ts'
import { heading, notice } from '../design/components.ts'
import { button, field, form, linkButton } from '../design/controls.ts'
import { momentFrom } from '../design/format.ts'
import { attributes, type Html, html, type Part } from '../design/html.ts'
import { interpolate, interpolateCount } from '../design/interpolate.ts'
import { maskedPhone } from './phone.ts'
import { codeTexts } from './texts.ts'

export interface CodeStep {
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly phone: Phone
  /** The code, when a sandbox shows it. */
  readonly shown_code: string | null
  /** When a new code can be requested. */
  readonly resend_at: Date
  readonly now: Date
  /** The page that asks for another number. */
  readonly change_href: string
  /** Replaces the default heading. */
  readonly title?: string
  /** What can be done about the code. */
  readonly state: CodeState
  readonly error?: Part | undefined
  /** Shown between the heading and the form. */
  readonly message?: Html | null
}

/** `open`: the code can be tried. `over`: a new one can be requested. `used_up`: neither, for some time. */
export type CodeState = 'open' | 'over' | 'used_up'

/** What can be done about a code, with the note of the last form. */
export function codeState(note: CodeNote | null, tries_left: number): CodeState {
  if (note?.kind === 'too_many_tries') return 'used_up'
  if (tries_left > 0) return 'open'
  return note?.kind === 'too_many_codes' ? 'used_up' : 'over'
}

/** Asks for the code. Its forms send `do=code` and `code`, and `do=resend`. There is no field for a code that cannot be tried. */
export function codeStep(step: CodeStep): Html {
  const { locale, shown_code, state, error, message = null, title = codeTexts.title[locale] } = step
  const lead = state === 'open' ? interpolate(codeTexts.lead, locale, { phone: maskedPhone(step.phone) }) : undefined
  const over = state === 'over' && message === null ? notice('warning', error ?? codeTexts.over[locale]) : null
  return html`${heading(title, lead)}
${message}${over}
${shown_code === null ? null : sandboxCode(shown_code, locale)}
${state === 'open' ? codeForm(step) : null}
${state === 'used_up' ? null : resendForm(step)}
${linkButton(codeTexts.change[locale], step.change_href, { kind: 'quiet' })}`
}

function codeForm({ locale, action, csrf, error }: CodeStep): Html {
  const code = field({
    name: 'code',
    label: codeTexts.label[locale],
    look: 'code',
    inputmode: 'numeric',
    enterkeyhint: 'go',
    autocomplete: 'one-time-code',
    dir: 'ltr',
    required: true,
    error,
    autofocus: true,
  })
  return form({ action, csrf, hidden: { do: 'code' } }, [code, button(codeTexts.go[locale])])
}

function sandboxCode(code: string, locale: Locale): Html {
  return notice(
    'info',
    interpolate(codeTexts.sandbox, locale, {
      code: html`<strong><bdi class="figure" dir="ltr" data-code>${code}</bdi></strong>`,
    }),
  )
}

/** Without scripts the button is always enabled, and the server refuses a request that comes too early. */
function resendForm({ locale, action, csrf, resend_at, now, state }: CodeStep): Html {
  const waits = resend_at > now
  const when = html`<p class="hint"${attributes({ 'data-resend-text': codeTexts.resend_in[locale] })}>${interpolate(codeTexts.resend_at, locale, { time: momentFrom(resend_at, locale, 'time') })}</p>`
  const data = { 'resend-at': resend_at.getTime(), now: now.getTime() }
  return form({ action, csrf, hidden: { do: 'resend' }, ...(waits ? { data } : {}) }, [
    waits ? when : null,
    button(codeTexts.resend[locale], { kind: state === 'open' ? 'quiet' : 'primary' }),
  ])
}

/** The result of sending or checking a code. The page after the form shows it. */
export type CodeNote =
  | { readonly kind: 'wrong' | 'missing' | 'over' | 'not_sent' | 'sent_again' }
  /** `far`: more than six hours away, so the date is shown with the time. */
  | { readonly kind: 'too_many_codes' | 'too_many_tries'; readonly retry_at: Date; readonly far?: boolean }

/** No limit makes a customer wait longer. */
const longest_wait_ms = day_ms
const far_ms = 6 * hour_ms

/** The query that carries a note from the form to the next page; empty without a note. */
export function noteQuery(note: CodeNote | null): Readonly<Record<string, string>> {
  if (note === null) return {}
  return 'retry_at' in note ? { note: note.kind, until: String(note.retry_at.getTime()) } : { note: note.kind }
}

/** Reads the note of a query. Anybody can write one: null for a note that no form makes, and for a time in the past. */
export function readNote(query: Readonly<Record<string, string>>, now: Date): CodeNote | null {
  const kind = query['note']
  switch (kind) {
    case 'too_many_codes':
    case 'too_many_tries': {
      const wait_ms = Number(query['until']) - now.getTime()
      if (!(wait_ms > 0 && wait_ms <= longest_wait_ms)) return null
      return { kind, retry_at: after(now, wait_ms), far: wait_ms > far_ms }
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

export function withoutNote(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { note: _note, until: _until, ...rest } = query
  return rest
}

export interface RenderedNote {
  /** Shown at the field. */
  readonly error?: Html
  /** Shown above the form. */
  readonly message?: Html
}

/** When the page expires, and the text for customers who must wait longer than that. */
export interface PageEnd {
  readonly at: Date
  readonly late: LocalText
}

/** Renders a note. `tries_left` is that of the current code, 0 without one. */
export function renderNote(note: CodeNote | null, locale: Locale, tries_left = 0, end?: PageEnd): RenderedNote {
  if (note === null) return {}
  switch (note.kind) {
    case 'wrong':
      return { error: tries_left === 0 ? html`${codeTexts.over[locale]}` : wrongCodeText(tries_left, locale) }
    case 'missing':
    case 'over':
      return { error: html`${codeTexts[note.kind][locale]}` }
    case 'too_many_codes':
    case 'too_many_tries': {
      const text = end !== undefined && note.retry_at >= end.at ? end.late : codeTexts[note.kind]
      const time = momentFrom(note.retry_at, locale, note.far === true ? 'both' : 'time')
      return { message: notice('warning', interpolate(text, locale, { time })) }
    }
    case 'not_sent':
      return { message: notice('warning', codeTexts.not_sent[locale]) }
    case 'sent_again':
      return { message: notice('success', codeTexts.sent_again[locale]) }
  }
}

/** A note on the screen of the number, which has no field for a code: the code was lost with its session, for example. */
export function noteWithoutCode(note: CodeNote | null, locale: Locale, end?: PageEnd): Html | null {
  const { error, message = null } = renderNote(note, locale, 0, end)
  return error === undefined ? message : notice('warning', error)
}

function wrongCodeText(tries_left: number, locale: Locale): Html {
  return interpolate(codeTexts.wrong, locale, { tries: interpolateCount(codeTexts.triesLeft, tries_left, locale) })
}
