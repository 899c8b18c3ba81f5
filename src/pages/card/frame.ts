import { randomBytes } from 'node:crypto'
import { modeColours, pageSurfaces, parseColour } from '../../domain/colour.ts'
import { DomainError } from '../../domain/failures.ts'
import { directionOf } from '../../domain/locale.ts'
import type { Points } from '../../domain/points.ts'
import { pointsWorth } from '../../domain/points.ts'
import type { CardMerchant } from '../../features/merchants/widget.ts'
import { firstOfEach } from '../../http/pages/form.ts'
import type { Cookie, Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { assetUrl } from '../design/assets.ts'
import { amount, points } from '../design/format.ts'
import { attributes, type Html, html, Html as Raw } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { type CardPlaceServices, cardToken, noCookie, openCookie, readBasket, readPlace, savingOn } from './place.ts'
import { cardTexts as texts } from './texts.ts'

/**
 * `/widget/:publicKey/card`: the card in a shop. No other page may be framed by another site, and this one only by the site
 * that the query names, if its host is one of the merchant's. It shows a balance, or a link to the window that asks for a
 * code.
 */
export const cardPage: PageRow<CardPlaceServices> = {
  path: '/widget/:publicKey/card',
  posts: 'anyone',

  async show(request, services) {
    const place = await readPlace(request, services)
    // The same statement runs without a session, so that its time tells the shop nothing.
    const card = await services.cards.read(mayShow(request, place) ? cardToken(request) : undefined, place.merchant)
    return framed(request, place, card?.available ?? null)
  },

  /** The frame's own requests: to take the session that its window offers, and to end it. */
  async submit(request, services) {
    if (request.headers['sec-fetch-site'] !== 'same-origin')
      throw new DomainError({ kind: 'form_refused', cookies: true })
    const place = await readPlace(request, services)
    const form = firstOfEach(new URLSearchParams(request.body.toString('utf8')))
    return form['do'] === 'hide' ? hide(request, place, services) : take(place, form, services)
  },
}

async function take(
  { merchant, framed_by }: CardMerchant,
  { offered = '', verifier = '' }: Readonly<Record<string, string>>,
  { cards }: CardPlaceServices,
): Promise<Page> {
  const taken = framed_by === null ? null : await cards.take(offered, verifier, merchant)
  return taken === null ? answer(409) : answer(200, [openCookie(taken.token)])
}

async function hide(request: PageRequest, { merchant }: CardMerchant, { cards }: CardPlaceServices): Promise<Page> {
  const token = cardToken(request)
  if (token !== undefined) await cards.end(token, merchant)
  return answer(200, [noCookie])
}

function answer(status: number, cookies: readonly Cookie[] = []): Page {
  return { status, body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' }, cookies }
}

/**
 * The balance goes only to a frame of a page that the merchant has named, and to our own script in it. The browser sends the
 * cookie with every request of the shop's page, and the shop could measure the answers.
 */
function mayShow({ headers }: PageRequest, { framed_by }: CardMerchant): boolean {
  if (framed_by === null) return false
  return headers['sec-fetch-dest'] === 'iframe' || headers['sec-fetch-site'] === 'same-origin'
}

function framed(request: PageRequest, place: CardMerchant, available: Points | null): Page {
  const { locale, query } = request
  const nonce = randomBytes(16).toString('base64')
  const theme = query['theme'] === 'light' || query['theme'] === 'dark' ? query['theme'] : null
  const colours = coloursOf(place)
  const style = colours === null ? null : html`<style nonce="${nonce}">${new Raw(colours)}</style>`
  const page = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}"${attributes({ 'data-theme': theme })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${texts.title[locale]}</title>
<link rel="stylesheet" href="${assetUrl('card.css')}">
${style}
<script type="module" src="${assetUrl('card.js')}"></script>
</head>
<body${attributes({ 'data-shop': place.framed_by })}>
${available === null ? stranger(request) : balance(request, place, available)}
</body>
</html>
`
  const policy = `default-src 'none'; style-src 'self' 'nonce-${nonce}'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors ${ancestorsOf(request, place)}`
  return { status: 200, body: page.text, headers: { 'content-language': locale, 'content-security-policy': policy } }
}

function ancestorsOf({ headers }: PageRequest, { framed_by }: CardMerchant): string {
  if (framed_by === null) return "'none'"
  return framed_by === `https://${headers['host']}` ? "'self'" : framed_by
}

/** The merchant's colour, where there is one; `card.css` has our own. */
function coloursOf({ look }: CardMerchant): string | null {
  const colour = look.colour === null ? null : parseColour(look.colour)
  if (colour === null) return null
  const [light, dark] = [modeColours(colour, pageSurfaces.light), modeColours(colour, pageSurfaces.dark)]
  const both = (name: 'accent' | 'fill' | 'ink') => `--${name}:light-dark(${light[name]},${dark[name]})`
  return `:root{${both('accent')};${both('fill')};${both('ink')}}`
}

function stranger({ locale, query, params }: PageRequest): Html {
  const { origin, amount: basket, theme: _theme, ...rest } = query
  const kept = { lang: locale, ...pick({ origin, amount: basket }) }
  const href = `/widget/${params['publicKey']}/window?${new URLSearchParams(kept)}`
  const held_back = rest['held'] === '1'
  return html`<main>
<h1>${texts.title[locale]}</h1>
<p class="lead">${texts.lead[locale]}</p>
<p class="lead" data-held${attributes({ hidden: !held_back })}>${texts.window_only[locale]}</p>
<a class="button" href="${href}" target="_blank" rel="noopener" data-window>${texts.see[locale]}<span class="unseen"> (${texts.new_window[locale]})</span></a>
</main>`
}

function pick(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function balance(request: PageRequest, place: CardMerchant, available: Points): Html {
  const { locale } = request
  const worth = available > 0 ? pointsWorth(available, place.value) : null
  const saving = savingOn(readBasket(request), available, place)
  return html`<main data-balance>
<h1>${texts.title[locale]}</h1>
<button type="button" class="quiet" data-hide aria-label="${texts.hide_why[locale]}">${texts.hide[locale]}</button>
<p class="balance"><strong>${points(available, locale)}</strong>${worth === null ? null : html` <span>${interpolate(texts.worth, locale, { amount: amount(worth, locale) })}</span>`}</p>
${saving > 0 ? html`<p class="saving">${interpolate(texts.saving, locale, { amount: amount(saving, locale) })}</p>` : null}
</main>`
}
