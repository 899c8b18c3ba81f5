import type { Locale } from '../../domain/locale.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'
import type { ShownLine } from '../../features/checkout/queries.ts'
import type { CheckoutView } from '../../features/checkout/view.ts'
import { card, details, type SummaryRow, summary } from '../design/components.ts'
import { amount, wholeNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolateCount } from '../design/interpolate.ts'
import { type ScreenContext, storeName } from './screen.ts'
import { common, itemTexts } from './texts.ts'

/** What is bought: beside the rest of a screen where there is room, below it on a phone. */

/** A screen with its order beside it. `end` follows both on a phone. */
export function besideOrder(context: ScreenContext, main: Html, end: Html | null = null): Html {
  return html`<div class="beside"><div class="beside-main">${main}</div>
<aside class="beside-order" aria-label="${common.items[context.locale]}">${orderCard(context)}</aside>
${end === null ? null : html`<div class="beside-end">${end}</div>`}</div>`
}

/** The items of an order, what the store added to them, and the total. */
function orderCard(context: ScreenContext): Html {
  const { view, locale } = context
  const title = html`<span class="order-store">${storeName(context)}</span>${common.items[locale]}`
  return card([itemsOf(view, locale), summary(totalRows(view, locale))], { title })
}

/** How many items are listed before the rest is folded away. */
const listed = 4

function itemsOf({ items, more_items }: CheckoutView, locale: Locale): Html | null {
  if (items === null || items.length === 0) return null
  const rest = items.slice(listed)
  const more = more_items > 0 ? html`<p class="hint">${interpolateCount(itemTexts.more, more_items, locale)}</p>` : null
  const folded =
    rest.length === 0
      ? null
      : details(interpolateCount(itemTexts.rest, rest.length, locale), [list(rest, locale), more])
  return html`<div class="items">${list(items.slice(0, listed), locale)}${folded}</div>`
}

function list(items: readonly ShownLine[], locale: Locale): Html {
  const rows = items.map(({ product_name, product_price, quantity }) => {
    const times = html`<span class="item-count figure">${wholeNumber(quantity)} ×</span>`
    const price = amount(asHalalas(Math.round(product_price * 100)), locale)
    return html`<li class="item"><span class="item-name"><bdi>${product_name}</bdi></span><span class="item-price"><span dir="ltr">${quantity === 1 ? null : times}${price}</span></span></li>`
  })
  return html`<ul>${rows}</ul>`
}

function totalRows(view: CheckoutView, locale: Locale): (SummaryRow | null)[] {
  const { discount_halalas: off, shipping_halalas, tax_halalas } = view
  const row = (label: string, value: Halalas | null): SummaryRow | null =>
    value === null || value === 0 ? null : { label, value: amount(value, locale) }
  return [
    { label: common.orderNumber[locale], value: html`<bdi class="figure">${view.order_number}</bdi>` },
    row(common.discount[locale], off === null ? null : asHalalas(-off)),
    row(common.shipping[locale], shipping_halalas),
    row(common.tax[locale], tax_halalas),
    { label: common.total[locale], value: amount(view.total_halalas, locale), strong: true },
  ]
}
