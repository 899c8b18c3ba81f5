import type { LocalText } from '../../domain/locale.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'
import { asPoints, type Points, pointsEarned } from '../../domain/points.ts'
import type { Redemption } from '../../domain/redemption.ts'
import { actions, card, heading, notice, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { type Drawn, progress, type Showing, wayOut } from './screen.ts'
import { common, confirmTexts, payTexts } from './texts.ts'

/** Says what will happen, to the halala, before anything does. `typed` are points of which fewer buy the same. */
export function drawConfirmation(showing: Showing, redemption: Redemption, typed: Points | null = null): Drawn {
  const { locale, action, csrf, query } = showing
  const { points: count, remainder_halalas } = redemption
  const said = partsOf(redemption, locale)
  const { sentence, label } = wordsOf(showing, redemption)
  const again = new URLSearchParams({ ...choiceIn(query), at: 'choose' })
  const title = confirmTexts.title[locale]
  const hidden = { do: 'confirm', points: count, remainder: remainder_halalas, ...chosenIn(query) }
  const body = html`${progress(2, showing)}
${heading(title)}
${noteOf(showing)}
${typed === null ? null : fewerNote(showing, redemption, typed)}
<p class="statement">${interpolate(sentence, locale, said)}</p>
${card(figures(showing, redemption))}
${form(
  { action, csrf, hidden },
  actions(
    button(interpolate(label, locale, said)),
    linkButton(confirmTexts.change[locale], `${action}?${again}`, { kind: 'secondary' }),
  ),
)}
${wayOut(showing)}`
  return { title, body, pays: remainder_halalas > 0 }
}

function fewerNote({ locale }: Showing, { points: count }: Redemption, typed: Points): Html {
  const said = { typed: points(typed, locale), points: points(count, locale) }
  return notice('info', interpolate(confirmTexts.fewer, locale, said))
}

/** The choice as it stands in the query of the page. */
function choiceIn({ use = 'none', points: typed }: Showing['query']): Record<string, string> {
  return typed === undefined ? { use } : { use, points: typed }
}

/** The same among the fields of the form, where `points` are those that were shown. */
function chosenIn(query: Showing['query']): Record<string, string> {
  const { use = 'none', points: typed } = choiceIn(query)
  return typed === undefined ? { use } : { use, typed }
}

function partsOf({ points: count, value_halalas, remainder_halalas }: Redemption, locale: Showing['locale']) {
  return {
    points: points(count, locale),
    value: amount(value_halalas, locale),
    remainder: amount(remainder_halalas, locale),
  }
}

/** What happens, and the button that makes it happen. */
function wordsOf(
  { view }: Showing,
  { points: count, remainder_halalas }: Redemption,
): { sentence: LocalText; label: LocalText } {
  const at_store = view.merchant.payment_provider === 'merchant'
  if (remainder_halalas === 0)
    return count === 0
      ? { sentence: confirmTexts.free, label: confirmTexts.plain }
      : { sentence: confirmTexts.points, label: confirmTexts.use }
  const label = at_store ? confirmTexts.reserve : confirmTexts.pay
  if (count === 0) return { sentence: at_store ? confirmTexts.moneyMerchant : confirmTexts.moneyProvider, label }
  return { sentence: at_store ? confirmTexts.bothMerchant : confirmTexts.bothProvider, label }
}

function figures({ view, locale }: Showing, redemption: Redemption): Html {
  const { points: count, value_halalas, remainder_halalas } = redemption
  const left = asPoints((view.customer?.available ?? 0) - count)
  const earned = pointsEarned(remainder_halalas, view.merchant.points_per_sar_e4)
  return summary([
    { label: common.orderNumber[locale], value: html`<bdi>${view.order_number}</bdi>` },
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    count === 0 ? null : { label: confirmTexts.used[locale], value: amount(minus(value_halalas), locale) },
    { label: confirmTexts.toPay[locale], value: amount(remainder_halalas, locale), strong: true },
    count === 0 ? null : { label: confirmTexts.left[locale], value: points(left, locale) },
    earned === 0 ? null : { label: confirmTexts.earns[locale], value: points(earned, locale) },
  ])
}

function minus(value: Halalas): Halalas {
  return asHalalas(-value)
}

function noteOf({ query, locale }: Showing): Html | null {
  if (query['note'] === 'changed') return notice('warning', confirmTexts.changed[locale])
  return query['note'] === 'unavailable' ? notice('error', payTexts.unavailablePlain[locale]) : null
}
