import type { Locale, LocalText } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import type { Redemption } from '../../domain/redemption.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import { notice, steps } from '../design/components.ts'
import { amount, displayHost, moment, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import type { Query } from './flow.ts'
import { common } from './texts.ts'

/** What every screen of a checkout needs. */
export interface ScreenContext {
  readonly view: CheckoutView
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly query: Query
  /** Of the system clock, as codes use it. */
  readonly now: Date
  /** Time left in the session, by the business clock. */
  readonly session_left_ms: number
  /** The fields of an invalid form. */
  readonly form?: Query
}

/** A rendered screen, to be put into the merchant's layout. */
export interface ScreenContent {
  readonly title: string
  readonly body: Html
  /** True when the submitted form has errors. */
  readonly has_errors?: boolean
  /** In addition to those of every checkout page. */
  readonly scripts?: readonly string[]
  readonly refresh?: { readonly after_s: number; readonly to: string }
  /** True when a form may lead to the payment provider. */
  readonly pays?: boolean
  /** `wide` for a body of `besideOrder`; a column by default. */
  readonly width?: 'wide'
}

export type ProgressStep = 'number' | 'confirm' | 'pay'

/**
 * The steps and the current one. There is no payment step when the merchant collects the money, and none for the number in a
 * remembered browser.
 */
export function progress(current: ProgressStep, { view, locale }: ScreenContext): Html | null {
  const names = { number: common.stepNumber, confirm: common.stepConfirm, pay: common.stepPay }
  const all: ProgressStep[] = view.proven_by === 'remembered' ? ['confirm'] : ['number', 'confirm']
  if (view.merchant.payment_provider !== 'merchant') all.push('pay')
  if (all.length === 1) return null
  return steps(
    all.indexOf(current),
    all.map((step) => names[step][locale]),
    locale,
  )
}

/** The name of the store, in the reader's language. */
export function storeName({ view, locale }: Pick<ScreenContext, 'view' | 'locale'>): Html {
  return html`<bdi>${nameIn(view.merchant, locale)}</bdi>`
}

/** The amounts of a redemption, for `interpolate`. */
export function redemptionParts({ points: count, value_halalas, due_halalas }: Redemption, locale: Locale) {
  return {
    points: points(count, locale),
    value: amount(value_halalas, locale),
    due: amount(due_halalas, locale),
  }
}

/** The link back to the store, and how long the page is valid. */
export function exitSection({ view, locale }: ScreenContext): Html {
  const { return_to, expires_at } = view
  const until = html`<p class="hint">${interpolate(common.validUntil, locale, { time: moment(expires_at, locale, 'time') })}</p>`
  const leave =
    return_to === null
      ? html`<p class="hint">${common.leaveHint[locale]}</p>`
      : html`<a href="${return_to}">${storeLinkLabel(return_to, locale, common.leave)}</a>`
  return html`<div class="way-out">${leave}${until}</div>`
}

/** The label of a link to the store. It names the host, so the customer sees where the link leads. */
export function storeLinkLabel(return_to: string, locale: Locale, text: LocalText = common.toStore): Html {
  return interpolate(text, locale, { host: displayHost(return_to) })
}

/**
 * Says that another tab has confirmed something else before this form. Null on the screen of the choice, which says more.
 */
export function otherTabNotice({ view, query, locale }: ScreenContext): Html | null {
  const is_confirmed = view.step === 'pay' || view.step === 'reserved' || view.step === 'finished'
  return is_confirmed && query['note'] === 'changed' ? notice('info', common.otherTab[locale]) : null
}

/** Notices of payments that came too late or twice and are refunded (docs/spec/payments.md#late-payments). */
export function refundNotices({ view, locale }: ScreenContext): Html[] {
  return view.going_back.map(({ state, amount_halalas }) =>
    notice(
      'info',
      interpolate(state === 'returned' ? common.wentBack : common.goingBack, locale, {
        amount: amount(amount_halalas, locale),
      }),
    ),
  )
}
