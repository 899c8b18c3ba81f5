import type { LocalText } from '../../domain/locale.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import { actions, card, notice, outcome, type SummaryRow, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, moment, points } from '../design/format.ts'
import { type Html, html, type Part } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { backTo, type Drawn, type Showing } from './screen.ts'
import { common, endTexts, payTexts } from './texts.ts'

/** What a checkout came to, and the way back to the store. */

/** The order is paid, or its money reserved, or all of it went back since. */
export function drawReceipt(showing: Showing): Drawn {
  const { view, locale } = showing
  const { title, text } = stateOf(view)
  const kind = isReversed(view) ? 'failed' : 'success'
  const body = html`${outcome(kind, title[locale], interpolate(text, locale, { store: html`<bdi>${view.merchant.name}</bdi>` }))}
${card(summary(receiptRows(showing)))}
${back(showing)}`
  return { title: title[locale], body, ...returning(showing) }
}

/** Taken back because its provider knows of no payment (decisions §12): no money was taken, as far as we know, and none comes. */
function isReversed({ order_status, payment }: CheckoutView): boolean {
  return order_status === 'fully_refunded' && payment?.error === 'reversed'
}

function stateOf(view: CheckoutView): { readonly title: LocalText; readonly text: LocalText } {
  if (isReversed(view)) return { title: endTexts.reversedTitle, text: endTexts.reversed }
  switch (view.order_status) {
    case 'authorized':
      return { title: endTexts.authorizedTitle, text: endTexts.authorized }
    case 'fully_refunded':
      return { title: endTexts.refundedTitle, text: endTexts.refunded }
    case 'partially_refunded':
      return { title: endTexts.partlyRefundedTitle, text: endTexts.refunded }
    default:
      return { title: endTexts.paidTitle, text: endTexts.paid }
  }
}

function receiptRows({ view, locale }: Showing): (SummaryRow | null)[] {
  const { points_used, redeemed_halalas, remainder_halalas, earned_points, customer } = view
  const taken = view.order_status !== 'authorized'
  const used = html`${points(points_used, locale)} (${amount(redeemed_halalas, locale)})`
  const paid = [
    points_used === 0 ? null : row(taken ? endTexts.used : endTexts.pointsReserved, locale, used),
    remainder_halalas === 0
      ? null
      : row(taken ? endTexts.money : endTexts.moneyReserved, locale, amount(remainder_halalas, locale)),
    earned_points === 0 ? null : row(endTexts.earned, locale, points(earned_points, locale)),
  ]
  return [
    ...orderRows(view, locale),
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    ...(isReversed(view) ? [] : paid),
    // Who opens the link in another browser learns nothing of the customer.
    customer === null ? null : { ...row(endTexts.balance, locale, points(customer.available, locale)), strong: true },
  ]
}

function row(label: LocalText, locale: Showing['locale'], value: Part): SummaryRow {
  return { label: label[locale], value }
}

function orderRows({ order_number, reference_number }: CheckoutView, locale: Showing['locale']): SummaryRow[] {
  return [
    row(common.orderNumber, locale, html`<bdi>${order_number}</bdi>`),
    row(common.reference, locale, html`<code>${reference_number}</code>`),
  ]
}

/** Points wait for the store to collect the rest. `now` is of business: until the session ends, the choice can be changed. */
export function drawReserved(showing: Showing, now: Date): Drawn {
  const { view, locale } = showing
  const { points_used, redeemed_halalas, remainder_halalas, held_until } = view
  const holds = points_used > 0
  const plain = view.continued ? endTexts.payStoreTitle : endTexts.confirmedTitle
  const title = (holds ? endTexts.reservedTitle : plain)[locale]
  const said = {
    points: points(points_used, locale),
    value: amount(redeemed_halalas, locale),
    remainder: amount(remainder_halalas, locale),
    store: html`<bdi>${view.merchant.name}</bdi>`,
  }
  const kind = view.continued ? 'ended' : 'success'
  const body = html`${outcome(kind, title, interpolate(holds ? endTexts.reserved : endTexts.unreserved, locale, said))}
${card(
  summary([
    ...orderRows(view, locale),
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    holds && held_until !== null ? row(endTexts.reservedUntil, locale, moment(held_until, locale, 'both')) : null,
    { ...row(endTexts.payStore, locale, amount(remainder_halalas, locale)), strong: true },
  ]),
)}
${back(showing, endTexts.backToPay)}
${now < view.expires_at ? changeForm(showing) : null}`
  return { title, body, ...returning(showing) }
}

function changeForm({ view, locale, action, csrf }: Showing): Html {
  const label = view.continued ? payTexts.usePoints : payTexts.change
  return form({ action, csrf, hidden: { do: 'change' } }, button(label[locale], { kind: 'quiet' }))
}

/** How long a customer who has just finished may read, in seconds. */
const return_after_s = 15

/** Only right after it was finished, and unless the customer stays: who opens the link again is not sent away. */
function returns({ view, query }: Showing): boolean {
  const just_now = query['at'] === 'done' || query['at'] === 'waiting'
  return just_now && view.return_to !== null
}

function returning(showing: Showing): Pick<Drawn, 'refresh'> {
  const { return_to } = showing.view
  if (return_to === null || !returns(showing)) return {}
  return { refresh: { after_s: return_after_s, to: return_to } }
}

/** `alone` says what to do where the store named no page. */
function back(showing: Showing, alone: LocalText = endTexts.close): Html {
  const { view, locale, action } = showing
  const { return_to } = view
  if (return_to === null) return notice('info', alone[locale])
  if (!returns(showing)) return actions(linkButton(backTo(return_to, locale), return_to))
  const time = html`<span class="figure" role="timer" dir="ltr">0:${return_after_s}</span>`
  const told = html`<p class="returning" data-return-after="${return_after_s}">${interpolate(endTexts.returning, locale, { time })}</p>`
  return html`${told}${actions(
    linkButton(backTo(return_to, locale), return_to, { data: { return: 'now' } }),
    linkButton(endTexts.stay[locale], action, { kind: 'secondary', data: { return: 'never' } }),
  )}`
}
