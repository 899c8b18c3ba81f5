import type { Locale, LocalText } from '../../domain/locale.ts'
import { type CheckoutView, pays } from '../../features/checkout/view.ts'
import { actions, card, notice, outcome, type SummaryRow, summary } from '../design/components.ts'
import { button, form, linkButton, printButton } from '../design/controls.ts'
import { amount, moment, points } from '../design/format.ts'
import { type Html, html, type Part } from '../design/html.ts'
import { inBrackets, interpolate } from '../design/interpolate.ts'
import { besideOrder } from './order.ts'
import { type ScreenContent, type ScreenContext, storeLinkLabel, storeName } from './screen.ts'
import { common, endedTexts, methodTexts, payTexts, resultTexts } from './texts.ts'

/** The screens at the end of a checkout, each with a link back to the store. */

/** The receipt of an order that is paid, authorized, refunded or reversed. */
export function renderReceipt(context: ScreenContext): ScreenContent {
  const { view, locale } = context
  const { title, text } = stateOf(view)
  const kind = isReversed(view) ? 'failed' : 'success'
  const main = html`${outcome(kind, title[locale], interpolate(text, locale, { store: storeName(context) }))}
${savedNote(context)}
${card(summary(receiptRows(context)))}
${returnSection(context)}
${receiptLinks(context)}`
  const body = besideOrder(context, main)
  return { title: title[locale], body, width: 'wide', scripts: ['print'], ...refreshToStore(context) }
}

/**
 * What the reader's wallet has now. Null for another browser with the link, and while an operator blocks the wallet. Also
 * null where the order was continued without points and earns for the number that the store sent, if that is another.
 */
function balanceOf({ view, locale }: ScreenContext): Html | null {
  const { customer, continued, given_phone, proven_phone } = view
  if (customer === null || customer.blocked || (continued && given_phone !== proven_phone)) return null
  return points(customer.available, locale)
}

/** Says what the points saved, or what the order earned. */
function savedNote(context: ScreenContext): Html | null {
  const { view, locale } = context
  const { redeemed_halalas, earned_points, order_status } = view
  if (order_status !== 'approved' && order_status !== 'captured') return null
  const balance = balanceOf(context)
  const parts = { value: amount(redeemed_halalas, locale), points: points(earned_points, locale, 'object') }
  if (balance === null) return redeemed_halalas === 0 ? null : said(resultTexts.savedPlain, locale, parts)
  if (redeemed_halalas > 0) return said(resultTexts.saved, locale, { ...parts, balance })
  return earned_points === 0 ? null : said(resultTexts.earnedNow, locale, { ...parts, balance })
}

function said(text: LocalText, locale: Locale, parts: Readonly<Record<string, Part>>): Html {
  return html`<p class="saved">${interpolate(text, locale, parts)}</p>`
}

/** Links to the wallet, and a button that prints the receipt. */
function receiptLinks({ view, locale }: ScreenContext): Html {
  const wallet = `/wallet?${new URLSearchParams({ program: String(view.program_id), begins: locale })}`
  return actions(
    linkButton(resultTexts.wallet[locale], wallet, { kind: 'quiet', icon: 'points' }),
    printButton(resultTexts.print[locale]),
  )
}

/** Reversed because the provider knows of no payment (docs/spec/payments.md#automatic-reversal). */
function isReversed({ order_status, payment }: CheckoutView): boolean {
  return order_status === 'fully_refunded' && payment?.error === 'reversed'
}

function stateOf(view: CheckoutView): { readonly title: LocalText; readonly text: LocalText } {
  if (isReversed(view)) return { title: resultTexts.reversedTitle, text: resultTexts.reversed }
  switch (view.order_status) {
    case 'authorized':
      return { title: resultTexts.authorizedTitle, text: resultTexts.authorized }
    case 'fully_refunded':
      return { title: resultTexts.refundedTitle, text: resultTexts.refunded }
    case 'partially_refunded':
      return { title: resultTexts.partlyRefundedTitle, text: resultTexts.refunded }
    default:
      return { title: resultTexts.paidTitle, text: resultTexts.paid }
  }
}

function receiptRows(context: ScreenContext): (SummaryRow | null)[] {
  const { view, locale } = context
  const { points_used, redeemed_halalas, due_halalas, earned_points } = view
  const balance = balanceOf(context)
  const is_captured = view.order_status !== 'authorized'
  const used = html`${points(points_used, locale)} ${inBrackets(amount(redeemed_halalas, locale))}`
  const paid = [
    points_used === 0 ? null : row(is_captured ? resultTexts.used : resultTexts.pointsReserved, locale, used),
    due_halalas === 0
      ? null
      : row(is_captured ? resultTexts.money : resultTexts.moneyReserved, locale, amount(due_halalas, locale)),
    earned_points === 0 ? null : row(resultTexts.earned, locale, points(earned_points, locale)),
  ]
  return [
    ...orderRows(view, locale),
    view.paid_at === null ? null : row(resultTexts.date, locale, moment(view.paid_at, locale)),
    isReversed(view) || view.total_halalas === 0 ? null : row(resultTexts.method, locale, methodOf(view, locale)),
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    ...(isReversed(view) ? [] : paid),
    balance === null ? null : { ...row(resultTexts.balance, locale, balance), strong: true },
  ]
}

/** The provider may have named the card's scheme or a wallet. Older payments have none. */
function methodOf({ redeemed_halalas, due_halalas, payment }: CheckoutView, locale: Locale): Part {
  const has_points = redeemed_halalas > 0
  if (due_halalas === 0) return resultTexts.byPoints[locale]
  // A payment that came to nothing does not pay an order which the store completed or authorised.
  // A voided payment had paid before a refund voided it.
  const paid = payment !== null && (pays(payment) || payment.state === 'voided')
  if (!paid) return (has_points ? resultTexts.atStoreBoth : resultTexts.atStore)[locale]
  if (payment.paid_with === null) return (has_points ? resultTexts.byBoth : resultTexts.byMoney)[locale]
  const method = html`<bdi>${methodTexts[payment.paid_with][locale]}</bdi>`
  return has_points ? interpolate(resultTexts.byPointsAnd, locale, { method }) : method
}

function row(label: LocalText, locale: ScreenContext['locale'], value: Part): SummaryRow {
  return { label: label[locale], value }
}

function orderRows({ order_number, reference_number }: CheckoutView, locale: ScreenContext['locale']): SummaryRow[] {
  return [
    row(common.orderNumber, locale, html`<bdi>${order_number}</bdi>`),
    row(common.reference, locale, html`<code>${reference_number}</code>`),
  ]
}

/** The store collects the rest. `now` is of the business clock: the choice can be changed until the session ends. */
export function renderReserved(context: ScreenContext, now: Date): ScreenContent {
  const { view, locale } = context
  const { points_used, redeemed_halalas, due_halalas, held_until } = view
  const has_points = points_used > 0
  const title_without_points = view.continued ? resultTexts.payStoreTitle : resultTexts.confirmedTitle
  const title = (has_points ? resultTexts.reservedTitle : title_without_points)[locale]
  const parts = {
    points: points(points_used, locale),
    value: amount(redeemed_halalas, locale),
    due: amount(due_halalas, locale),
    store: storeName(context),
  }
  const kind = view.continued ? 'ended' : 'success'
  const main = html`${outcome(kind, title, interpolate(has_points ? resultTexts.reserved : resultTexts.unreserved, locale, parts))}
${card(
  summary([
    ...orderRows(view, locale),
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    has_points && held_until !== null
      ? row(resultTexts.reservedUntil, locale, moment(held_until, locale, 'both'))
      : null,
    { ...row(resultTexts.payStore, locale, amount(due_halalas, locale)), strong: true },
  ]),
)}
${returnSection(context, resultTexts.backToPay)}
${now < view.expires_at ? changeForm(context) : null}`
  return { title, body: besideOrder(context, main), width: 'wide', ...refreshToStore(context) }
}

function changeForm({ view, locale, action, csrf }: ScreenContext): Html {
  const label = view.continued ? payTexts.usePoints : payTexts.change
  return form({ action, csrf, hidden: { do: 'change' } }, button(label[locale], { kind: 'quiet' }))
}

const return_after_s = 15

/** Only right after the checkout: opening the link again later does not redirect. */
function returnsToStore({ view, query }: ScreenContext): boolean {
  const just_now = query['at'] === 'done' || query['at'] === 'waiting'
  return just_now && view.return_to !== null
}

function refreshToStore(context: ScreenContext): Pick<ScreenContent, 'refresh'> {
  const { return_to } = context.view
  if (return_to === null || !returnsToStore(context)) return {}
  return { refresh: { after_s: return_after_s, to: return_to } }
}

/** `text_without_link` says what to do when the store gave no return page. */
function returnSection(context: ScreenContext, text_without_link: LocalText = resultTexts.close): Html {
  const { view, locale, action } = context
  const { return_to } = view
  if (return_to === null) return html`<div class="on-screen">${notice('info', text_without_link[locale])}</div>`
  if (!returnsToStore(context)) return actions(linkButton(storeLinkLabel(return_to, locale), return_to))
  const time = html`<span class="figure" role="timer" dir="ltr">0:${return_after_s}</span>`
  const countdown = html`<p class="returning" data-return-after="${return_after_s}">${interpolate(resultTexts.returning, locale, { time })}</p>`
  const tells = resultTexts.returningTold[locale].replace('{seconds}', String(return_after_s))
  const told = html`<p class="unseen" role="status" data-tells="${tells}"></p>`
  return html`${countdown}${told}${actions(
    linkButton(storeLinkLabel(return_to, locale), return_to, { data: { return: 'now' } }),
    linkButton(resultTexts.stay[locale], action, { kind: 'secondary', data: { return: 'never' } }),
  )}`
}

/** A checkout that expired, or that the store closed or cancelled. */
export function renderEnded(context: ScreenContext, why: 'expired' | 'closed' | 'cancelled'): ScreenContent {
  const { view, locale } = context
  const title = endedTexts[`${why}Title`][locale]
  const text = why === 'cancelled' ? cancelledText(context) : endedText(why, view)[locale]
  const exit =
    view.return_to === null
      ? html`<p class="way-out">${resultTexts.goOn[locale]}</p>`
      : actions(linkButton(storeLinkLabel(view.return_to, locale), view.return_to))
  return { title, body: html`${outcome('ended', title, text)}${exit}` }
}

function endedText(why: 'expired' | 'closed', { payment }: CheckoutView): LocalText {
  return why === 'expired' && payment !== null ? endedTexts.expiredPaying : endedTexts[why]
}

/** Promises money back only to customers who paid. Payments that came too late have notices of their own. */
function cancelledText({ view, locale }: ScreenContext): Html | string {
  const { payment, points_used, going_back } = view
  const is_reserved = payment?.state === 'authorized' || payment?.state === 'voided'
  const points_back = points_used > 0 ? endedTexts.cancelledPoints[locale] : null
  if (is_reserved) {
    const money_back = interpolate(endedTexts.cancelledRelease, locale, {
      amount: amount(payment.amount_halalas, locale),
    })
    return html`${points_back} ${money_back}`
  }
  return points_back ?? (going_back.length === 0 ? endedTexts.cancelled[locale] : '')
}

/** No session has this link. */
export function renderUnknown(locale: Locale): ScreenContent {
  const title = endedTexts.unknownTitle[locale]
  return { title, body: outcome('ended', title, endedTexts.unknown[locale]) }
}
