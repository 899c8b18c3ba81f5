import type { LocalText } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { pointsEarned } from '../../domain/points.ts'
import { after } from '../../domain/spans.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import type { OtpPeeked } from '../../features/otp/service.ts'
import { actions, card, heading, notice } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { codeState, codeStep, noteWithoutCode, type PageEnd, readNote, renderNote } from '../identity/code.ts'
import { type OnboardingErrors, onboardingStep } from '../identity/onboarding.ts'
import { maskedPhone, phoneStep } from '../identity/phone.ts'
import { onboardingTexts, phoneTexts } from '../identity/texts.ts'
import { termsHref } from './consent.ts'
import { besideOrder } from './order.ts'
import { exitSection, progress, type ScreenContent, type ScreenContext } from './screen.ts'
import { numberTexts, payTexts, withoutPointsTexts } from './texts.ts'

/** The screens that prove a phone and onboard a customer (docs/spec/checkout.md#steps). */

/** Asks for the number, or offers the one that the store sent. */
export function renderNumber(context: ScreenContext, given: boolean, error?: LocalText): ScreenContent {
  const { view, locale, query, now, action, csrf, form: typed } = context
  const note = readNote(query, now)
  const notes = [noteWithoutCode(note, locale, pageEndOf(context)), ...notesOf(context)]
  const used_up = note?.kind === 'too_many_codes'
  const invalid = error === undefined ? {} : { error, typed: typed?.['phone'] ?? '' }
  const step =
    given && view.given_phone !== null
      ? givenNumber(context, view.given_phone, { notes, used_up })
      : phoneStep({ locale, action, csrf, message: html`${notes}`, ...invalid })
  const title = (given ? numberTexts.givenTitle : phoneTexts.title)[locale]
  const main = html`${progress('number', context)}${step}${withoutPointsForm(context, used_up && given)}`
  const body = besideOrder(context, main, exitSection(context))
  return { title, body, width: 'wide', has_errors: error !== undefined, pays: view.may_continue }
}

/** When the page expires by the system clock, as codes do, and what to say when no code can be used before then. */
function pageEndOf({ view, now, session_left_ms }: ScreenContext): PageEnd {
  const { late, lateFree, lateElsewhere } = withoutPointsTexts
  const text = view.may_continue ? late : view.held_until === null ? lateFree : lateElsewhere
  return { at: after(now, session_left_ms), late: text }
}

/** The form to continue without points and without a code: the way on when no code can be had. */
function withoutPointsForm({ view, locale, action, csrf }: ScreenContext, is_way_on = false): Html | null {
  if (!view.may_continue) return null
  const hint = interpolate(withoutPointsTexts.hint, locale, { total: amount(view.total_halalas, locale) })
  const body = [
    html`<p class="hint">${hint}</p>`,
    button(withoutPointsTexts.go[locale], { kind: is_way_on ? 'primary' : 'secondary' }),
  ]
  return otherWay(form({ action, csrf, hidden: { do: 'continue' } }, body))
}

/** Apart from the form above, so that its hint is not read as that of the button before it. */
function otherWay(way: Html): Html {
  return html`<div class="other-way">${way}</div>`
}

function notesOf({ view, locale, query }: ScreenContext) {
  if (query['note'] === 'unavailable') return [notice('error', payTexts.unavailablePlain[locale])]
  if (query['note'] === 'changed') return [notice('info', numberTexts.codeNeeded[locale])]
  if (query['note'] === 'another') return [notice('warning', numberTexts.another[locale])]
  return view.held_until === null ? [] : [notice('info', numberTexts.elsewhere[locale])]
}

/** Without the button that sends a code while none can be had. */
function givenNumber(
  { locale, action, csrf }: ScreenContext,
  phone: Phone,
  { notes, used_up }: { readonly notes: readonly (Html | null)[]; readonly used_up: boolean },
) {
  const other = linkButton(numberTexts.other[locale], `${action}?at=number`, { kind: 'quiet' })
  const send = form({ action, csrf, hidden: { do: 'given' } }, actions(button(phoneTexts.send[locale]), other))
  return html`${heading(numberTexts.givenTitle[locale], used_up ? undefined : numberTexts.givenLead[locale])}
${notes}
${card(html`<p class="shown-number">${maskedPhone(phone)}</p>`)}
${used_up ? actions(other) : send}`
}

export function renderCode(context: ScreenContext, code: OtpPeeked): ScreenContent {
  const { locale, query, now, action, csrf } = context
  const { phone, shown_code, resend_at, tries_left } = code
  const note = readNote(query, now)
  const { error, message = null } = renderNote(note, locale, tries_left, pageEndOf(context))
  const state = codeState(note, tries_left)
  // The same screen as the number: only the field is new.
  const title = numberTexts.givenTitle[locale]
  const step = codeStep({
    ...{ locale, action, csrf, phone, shown_code, resend_at, now, error, state, title },
    message: joinNotes([message, ...notesOf(context)]),
    change_href: `${action}?at=number`,
  })
  const main = html`${progress('number', context)}${step}${withoutPointsForm(context, state === 'used_up')}`
  const body = besideOrder(context, main, exitSection(context))
  const has_errors = error !== undefined
  return { title, body, width: 'wide', has_errors, pays: context.view.may_continue, scripts: ['resend', 'otp'] }
}

function joinNotes(notes: readonly (Html | null)[]): Html | null {
  const shown = notes.filter((note) => note !== null)
  return shown.length === 0 ? null : html`${shown}`
}

/** Asks a new customer for a name and for consent. */
export function renderOnboarding(context: ScreenContext, errors: OnboardingErrors = {}): ScreenContent {
  const { view, locale, action, csrf, form: typed } = context
  const step = onboardingStep({
    ...{ locale, action, csrf, errors },
    name: typed?.['name'] ?? givenName(view),
    waiting_points: null,
    terms: { href: termsHref(view, locale), version: view.terms_version },
  })
  return {
    title: onboardingTexts.title[locale],
    body: html`${progress('number', context)}${step}${skipForm(context)}${exitSection(context)}`,
    has_errors: Object.keys(errors).length > 0,
    pays: view.may_continue,
  }
}

/** Onboarding is optional: a customer can pay without it. */
function skipForm({ view, locale, action, csrf }: ScreenContext): Html | null {
  if (!view.may_continue) return null
  const body = [
    html`<p class="hint">${withoutPointsTexts.skipHint[locale]}</p>`,
    button(withoutPointsTexts.skip[locale], { kind: 'secondary' }),
  ]
  return otherWay(form({ action, csrf, hidden: { do: 'continue', joins: 'no' } }, body))
}

/**
 * Offers onboarding before a payment without a code. The screen is the same for every number. The answers count only if the
 * number is unknown when the order is paid.
 */
export function renderGuestOnboarding(context: ScreenContext, errors: OnboardingErrors = {}): ScreenContent {
  const { view, locale, action, csrf, form: typed } = context
  const earned = pointsEarned(view.total_halalas, view.merchant.points_per_sar_e4)
  const texts = withoutPointsTexts
  const title = (earned === 0 ? texts.titlePlain : texts.title)[locale]
  const parts = { points: points(earned, locale, 'object'), phone: view.given_phone && maskedPhone(view.given_phone) }
  const lead = interpolate(earned === 0 ? texts.leadPlain : texts.lead, locale, parts)
  const step = onboardingStep({
    ...{ locale, action, csrf, errors },
    name: typed?.['name'] ?? '',
    waiting_points: null,
    terms: { href: termsHref(view, locale), version: view.terms_version },
    texts: { title, lead, submit: texts.join[locale] },
    hidden: { do: 'continue', joins: 'yes' },
  })
  const body = html`${step}${skipForm(context)}${exitSection(context)}`
  return { title, body, has_errors: Object.keys(errors).length > 0, pays: true }
}

/** The store's name for its customer, shown to that customer only: anybody with the link can prove another number. */
function givenName({ given_phone, given_name, proven_phone }: CheckoutView): string {
  return given_phone === null || given_phone === proven_phone ? (given_name ?? '') : ''
}
