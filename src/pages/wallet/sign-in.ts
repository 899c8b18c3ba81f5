import type { LocalText } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import type { ProgramView } from '../../features/wallet/service.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { card, notice, outcome } from '../design/components.ts'
import { button, form } from '../design/controls.ts'
import { type Html, html } from '../design/html.ts'
import { codeState, codeStep, noteWithoutCode, readNote, renderNote, withoutNote } from '../identity/code.ts'
import { type OnboardingErrors, onboardingStep } from '../identity/onboarding.ts'
import { phoneStep } from '../identity/phone.ts'
import { codeTexts, onboardingTexts } from '../identity/texts.ts'
import { signOutForm, type WalletPlace, walletLink, walletPage } from './frame.ts'
import { signInTexts, unknownProgramTexts } from './texts.ts'

/** The screens before the wallet. Codes use the system clock. */

interface Screen {
  readonly place: WalletPlace
}

interface PhoneScreen extends Screen {
  /** Whether the browser sent the token of a session that has ended. */
  readonly session_ended: boolean
  readonly typed?: string
  readonly error?: LocalText
}

export function phoneScreen(request: PageRequest, { place, session_ended, typed, error }: PhoneScreen): Page {
  const { locale, csrf, query } = request
  const body = phoneStep({
    locale,
    csrf,
    action: walletLink(request, '/wallet'),
    title: signInTexts.title[locale],
    lead: signInTexts.lead[locale],
    message: error === undefined ? signInMessage(request, session_ended) : null,
    ...(typed === undefined ? {} : { typed }),
    ...(error === undefined ? {} : { error }),
  })
  return walletPage(request, {
    place,
    status: error === undefined ? 200 : 422,
    has_errors: error !== undefined,
    title: signInTexts.title[locale],
    current: null,
    query: withoutNote(query),
    body: card(body),
  })
}

/** Says why the reader has to sign in. */
function signInMessage({ locale, query }: PageRequest, session_ended: boolean): Html | null {
  const message = noteWithoutCode(readNote(query, new Date()), locale)
  if (message !== null) return message
  if (session_ended) return notice('info', signInTexts.ended[locale])
  return query['note'] === 'left' ? notice('success', signInTexts.left[locale]) : null
}

interface CodeScreen extends Screen {
  readonly phone: Phone
  readonly shown_code: string | null
  readonly resend_at: Date
  readonly tries_left: number
}

export function codeScreen(request: PageRequest, { place, tries_left, ...code }: CodeScreen): Page {
  const { locale, csrf, query } = request
  const now = new Date()
  const read = readNote(query, now)
  const { error, message = null } = renderNote(read, locale, tries_left)
  const body = codeStep({
    ...code,
    locale,
    csrf,
    now,
    action: walletLink(request, '/wallet'),
    change_href: walletLink(request, '/wallet', { at: 'number' }),
    error,
    message,
    state: codeState(read, tries_left),
  })
  return walletPage(request, {
    place,
    title: codeTexts.title[locale],
    current: null,
    scripts: ['forms', 'resend', 'otp'],
    has_errors: error !== undefined,
    query: withoutNote(query),
    body: card(body),
  })
}

interface OnboardingScreen extends Screen {
  readonly program: Pick<ProgramView, 'terms_version'>
  readonly name: string
  readonly waiting_points: Points
  readonly errors?: OnboardingErrors
}

export function onboardingScreen(request: PageRequest, { place, program, errors, ...join }: OnboardingScreen): Page {
  const { locale, csrf } = request
  const body = onboardingStep({
    ...join,
    locale,
    csrf,
    action: walletLink(request, '/wallet'),
    terms: { href: walletLink(request, '/terms'), version: program.terms_version },
    ...(errors === undefined ? {} : { errors }),
  })
  return walletPage(request, {
    place,
    status: errors === undefined ? 200 : 422,
    has_errors: errors !== undefined,
    title: onboardingTexts.title[locale],
    current: null,
    body: html`${card(body)}${signOutForm(request)}`,
  })
}

/** Shown after a right code while an operator blocks the wallet: a stranger learns nothing. */
export function blockedScreen(request: PageRequest, { place }: Screen): Page {
  const { locale, csrf } = request
  const sign_out = form({ action: walletLink(request, '/wallet'), csrf, hidden: { do: 'sign-out' } }, [
    button(signInTexts.blockedOut[locale], { kind: 'secondary' }),
  ])
  return walletPage(request, {
    place,
    title: signInTexts.blocked[locale],
    current: null,
    body: html`${outcome('ended', signInTexts.blocked[locale], signInTexts.blockedText[locale])}
${sign_out}`,
  })
}

/** Shown when the program does not exist. */
export function unknownProgramScreen(request: PageRequest, { place }: Screen): Page {
  const { locale } = request
  return walletPage(request, {
    place,
    status: 404,
    title: unknownProgramTexts.title[locale],
    current: null,
    body: outcome('failed', unknownProgramTexts.title[locale], unknownProgramTexts.text[locale]),
  })
}
