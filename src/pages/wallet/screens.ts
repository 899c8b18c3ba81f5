import type { LocalText } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'
import { terms } from '../../domain/terms.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { card, notice, outcome } from '../design/components.ts'
import { type Html, html } from '../design/html.ts'
import { codeStep } from '../identity/code.ts'
import { readNote, tellNote, withoutNote } from '../identity/notes.ts'
import { type JoiningMistakes, onboardingStep } from '../identity/onboarding.ts'
import { phoneStep } from '../identity/phone.ts'
import { codeTexts, onboardingTexts } from '../identity/texts.ts'
import { walletPage } from './frame.ts'
import { walletLink } from './links.ts'
import { signInTexts, unknownTexts } from './texts.ts'

/** The screens before the wallet. Codes live by the machine's clock. */

interface Screen {
  readonly sandbox: boolean
}

interface PhoneScreen extends Screen {
  /** Whether the browser brings a sign-in that has ended. */
  readonly ended: boolean
  readonly typed?: string
  readonly error?: LocalText
}

export function phoneScreen(request: PageRequest, { sandbox, ended, typed, error }: PhoneScreen): Page {
  const { locale, csrf, query } = request
  const body = phoneStep({
    locale,
    csrf,
    action: walletLink(request, '/wallet'),
    title: signInTexts.title[locale],
    lead: signInTexts.lead[locale],
    message: error === undefined ? whatHappened(request, ended) : null,
    ...(typed === undefined ? {} : { typed }),
    ...(error === undefined ? {} : { error }),
  })
  return walletPage(request, {
    sandbox,
    status: error === undefined ? 200 : 422,
    wrong: error !== undefined,
    title: signInTexts.title[locale],
    current: null,
    query: withoutNote(query),
    body: card(body),
  })
}

/** Why the reader is asked to sign in. */
function whatHappened({ locale, query }: PageRequest, ended: boolean): Html | null {
  const { message } = tellNote(readNote(query, new Date()), locale)
  if (message !== undefined) return message
  if (ended) return notice('info', signInTexts.ended[locale])
  return query['note'] === 'left' ? notice('success', signInTexts.left[locale]) : null
}

interface CodeScreen extends Screen {
  readonly phone: Phone
  readonly shown_code: string | null
  readonly resend_at: Date
  readonly tries_left: number
}

export function codeScreen(request: PageRequest, { sandbox, tries_left, ...code }: CodeScreen): Page {
  const { locale, csrf, query } = request
  const now = new Date()
  const told = tellNote(readNote(query, now), locale, tries_left)
  const error = told.error ?? (tries_left === 0 ? html`${codeTexts.over[locale]}` : undefined)
  const body = codeStep({
    ...code,
    locale,
    csrf,
    now,
    action: walletLink(request, '/wallet'),
    change_href: walletLink(request, '/wallet', { at: 'number' }),
    error,
    message: told.message ?? null,
  })
  return walletPage(request, {
    sandbox,
    title: codeTexts.title[locale],
    current: null,
    scripts: ['forms', 'resend'],
    wrong: error !== undefined,
    query: withoutNote(query),
    body: card(body),
  })
}

interface JoinScreen extends Screen {
  readonly name: string
  readonly waiting_points: Points
  readonly mistakes?: JoiningMistakes
}

export function joinScreen(request: PageRequest, { sandbox, mistakes, ...join }: JoinScreen): Page {
  const { locale, csrf } = request
  const body = onboardingStep({
    ...join,
    locale,
    csrf,
    action: walletLink(request, '/wallet'),
    terms: { href: walletLink(request, '/terms'), version: terms.version },
    ...(mistakes === undefined ? {} : { mistakes }),
  })
  return walletPage(request, {
    sandbox,
    status: mistakes === undefined ? 200 : 422,
    wrong: mistakes !== undefined,
    title: onboardingTexts.title[locale],
    current: null,
    body: card(body),
  })
}

/** There is no such program. */
export function unknownScreen(request: PageRequest, { sandbox }: Screen): Page {
  const { locale } = request
  return walletPage(request, {
    sandbox,
    status: 404,
    title: unknownTexts.title[locale],
    current: null,
    body: outcome('failed', unknownTexts.title[locale], unknownTexts.text[locale]),
  })
}
