import type { PaymentProblem } from '../../features/checkout/view.ts'
import type { Bilingual } from '../../http/api/locale.ts'
import { actions, card, heading, notice, outcome, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, moment, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
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

function failedTitle(problem: PaymentProblem): Bilingual {
  if (problem === 'cancelled') return payTexts.cancelledTitle
  return problem === 'page_expired' ? payTexts.lapsedTitle : payTexts.failedTitle
}

/** A bank's no is the customer's to know; that a provider is away or not set up is told alike. */
function reasonOf(problem: PaymentProblem, holds: boolean): Bilingual {
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

function payForms({ view, locale, action, csrf }: Showing, label: Bilingual | null): Html {
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

/** Why no payment began: too many were. Below it stands the way back to the store. */

export const noPaymentTexts = {
  over: {
    en: 'Paying was begun too many times for this order, so no further payment can begin here. Go back to the store, or ask it how to pay.',
    ar: 'بدأ الدفع لهذا الطلب مرات كثيرة، فلا يمكن بدء عملية دفع أخرى هنا. ارجع إلى المتجر أو اسأله عن طريقة الدفع.',
  },
  wait: {
    en: 'Too many payments were begun from your network. You can pay from {time}, or prove your number by a code. You can also go back to the store.',
    ar: 'بدأت عمليات دفع كثيرة من شبكتك. يمكنك الدفع من الساعة {time}، أو إثبات رقمك برمز. ويمكنك أيضًا الرجوع إلى المتجر.',
  },
} as const satisfies Readonly<Record<string, Bilingual>>

/** No limit on payments makes a customer wait longer. */
const longest_wait_ms = 2 * 3_600_000

/** On whatever screen the customer is; null where nothing of the kind is to be said. */
export function noPaymentNote({ view, query, locale, now }: Showing): Html | null {
  const { step, payments_over } = view
  if (step !== 'identify' && step !== 'onboard' && step !== 'choose' && step !== 'pay') return null
  // The page of a failed payment says it by itself.
  const says_itself = step === 'pay' && view.payment?.state === 'failed'
  if (query['note'] === 'no_more' && payments_over && !says_itself) return notice('error', noPaymentTexts.over[locale])
  if (query['note'] !== 'too_many_payments') return null
  const wait_ms = Number(query['until']) - now.getTime()
  if (!(wait_ms > 0 && wait_ms <= longest_wait_ms)) return null
  const time = moment(new Date(now.getTime() + wait_ms), locale, 'time')
  return notice('warning', interpolate(noPaymentTexts.wait, locale, { time }))
}
