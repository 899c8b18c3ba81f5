import type { Locale, LocalText } from '../../domain/locale.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import { card, details, notice, steps, summary } from '../design/components.ts'
import { amount, moment } from '../design/format.ts'
import { shownHost } from '../design/host.ts'
import { type Html, html } from '../design/html.ts'
import type { Plurals } from '../design/interpolate.ts'
import { interpolate, sayCount } from '../design/interpolate.ts'
import type { Query } from './flow.ts'
import { common } from './texts.ts'

/** Below the lines of a long order. */
const moreItems: Plurals = {
  en: { other: 'and {count} more' },
  ar: {
    one: 'ومنتج آخر',
    two: 'ومنتجان آخران',
    few: 'و{count} منتجات أخرى',
    many: 'و{count} منتجًا آخر',
    other: 'و{count} منتج آخر',
  },
}

/** What every screen of a checkout is drawn from. */
export interface Showing {
  readonly view: CheckoutView
  readonly locale: Locale
  /** The page's own path. */
  readonly action: string
  readonly csrf: string
  readonly query: Query
  /** By the machine's clock, as codes go. */
  readonly now: Date
  /** How long the session lasts, by the clock of business. */
  readonly session_left_ms: number
  /** What was typed into a form that was refused. */
  readonly form?: Query
}

/** A screen, to be put into the frame of its merchant. */
export interface Drawn {
  readonly title: string
  readonly body: Html
  /** Something that was entered has to be looked at again. */
  readonly wrong?: boolean
  /** Besides those of every page. */
  readonly scripts?: readonly string[]
  readonly refresh?: { readonly after_s: number; readonly to: string }
  /** A form of it may lead to the payment provider. */
  readonly pays?: boolean
}

/** How far the customer has come; a merchant who collects has no page for the payment. */
export function progress(current: 0 | 1 | 2 | 3, { view, locale }: Showing): Html {
  const names = [common.stepNumber, common.stepPoints, common.stepConfirm]
  const all = view.merchant.payment_provider === 'merchant' ? names : [...names, common.stepPay]
  return steps(
    current,
    all.map((name) => name[locale]),
    locale,
  )
}

/** What is being paid for. */
export function orderCard({ view, locale }: Showing): Html {
  const rows = summary([
    { label: common.orderNumber[locale], value: html`<bdi>${view.order_number}</bdi>` },
    { label: common.total[locale], value: amount(view.total_halalas, locale), strong: true },
  ])
  return card([rows, itemsOf(view, locale)])
}

/** What is in the order, where its number and total are told already; null when the store did not say. */
export function itemsCard({ view, locale }: Showing): Html | null {
  const items = itemsOf(view, locale)
  return items === null ? null : card(items)
}

function itemsOf({ items, more_items }: CheckoutView, locale: Locale): Html | null {
  if (items === null || items.length === 0) return null
  const rows = items.map(({ product_name, quantity }) => ({
    label: html`<bdi>${product_name}</bdi>`,
    value: html`<span class="figure" dir="ltr">× ${quantity}</span>`,
  }))
  const more = more_items > 0 ? html`<p class="hint">${sayCount(moreItems, more_items, locale)}</p>` : null
  return details(common.items[locale], [summary(rows), more])
}

/** Until when the page can be used, and the way out: the order stays as it is. */
export function wayOut({ view, locale }: Showing): Html {
  const { return_to, expires_at } = view
  const until = html`<p class="hint">${interpolate(common.validUntil, locale, { time: moment(expires_at, locale, 'time') })}</p>`
  const leave =
    return_to === null
      ? html`<p class="hint">${common.leaveHint[locale]}</p>`
      : html`<a href="${return_to}">${backTo(return_to, locale, common.leave)}</a>`
  return html`<div class="way-out">${leave}${until}</div>`
}

/** The label of a link back to the store, with its host, so that the customer sees whose page comes next. */
export function backTo(return_to: string, locale: Locale, text: LocalText = common.toStore): Html {
  return interpolate(text, locale, { host: shownHost(return_to) })
}

/** Money that came too late or twice, on whatever screen the customer is. */
export function moneyBack({ view, locale }: Showing): Html[] {
  return view.going_back.map(({ state, amount_halalas }) =>
    notice(
      'info',
      interpolate(state === 'returned' ? common.wentBack : common.goingBack, locale, {
        amount: amount(amount_halalas, locale),
      }),
    ),
  )
}
