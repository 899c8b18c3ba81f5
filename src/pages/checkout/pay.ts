import type { LocalText } from '../../domain/locale.ts'
import type { PaymentProblem } from '../../features/orders/payment-queries.ts'
import { actions, card, heading, notice, outcome, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, moment, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { noPaymentTexts } from './no-payment.ts'
import { type Drawn, progress, type Showing, wayOut } from './screen.ts'
import { common, payTexts } from './texts.ts'

/** Confirmed, and a provider is to collect the remainder. */

/** Leads to the provider's page, for the first time or again. */
export function drawPayment(showing: Showing): Drawn {
  const { view, locale } = showing
  const title = payTexts.title[locale]
  const lead = interpolate(payTexts.lead, locale, { remainder: amount(view.remainder_halalas, locale) })
  const body = html`${stepsOf(showing)}${heading(title, lead)}${noteOf(showing)}${figures(showing)}
${payForms(showing, payTexts.go)}${wayOut(showing)}`
  return { title, body, pays: true }
}

/** The payment came to nothing: why, and what can be done. */
export function drawFailed(showing: Showing): Drawn {
  const { view, locale } = showing
  const problem = view.payment?.error ?? 'unknown'
  const title = failedTitle(problem)[locale]
  const why = view.payments_over ? noPaymentTexts.over : reasonOf(problem, view.points_used > 0)
  const kind = problem === 'cancelled' || problem === 'page_expired' ? 'ended' : 'failed'
  const body = html`${stepsOf(showing)}${outcome(kind, title, why[locale])}${notNow(showing)}${figures(showing)}
${payForms(showing, view.payments_over ? null : kind === 'ended' ? payTexts.go : payTexts.again)}${wayOut(showing)}`
  return { title, body, pays: true }
}

/** Who went on without points has not come by the steps. */
function stepsOf(showing: Showing): Html | null {
  return showing.view.continued ? null : progress(3, showing)
}

function failedTitle(problem: PaymentProblem): LocalText {
  if (problem === 'cancelled') return payTexts.cancelledTitle
  return problem === 'page_expired' ? payTexts.lapsedTitle : payTexts.failedTitle
}

/** A bank's no is the customer's to know; that a provider is away or not set up is told alike. */
function reasonOf(problem: PaymentProblem, holds: boolean): LocalText {
  if (problem === 'declined' || problem === 'refused') return holds ? payTexts.declined : payTexts.declinedPlain
  if (problem === 'cancelled') return holds ? payTexts.cancelled : payTexts.cancelledPlain
  if (problem === 'page_expired') return holds ? payTexts.lapsed : payTexts.lapsedPlain
  if (problem === 'voided') return holds ? payTexts.voided : payTexts.voidedPlain
  return holds ? payTexts.unavailable : payTexts.unavailablePlain
}

function noteOf(showing: Showing): Html | null {
  const { query, locale } = showing
  if (query['at'] === 'left') return notice('info', payTexts.left[locale], { title: payTexts.leftTitle[locale] })
  return query['note'] === 'unavailable' ? notice('error', payTexts.unavailablePlain[locale]) : notNow(showing)
}

function notNow({ query, locale }: Showing): Html | null {
  return query['note'] === 'not_now' ? notice('warning', payTexts.notNow[locale]) : null
}

function payForms({ view, locale, action, csrf }: Showing, label: LocalText | null): Html {
  const change = view.continued ? payTexts.usePoints : payTexts.change
  const pay = label && form({ action, csrf, hidden: { do: 'resume' } }, button(label[locale]))
  return html`${pay}
${form({ action, csrf, hidden: { do: 'change' } }, button(change[locale], { kind: 'secondary' }))}`
}

function figures({ view, locale }: Showing): Html {
  const { points_used, redeemed_halalas, remainder_halalas, held_until } = view
  const used = html`${points(points_used, locale)} (${amount(redeemed_halalas, locale)})`
  const until = points_used === 0 || held_until === null ? null : moment(held_until, locale, 'time')
  return card(
    summary([
      { label: common.orderNumber[locale], value: html`<bdi>${view.order_number}</bdi>` },
      { label: common.total[locale], value: amount(view.total_halalas, locale) },
      points_used === 0 ? null : { label: common.stepPoints[locale], value: used },
      until === null ? null : { label: payTexts.reservedUntil[locale], value: until },
      { label: payTexts.toPay[locale], value: amount(remainder_halalas, locale), strong: true },
    ]),
  )
}

/** How often the page looks again, in seconds. */
const look_after_s = 4

/** The customer is back, and the provider has not decided yet. The way back asks it, and leads here again. */
export function drawWaiting(showing: Showing): Drawn {
  const { locale, action, csrf } = showing
  const title = payTexts.waitingTitle[locale]
  const to = `${action}/return`
  const body = html`${stepsOf(showing)}${outcome('waiting', title, html`${payTexts.waiting[locale]} ${payTexts.close[locale]}`)}
${figures(showing)}
${actions(linkButton(payTexts.look[locale], to, { data: { 'look-after': look_after_s } }))}
${form({ action, csrf, hidden: { do: 'resume' } }, button(payTexts.notPaid[locale], { kind: 'quiet' }))}`
  return { title, body, pays: true, refresh: { after_s: look_after_s, to } }
}
