import type { Environment } from '../../config/config.ts'
import type { LocalText } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import { type Operator, operatorOf } from '../../domain/operator.ts'
import { type Points, pointsWorth } from '../../domain/points.ts'
import type { CardMerchant } from '../../features/merchants/widget.ts'
import type { RememberedServices } from '../../features/otp/remembered.ts'
import type { OtpPeeked, OtpServices } from '../../features/otp/service.ts'
import type { Card } from '../../features/wallet/card.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { brandOf } from '../design/brand.ts'
import { actions, headline, notice, outcome, sandboxBanner, card as surface } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, pointsNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { layout } from '../design/layout.ts'
import { codeState, codeStep, noteWithoutCode, readNote, renderNote, withoutNote } from '../identity/code.ts'
import { phoneStep } from '../identity/phone.ts'
import { codeTexts } from '../identity/texts.ts'
import { type CardPlaceServices, readBasket, savingOn } from './place.ts'
import { cardTexts, windowTexts as texts } from './texts.ts'

/** The screens of the window. Codes use the system clock. */

export interface CardWindowServices extends CardPlaceServices, OtpServices, RememberedServices {
  readonly environment: Environment
  /** Who runs the deployment. */
  readonly operator: Operator
}

/** A request for the window, with the session that it belongs to. */
export interface Visit {
  readonly request: PageRequest
  readonly services: CardWindowServices
  readonly place: CardMerchant
  readonly token: string | undefined
  readonly card: Card | null
}

/** What a link of the window keeps of its query. */
const kept = ['origin', 'amount', 'ask', 'lang']

export function linkTo({ params, query }: PageRequest, extra: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([name]) => kept.includes(name)))
  for (const [name, value] of Object.entries(extra)) search.set(name, value)
  const path = `/widget/${params['publicKey']}/window`
  return search.size === 0 ? path : `${path}?${search}`
}

interface Screen {
  readonly title: LocalText
  readonly body: Html
  readonly status?: number
  readonly has_errors?: boolean
}

function screen({ request, services, place }: Visit, { title, body, status = 200, has_errors = false }: Screen): Page {
  const { locale, query } = request
  const { environment, operator } = services
  const { look } = place
  return layout({
    status,
    locale,
    title: `${has_errors ? `${texts.error[locale]}: ` : ''}${title[locale]} · ${nameIn(look, locale)}`,
    body,
    brand: brandOf(look, locale),
    operator: operatorOf({ name: look.operator_name, contact: look.operator_contact }, operator),
    banner: environment === 'sandbox' ? sandboxBanner(locale) : undefined,
    scripts: ['forms', 'resend', 'otp', 'card-window'],
    query: withoutNote(query),
  })
}

export function phoneScreen(visit: Visit, refused?: { readonly typed: string; readonly error: LocalText }): Page {
  const { locale, csrf, query } = visit.request
  const message = noteWithoutCode(readNote(query, new Date()), locale)
  const hidden = query['note'] === 'hidden' ? notice('success', texts.hidden[locale]) : null
  const body = phoneStep({
    ...{ locale, csrf, action: linkTo(visit.request) },
    ...{ title: texts.title[locale], lead: texts.lead[locale] },
    message: refused === undefined ? (message ?? hidden) : null,
    ...(refused ?? {}),
  })
  const failed = refused !== undefined
  return screen(visit, { title: texts.title, body: surface(body), status: failed ? 422 : 200, has_errors: failed })
}

export function codeScreen(visit: Visit, code: OtpPeeked): Page {
  const { request } = visit
  const { locale, csrf, query } = request
  const now = new Date()
  const read = readNote(query, now)
  const { error, message = null } = renderNote(read, locale, code.tries_left)
  const body = codeStep({
    ...{ ...code, locale, csrf, now, error },
    action: linkTo(request),
    change_href: linkTo(request, { at: 'number' }),
    state: codeState(read, code.tries_left),
    message,
  })
  return screen(visit, { title: codeTexts.title, body: surface(body), has_errors: error !== undefined })
}

export function balanceScreen(visit: Visit, card: Card, available: Points): Page {
  const { request, place } = visit
  const { locale, csrf, query } = request
  const { program_id } = place.merchant
  const worth = available > 0 ? pointsWorth(available, place.value) : null
  const note = worth === null ? undefined : interpolate(cardTexts.worth, locale, { amount: amount(worth, locale) })
  const saving = savingOn(readBasket(request), available, place)
  const offers = card.offers && place.framed_by !== null && query['ask'] !== undefined
  const body = html`<h1 class="unseen">${cardTexts.title[locale]}</h1>
<section class="card hero">${headline(texts.balance[locale], pointsNumber(available), note)}</section>
${saving > 0 ? notice('success', interpolate(texts.saving, locale, { amount: amount(saving, locale) })) : null}
${offers ? html`<div hidden data-offer>${form({ action: linkTo(request), csrf, hidden: { do: 'offer' } }, [])}</div>` : null}
<div hidden data-close><div class="actions"><button type="button" class="button button-primary">${texts.close[locale]}</button></div></div>
${linkButton(texts.wallet[locale], `/wallet?program=${program_id}`, { kind: 'secondary' })}
${hideForm(request, texts.hide)}`
  return screen(visit, { title: cardTexts.title, body })
}

export function nobodyScreen(visit: Visit): Page {
  const { request, place } = visit
  const { locale } = request
  const href = `/wallet?program=${place.merchant.program_id}`
  const body = html`${outcome('ended', texts.nobody[locale], texts.nobody_text[locale])}
${actions(linkButton(texts.wallet[locale], href))}
${hideForm(request, texts.other)}`
  return screen(visit, { title: texts.nobody, body })
}

/** Shown only after a right code: a stranger learns nothing. */
export function blockedScreen(visit: Visit): Page {
  const { request } = visit
  const { locale } = request
  const body = html`${outcome('ended', texts.blocked[locale], texts.blocked_text[locale])}
${hideForm(request, texts.other)}`
  return screen(visit, { title: texts.blocked, body })
}

function hideForm(request: PageRequest, label: LocalText): Html {
  const { locale, csrf } = request
  return form({ action: linkTo(request), csrf, hidden: { do: 'hide' } }, [button(label[locale], { kind: 'quiet' })])
}
