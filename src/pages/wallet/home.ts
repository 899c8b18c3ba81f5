import { nameIn } from '../../domain/merchant.ts'
import { pointsWorth } from '../../domain/points.ts'
import type { RememberedRow } from '../../features/otp/remembered-queries.ts'
import type { History, WalletView } from '../../features/wallet/service.ts'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { card, heading, headline, list, notice } from '../design/components.ts'
import { amount, moment, points, pointsNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { maskedPhone } from '../identity/phone.ts'
import { signOutForm, type WalletPlace, walletPage } from './frame.ts'
import { detailsOf, historyCard } from './movements.ts'
import { rememberedCard } from './remembered.ts'
import { texts } from './texts.ts'

export interface WalletHome {
  readonly wallet: WalletView
  readonly history: History
  readonly remembered: readonly RememberedRow[]
  /** True on the first page. Later pages show older movements only. */
  readonly newest: boolean
  /** True right after the customer joined. */
  readonly joined: boolean
  readonly place: WalletPlace
}

/** The wallet of a signed-in customer. */
export function homePage(
  request: PageRequest,
  { wallet, history, remembered, newest, joined, place }: WalletHome,
): Page {
  const { locale } = request
  const movements = historyCard(request, history, { newest })
  const body = newest
    ? html`${greeting(request, wallet)}
${joined ? welcome(request, wallet) : null}
${balanceCard(request, wallet)}
${accountLine(request, wallet)}
${heldCard(request, wallet)}
${movements}
${rememberedCard(request, remembered)}`
    : html`${heading(texts.history[locale])}
${movements}`
  const title = texts[newest ? 'wallet' : 'history'][locale]
  return walletPage(request, { place, title, current: 'wallet', body })
}

function greeting({ locale }: PageRequest, { name }: WalletView): Html {
  return heading(
    name === null ? texts.wallet[locale] : interpolate(texts.hello, locale, { name: html`<bdi>${name}</bdi>` }),
  )
}

function welcome({ locale }: PageRequest, { available }: WalletView): Html {
  const text =
    available > 0 ? interpolate(texts.joined_with, locale, { points: points(available, locale) }) : texts.joined[locale]
  return notice('success', text)
}

/** The available points and their worth. */
function balanceCard({ locale }: PageRequest, { available, micro_sar_per_point }: WalletView): Html {
  if (available < 0) {
    const balance = headline(texts.spendable[locale], pointsNumber(available))
    return html`${hero(balance, available)}${notice('info', texts.below_zero[locale])}`
  }
  const worth = pointsWorth(available, micro_sar_per_point)
  const note = worth === null ? undefined : interpolate(texts.worth, locale, { amount: amount(worth, locale) })
  return hero(headline(texts.spendable[locale], pointsNumber(available), note), available)
}

/** From here on a number is wider than a phone in the size of the others. */
const long_points = 1_000_000_000

function hero(body: Html, available: number): Html {
  return html`<section class="card hero${Math.abs(available) < long_points ? '' : ' hero-long'}">${body}</section>`
}

/** The held points, by order. */
function heldCard({ locale }: PageRequest, { held, holds }: WalletView): Html | null {
  if (held === 0) return null
  const rows = holds.map((hold) => ({
    icon: 'clock' as const,
    title: html`<bdi>${nameIn({ name: hold.merchant_name, name_ar: hold.merchant_name_ar }, locale)}</bdi>`,
    text: detailsOf([
      interpolate(texts.order, locale, { number: html`<bdi>${hold.order_number}</bdi>` }),
      moment(hold.since, locale, 'date'),
    ]),
    aside: pointsNumber(hold.points),
  }))
  return card(html`<p>${texts.held_why[locale]}</p>${list(rows)}`, {
    title: interpolate(texts.held, locale, { points: points(held, locale) }),
  })
}

/** The phone that is signed in, and the sign-out button: above the movements, which may be many. */
function accountLine(request: PageRequest, { phone }: WalletView): Html {
  const { locale } = request
  const who = html`<p><span class="unseen">${texts.signed_in_as[locale]}: </span>${maskedPhone(phone)}</p>`
  return html`<div class="account-line">${who}${signOutForm(request)}</div>`
}
