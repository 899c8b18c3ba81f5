import type { LocalText } from '../../domain/locale.ts'
import { after, hour_ms } from '../../domain/spans.ts'
import type { PaymentProblem } from '../../features/orders/payment-queries.ts'
import { actions, card, heading, notice, outcome, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, moment, momentFrom, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { inBrackets, interpolate } from '../design/interpolate.ts'
import { paymentMethodList } from './methods.ts'
import { besideOrder } from './order.ts'
import { exitSection, progress, type ScreenContent, type ScreenContext } from './screen.ts'
import { common, paymentLimitTexts, payTexts } from './texts.ts'

/** The screens of a confirmed checkout whose remaining amount a provider collects. */

/** Links to the provider's page. */
export function renderPayment(context: ScreenContext): ScreenContent {
  const { view, locale } = context
  const title = payTexts.title[locale]
  const lead = interpolate(payTexts.lead, locale, { due: amount(view.due_halalas, locale) })
  const main = html`${progressOf(context)}${heading(title, lead)}${noteOf(context)}${amountsCard(context)}
${payForms(context, payTexts.go)}`
  return { title, body: besideOrder(context, main, exitSection(context)), width: 'wide', pays: true }
}

/** Says why the payment failed and what the customer can do. */
export function renderFailed(context: ScreenContext): ScreenContent {
  const { view, locale } = context
  const problem = view.payment?.error ?? 'unknown'
  const title = failedTitle(problem)[locale]
  const why = view.payments_over ? paymentLimitTexts.over : reasonOf(problem, view.points_used > 0)
  const kind = problem === 'cancelled' || problem === 'page_expired' ? 'ended' : 'failed'
  const main = html`${progressOf(context)}${outcome(kind, title, why[locale])}${tryLaterNote(context)}${amountsCard(context)}
${payForms(context, view.payments_over ? null : kind === 'ended' ? payTexts.go : payTexts.again)}`
  return { title, body: besideOrder(context, main, exitSection(context)), width: 'wide', pays: true }
}

/** A checkout without points skips the steps, so it shows no progress. */
function progressOf(context: ScreenContext): Html | null {
  return context.view.continued ? null : progress('pay', context)
}

function failedTitle(problem: PaymentProblem): LocalText {
  if (problem === 'cancelled') return payTexts.cancelledTitle
  return problem === 'page_expired' ? payTexts.lapsedTitle : payTexts.failedTitle
}

/** Says that the bank refused. A provider that is down looks the same as one that is not set up. */
function reasonOf(problem: PaymentProblem, has_holds: boolean): LocalText {
  if (problem === 'declined' || problem === 'refused') return has_holds ? payTexts.declined : payTexts.declinedPlain
  if (problem === 'cancelled') return has_holds ? payTexts.cancelled : payTexts.cancelledPlain
  if (problem === 'page_expired') return has_holds ? payTexts.lapsed : payTexts.lapsedPlain
  if (problem === 'voided') return has_holds ? payTexts.voided : payTexts.voidedPlain
  return has_holds ? payTexts.unavailable : payTexts.unavailablePlain
}

function noteOf(context: ScreenContext): Html | null {
  const { query, locale } = context
  if (query['at'] === 'left') return notice('info', payTexts.left[locale], { title: payTexts.leftTitle[locale] })
  return query['note'] === 'unavailable' ? notice('error', payTexts.unavailablePlain[locale]) : tryLaterNote(context)
}

function tryLaterNote({ query, locale }: ScreenContext): Html | null {
  return query['note'] === 'not_now' ? notice('warning', payTexts.notNow[locale]) : null
}

function payForms(context: ScreenContext, label: LocalText | null): Html {
  const { view, locale, action, csrf } = context
  const change = view.continued ? payTexts.usePoints : payTexts.change
  const pay =
    label && form({ action, csrf, hidden: { do: 'resume' } }, [paymentMethodList(context), button(label[locale])])
  return html`${pay}
${form({ action, csrf, hidden: { do: 'change' } }, button(change[locale], { kind: 'secondary' }))}`
}

function amountsCard({ view, locale }: ScreenContext): Html {
  const { points_used, redeemed_halalas, due_halalas, held_until } = view
  const used = html`${points(points_used, locale)} ${inBrackets(amount(redeemed_halalas, locale))}`
  const until = points_used === 0 || held_until === null ? null : moment(held_until, locale, 'time')
  return card(
    summary([
      points_used === 0 ? null : { label: common.stepPoints[locale], value: used },
      until === null ? null : { label: payTexts.reservedUntil[locale], value: until },
      { label: payTexts.toPay[locale], value: amount(due_halalas, locale), strong: true },
    ]),
  )
}

const poll_interval_s = 4

/** Shown while the provider has not decided. The link asks it again and returns here. */
export function renderWaiting(context: ScreenContext): ScreenContent {
  const { locale, action, csrf } = context
  const title = payTexts.waitingTitle[locale]
  const to = `${action}/return`
  const body = html`${progressOf(context)}${outcome('waiting', title, html`${payTexts.waiting[locale]} ${payTexts.close[locale]}`)}
${amountsCard(context)}
${actions(linkButton(payTexts.look[locale], to, { data: { 'look-after': poll_interval_s } }))}
${form({ action, csrf, hidden: { do: 'resume' } }, button(payTexts.notPaid[locale], { kind: 'quiet' }))}`
  return { title, body, pays: true, refresh: { after_s: poll_interval_s, to } }
}

/** No payment limit makes a customer wait longer. */
const longest_wait_ms = 2 * hour_ms

/** Shown on every screen of an open checkout; null when no payment limit was reached. */
export function paymentLimitNote({ view, query, locale, now }: ScreenContext): Html | null {
  const { step, payments_over } = view
  if (step !== 'identify' && step !== 'onboard' && step !== 'choose' && step !== 'pay') return null
  // The screen of a failed payment says it already.
  const is_on_screen = step === 'pay' && view.payment?.state === 'failed'
  if (query['note'] === 'no_more' && payments_over && !is_on_screen)
    return notice('error', paymentLimitTexts.over[locale])
  if (query['note'] !== 'too_many_payments') return null
  const wait_ms = Number(query['until']) - now.getTime()
  if (!(wait_ms > 0 && wait_ms <= longest_wait_ms)) return null
  const time = momentFrom(after(now, wait_ms), locale, 'time')
  return notice('warning', interpolate(paymentLimitTexts.wait, locale, { time }))
}
