import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { heading, notice } from '../design/components.ts'
import { button, field, form, linkButton } from '../design/controls.ts'
import { moment } from '../design/format.ts'
import { attributes, type Html, html, type Part } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { shownPhone } from './phone.ts'
import { codeTexts } from './texts.ts'

export interface CodeStep {
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly phone: Phone
  /** The code itself, where a sandbox shows it. */
  readonly shown_code: string | null
  /** From when a new code is sent. */
  readonly resend_at: Date
  readonly now: Date
  /** Where another number is asked for. */
  readonly change_href: string
  /** What is wrong with the code that was sent. */
  readonly error?: Part | undefined
  /** Between the heading and the form: what happened before. */
  readonly message?: Html | null
}

/** Asks for the code. Its forms send `do=code` and `code`, and `do=resend`. */
export function codeStep(step: CodeStep): Html {
  const { locale, action, csrf, shown_code, error, message = null } = step
  const code = field({
    name: 'code',
    label: codeTexts.label[locale],
    look: 'code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    dir: 'ltr',
    required: true,
    error,
    autofocus: true,
  })
  return html`${heading(codeTexts.title[locale], interpolate(codeTexts.lead, locale, { phone: shownPhone(step.phone) }))}
${message}
${shown_code === null ? null : sandboxCode(shown_code, locale)}
${form({ action, csrf, hidden: { do: 'code' } }, [code, button(codeTexts.go[locale])])}
${resendForm(step)}
${linkButton(codeTexts.change[locale], step.change_href, { kind: 'quiet' })}`
}

function sandboxCode(code: string, locale: Locale): Html {
  return notice(
    'info',
    interpolate(codeTexts.sandbox, locale, {
      code: html`<strong><bdi class="figure" dir="ltr" data-code>${code}</bdi></strong>`,
    }),
  )
}

/** Without a script the button can always be pressed, and the server says when it is too early. */
function resendForm({ locale, action, csrf, resend_at, now }: CodeStep): Html {
  const waits = resend_at > now
  const when = html`<p class="hint"${attributes({ 'data-resend-text': codeTexts.resend_in[locale] })}>${interpolate(codeTexts.resend_at, locale, { time: moment(resend_at, locale, 'time') })}</p>`
  const data = { 'resend-at': resend_at.getTime(), now: now.getTime() }
  return form({ action, csrf, hidden: { do: 'resend' }, ...(waits ? { data } : {}) }, [
    waits ? when : null,
    button(codeTexts.resend[locale], { kind: 'quiet' }),
  ])
}
