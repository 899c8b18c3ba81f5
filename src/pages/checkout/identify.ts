import type { LocalText } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import { pointsEarned } from '../../domain/points.ts'
import { terms } from '../../domain/terms.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import type { OtpPeeked } from '../../features/otp/service.ts'
import { actions, card, heading, notice } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { codeStep } from '../identity/code.ts'
import { type PageEnd, readNote, tellNote } from '../identity/notes.ts'
import { type JoiningMistakes, onboardingStep } from '../identity/onboarding.ts'
import { phoneStep, shownPhone } from '../identity/phone.ts'
import { codeTexts, onboardingTexts, phoneTexts } from '../identity/texts.ts'
import { plainTexts } from './plain-texts.ts'
import { type Drawn, orderCard, progress, type Showing, wayOut } from './screen.ts'
import { numberTexts, payTexts } from './texts.ts'

/** The screens by which a customer proves a phone, and joins. */

/** Asks for the number, or offers the one that the store has given. */
export function drawNumber(showing: Showing, given: boolean, error?: LocalText): Drawn {
  const { view, locale, query, now, action, csrf, form: typed } = showing
  const { message = null } = tellNote(readNote(query, now), locale, 0, endOf(showing))
  const notes = [message, ...noted(showing)]
  const wrong = error === undefined ? {} : { error, typed: typed?.['phone'] ?? '' }
  const step =
    given && view.given_phone !== null
      ? givenNumber(showing, view.given_phone, notes)
      : phoneStep({ locale, action, csrf, message: html`${notes}`, ...wrong })
  const title = (given ? numberTexts.givenTitle : phoneTexts.title)[locale]
  const body = html`${progress(0, showing)}${step}${withoutPoints(showing)}${orderCard(showing)}${wayOut(showing)}`
  return { title, body, wrong: error !== undefined, pays: view.may_continue }
}

/** When the page ends by the clock that codes go by, and what to do where no code can be used before that. */
function endOf({ view, now, session_left_ms }: Showing): PageEnd {
  const { late, lateFree, lateElsewhere } = plainTexts
  const text = view.may_continue ? late : view.held_until === null ? lateFree : lateElsewhere
  return { at: new Date(now.getTime() + session_left_ms), late: text }
}

/** The way on for who has no code, or wants none. */
function withoutPoints({ view, locale, action, csrf }: Showing): Html | null {
  if (!view.may_continue) return null
  const hint = interpolate(plainTexts.hint, locale, { total: amount(view.total_halalas, locale) })
  return form({ action, csrf, hidden: { do: 'continue' } }, [
    html`<p class="hint">${hint}</p>`,
    button(plainTexts.go[locale], { kind: 'secondary' }),
  ])
}

function noted({ view, locale, query }: Showing) {
  if (query['note'] === 'unavailable') return [notice('error', payTexts.unavailablePlain[locale])]
  if (query['note'] === 'another') return [notice('warning', numberTexts.another[locale])]
  return view.held_until === null ? [] : [notice('info', numberTexts.elsewhere[locale])]
}

function givenNumber(
  { locale, action, csrf }: Showing,
  phone: Phone,
  notes: readonly (ReturnType<typeof notice> | null)[],
) {
  return html`${heading(numberTexts.givenTitle[locale], numberTexts.givenLead[locale])}
${notes}
${card(html`<p class="shown-number">${shownPhone(phone)}</p>`)}
${form(
  { action, csrf, hidden: { do: 'given' } },
  actions(
    button(phoneTexts.send[locale]),
    linkButton(numberTexts.other[locale], `${action}?at=number`, { kind: 'quiet' }),
  ),
)}`
}

/** Asks for the code that was sent. */
export function drawCode(showing: Showing, code: OtpPeeked): Drawn {
  const { locale, query, now, action, csrf } = showing
  const { phone, shown_code, resend_at, tries_left } = code
  const { error, message = null } = tellNote(readNote(query, now), locale, tries_left, endOf(showing))
  const step = codeStep({
    ...{ locale, action, csrf, phone, shown_code, resend_at, now, error },
    message: html`${[message, ...noted(showing)]}`,
    change_href: `${action}?at=number`,
  })
  return {
    title: codeTexts.title[locale],
    body: html`${progress(0, showing)}${step}${withoutPoints(showing)}${wayOut(showing)}`,
    wrong: error !== undefined,
    pays: showing.view.may_continue,
    scripts: ['resend'],
  }
}

/** Asks a customer who is new for a name and for consent. */
export function drawOnboarding(showing: Showing, mistakes: JoiningMistakes = {}): Drawn {
  const { view, locale, action, csrf, form: typed } = showing
  const step = onboardingStep({
    ...{ locale, action, csrf, mistakes },
    name: typed?.['name'] ?? nameGiven(view),
    waiting_points: null,
    terms: { href: '/terms', version: terms.version },
  })
  return {
    title: onboardingTexts.title[locale],
    body: html`${progress(0, showing)}${step}${skip(showing)}${wayOut(showing)}`,
    wrong: Object.keys(mistakes).length > 0,
    pays: view.may_continue,
  }
}

/** Nobody has to join to pay. */
function skip({ view, locale, action, csrf }: Showing): Html | null {
  if (!view.may_continue) return null
  return form({ action, csrf, hidden: { do: 'continue', joins: 'no' } }, [
    html`<p class="hint">${plainTexts.skipHint[locale]}</p>`,
    button(plainTexts.skip[locale], { kind: 'secondary' }),
  ])
}

/**
 * Before going on without points and without a code: whoever is new may join. It is the same for every number, and what is
 * entered counts for a number that nobody has when the order is paid.
 */
export function drawJoining(showing: Showing, mistakes: JoiningMistakes = {}): Drawn {
  const { view, locale, action, csrf, form: typed } = showing
  const title = plainTexts.title[locale]
  const earned = pointsEarned(view.total_halalas, view.merchant.points_per_sar_e4)
  const lead =
    earned === 0
      ? plainTexts.leadPlain[locale]
      : interpolate(plainTexts.lead, locale, { points: points(earned, locale) })
  const step = onboardingStep({
    ...{ locale, action, csrf, mistakes },
    name: typed?.['name'] ?? '',
    waiting_points: null,
    terms: { href: '/terms', version: terms.version },
    words: { title, lead, go: plainTexts.join[locale] },
    hidden: { do: 'continue', joins: 'yes' },
  })
  const body = html`${step}${skip(showing)}${wayOut(showing)}`
  return { title, body, wrong: Object.keys(mistakes).length > 0, pays: true }
}

/** The store's name for its customer is told to that customer alone: anybody with the link may prove another number. */
function nameGiven({ given_phone, given_name, proven_phone }: CheckoutView): string {
  return given_phone === null || given_phone === proven_phone ? (given_name ?? '') : ''
}
