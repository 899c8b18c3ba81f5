import type { Locale, LocalText } from '../../domain/locale.ts'
import { max_name_characters, readName } from '../../domain/name.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { errorSummary, heading, notice } from '../design/components.ts'
import { button, checkbox, field, form } from '../design/controls.ts'
import { points } from '../design/format.ts'
import { type Html, html, type Part } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { onboardingTexts } from './texts.ts'

export interface Joining {
  readonly name: string
  /** The version that was agreed to. */
  readonly terms_version: string
}

export interface JoiningMistakes {
  readonly name?: LocalText
  readonly terms?: LocalText
}

export interface OnboardingStep {
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly name: string
  /** Points of earnings that wait; null where that is not known. */
  readonly waiting_points: Points | null
  readonly terms: { readonly href: string; readonly version: string }
  readonly mistakes?: JoiningMistakes
  /** Where it stands for something else than opening the wallet at once. */
  readonly words?: { readonly title: Part; readonly lead: Part; readonly go: Part }
  /** What its form does; `join` unless told. */
  readonly hidden?: Readonly<Record<string, string>>
}

/** Asks for a name and for consent. Its form sends `do=join`, `name` and `terms`, which is the version agreed to. */
export function onboardingStep(step: OnboardingStep): Html {
  const { locale, action, csrf, name, waiting_points, terms, mistakes = {}, hidden = { do: 'join' } } = step
  const { title, lead, join } = onboardingTexts
  const words = step.words ?? { title: title[locale], lead: lead[locale], go: join[locale] }
  const waiting =
    waiting_points === null || waiting_points <= NO_POINTS
      ? null
      : notice('success', interpolate(onboardingTexts.waiting, locale, { points: points(waiting_points, locale) }))
  const name_field = field({
    name: 'name',
    label: onboardingTexts.name[locale],
    hint: onboardingTexts.name_hint[locale],
    autocomplete: 'name',
    dir: 'auto',
    maxlength: max_name_characters,
    required: true,
    value: name,
    error: mistakes.name?.[locale],
  })
  const consent = checkbox({
    name: 'terms',
    value: terms.version,
    label: interpolate(onboardingTexts.consent, locale, { terms: termsLink(terms.href, locale) }),
    required: true,
    error: mistakes.terms?.[locale],
  })
  const version = html`<p class="hint">${interpolate(onboardingTexts.version, locale, { version: html`<bdi dir="ltr">${terms.version}</bdi>` })}</p>`
  return html`${errorSummary(listed(mistakes, locale), locale)}
${heading(words.title, words.lead)}
${waiting}
${form({ action, csrf, hidden }, [name_field, consent, version, button(words.go)])}`
}

function termsLink(href: string, locale: Locale): Html {
  const told = html`<span class="unseen"> (${onboardingTexts.new_tab[locale]})</span>`
  return html`<a href="${href}" target="_blank" rel="noopener">${onboardingTexts.terms[locale]}${told}</a>`
}

function listed(mistakes: JoiningMistakes, locale: Locale) {
  const { name, terms } = mistakes
  return [
    ...(name === undefined ? [] : [{ field: 'name', text: name[locale] }]),
    ...(terms === undefined ? [] : [{ field: 'terms', text: terms[locale] }]),
  ]
}

/** What was sent, or what is wrong with it. Consent is to the version that was shown: it must be the one in force. */
export function readJoining(
  form: Readonly<Record<string, string>>,
  version: string,
): { readonly joining: Joining } | { readonly mistakes: JoiningMistakes } {
  const typed = form['name'] ?? ''
  const name = readName(typed)
  const terms_version = form['terms'] ?? ''
  const name_mistake =
    name !== null ? null : typed.trim() === '' ? onboardingTexts.missing_name : onboardingTexts.long_name
  const terms_mistake =
    terms_version === version
      ? null
      : terms_version === ''
        ? onboardingTexts.missing_consent
        : onboardingTexts.other_terms
  if (name !== null && terms_mistake === null) return { joining: { name, terms_version } }
  return {
    mistakes: {
      ...(name_mistake === null ? {} : { name: name_mistake }),
      ...(terms_mistake === null ? {} : { terms: terms_mistake }),
    },
  }
}
