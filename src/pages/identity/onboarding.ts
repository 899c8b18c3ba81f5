import type { Locale, LocalText } from '../../domain/locale.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { max_name_characters, readName } from '../../domain/text.ts'
import { errorSummary, heading, notice } from '../design/components.ts'
import { button, checkbox, field, form } from '../design/controls.ts'
import { points } from '../design/format.ts'
import { type Html, html, type Part } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { onboardingTexts } from './texts.ts'

export interface OnboardingAnswers {
  readonly name: string
  /** The version that the customer agreed to. */
  readonly terms_version: string
}

export interface OnboardingErrors {
  readonly name?: LocalText
  readonly terms?: LocalText
}

export interface OnboardingStep {
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly name: string
  /** Points of pending earnings; null when unknown. */
  readonly waiting_points: Points | null
  readonly terms: { readonly href: string; readonly version: string }
  readonly errors?: OnboardingErrors
  /** Replace the default heading and button. */
  readonly texts?: { readonly title: Part; readonly lead: Part; readonly submit: Part }
  /** Hidden fields of the form; `do=join` by default. */
  readonly hidden?: Readonly<Record<string, string>>
}

/** Asks for a name and for consent. Its form sends `do=join`, `name`, and `terms`: the version agreed to. */
export function onboardingStep(step: OnboardingStep): Html {
  const { locale, action, csrf, name, waiting_points, terms, errors = {}, hidden = { do: 'join' } } = step
  const { title, lead, join } = onboardingTexts
  const texts = step.texts ?? { title: title[locale], lead: lead[locale], submit: join[locale] }
  const waiting =
    waiting_points === null || waiting_points <= NO_POINTS
      ? null
      : notice('success', interpolate(onboardingTexts.waiting, locale, { points: points(waiting_points, locale) }))
  const name_field = field({
    name: 'name',
    label: onboardingTexts.name[locale],
    hint: onboardingTexts.name_hint[locale],
    enterkeyhint: 'done',
    autocomplete: 'name',
    dir: 'auto',
    maxlength: max_name_characters,
    required: true,
    value: name,
    error: errors.name?.[locale],
  })
  const consent = checkbox({
    name: 'terms',
    value: terms.version,
    label: interpolate(onboardingTexts.consent, locale, { terms: termsLink(terms.href, locale) }),
    required: true,
    error: errors.terms?.[locale],
  })
  const version = html`<p class="hint">${interpolate(onboardingTexts.version, locale, { version: html`<bdi dir="ltr">${terms.version}</bdi>` })}</p>`
  return html`${errorSummary(errorList(errors, locale), locale)}
${heading(texts.title, texts.lead)}
${waiting}
${form({ action, csrf, hidden }, [name_field, consent, version, button(texts.submit)])}`
}

export function termsLink(href: string, locale: Locale): Html {
  const new_tab = html`<span class="unseen"> (${onboardingTexts.new_tab[locale]})</span>`
  return html`<a href="${href}" target="_blank" rel="noopener">${onboardingTexts.terms[locale]}${new_tab}</a>`
}

function errorList(errors: OnboardingErrors, locale: Locale) {
  const { name, terms } = errors
  return [
    ...(name === undefined ? [] : [{ field: 'name', text: name[locale] }]),
    ...(terms === undefined ? [] : [{ field: 'terms', text: terms[locale] }]),
  ]
}

/** Reads the form. Consent counts only for the current `version` of the terms. */
export function readOnboarding(
  form: Readonly<Record<string, string>>,
  version: string,
): { readonly answers: OnboardingAnswers } | { readonly errors: OnboardingErrors } {
  const typed = form['name'] ?? ''
  const name = readName(typed)
  const terms_version = form['terms'] ?? ''
  const name_error =
    name !== null ? null : typed.trim() === '' ? onboardingTexts.missing_name : onboardingTexts.long_name
  const terms_error =
    terms_version === version
      ? null
      : terms_version === ''
        ? onboardingTexts.missing_consent
        : onboardingTexts.other_terms
  if (name !== null && terms_error === null) return { answers: { name, terms_version } }
  return {
    errors: {
      ...(name_error === null ? {} : { name: name_error }),
      ...(terms_error === null ? {} : { terms: terms_error }),
    },
  }
}
