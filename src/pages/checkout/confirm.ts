import type { LocalText } from '../../domain/locale.ts'
import { asHalalas, type Halalas } from '../../domain/money.ts'
import { asPoints, type Points, pointsEarned } from '../../domain/points.ts'
import type { Redemption } from '../../domain/redemption.ts'
import { actions, card, heading, notice, summary } from '../design/components.ts'
import { button, form, linkButton } from '../design/controls.ts'
import { amount, points } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { exitSection, progress, redemptionParts, type ScreenContent, type ScreenContext } from './screen.ts'
import { common, confirmTexts, payTexts } from './texts.ts'

/** Shows exactly what will happen, before it does. `typed`: the points entered, when fewer are worth the same. */
export function renderConfirmation(
  context: ScreenContext,
  redemption: Redemption,
  typed: Points | null = null,
): ScreenContent {
  const { locale, action, csrf, query } = context
  const { points: count, due_halalas } = redemption
  const parts = redemptionParts(redemption, locale)
  const { sentence, label } = textsOf(context, redemption)
  const change_query = new URLSearchParams({ ...choiceQuery(query), at: 'choose' })
  const title = confirmTexts.title[locale]
  const hidden = { do: 'confirm', points: count, due: due_halalas, ...choiceFields(query) }
  const body = html`${progress(2, context)}
${heading(title)}
${noteOf(context)}
${typed === null ? null : fewerNote(context, redemption, typed)}
<p class="statement">${interpolate(sentence, locale, parts)}</p>
${card(amountsSummary(context, redemption))}
${form(
  { action, csrf, hidden },
  actions(
    button(interpolate(label, locale, parts)),
    linkButton(confirmTexts.change[locale], `${action}?${change_query}`, { kind: 'secondary' }),
  ),
)}
${exitSection(context)}`
  return { title, body, pays: due_halalas > 0 }
}

function fewerNote({ locale }: ScreenContext, { points: count }: Redemption, typed: Points): Html {
  const parts = { typed: points(typed, locale), points: points(count, locale) }
  return notice('info', interpolate(confirmTexts.fewer, locale, parts))
}

function choiceQuery({ use = 'none', points: typed }: ScreenContext['query']): Record<string, string> {
  return typed === undefined ? { use } : { use, points: typed }
}

/** The choice as form fields. The field `points` holds the points to use, so `typed` holds those that were typed. */
function choiceFields(query: ScreenContext['query']): Record<string, string> {
  const { use = 'none', points: typed } = choiceQuery(query)
  return typed === undefined ? { use } : { use, typed }
}

/** The sentence that says what happens, and the label of the confirm button. */
function textsOf(
  { view }: ScreenContext,
  { points: count, due_halalas }: Redemption,
): { sentence: LocalText; label: LocalText } {
  const at_store = view.merchant.payment_provider === 'merchant'
  if (due_halalas === 0)
    return count === 0
      ? { sentence: confirmTexts.free, label: confirmTexts.plain }
      : { sentence: confirmTexts.points, label: confirmTexts.use }
  const label = at_store ? confirmTexts.reserve : confirmTexts.pay
  if (count === 0) return { sentence: at_store ? confirmTexts.moneyMerchant : confirmTexts.moneyProvider, label }
  return { sentence: at_store ? confirmTexts.bothMerchant : confirmTexts.bothProvider, label }
}

function amountsSummary({ view, locale }: ScreenContext, redemption: Redemption): Html {
  const { points: count, value_halalas, due_halalas } = redemption
  const left = asPoints((view.customer?.available ?? 0) - count)
  const earned = pointsEarned(due_halalas, view.merchant.points_per_sar_e4)
  return summary([
    { label: common.orderNumber[locale], value: html`<bdi>${view.order_number}</bdi>` },
    { label: common.total[locale], value: amount(view.total_halalas, locale) },
    count === 0 ? null : { label: confirmTexts.used[locale], value: amount(minus(value_halalas), locale) },
    { label: confirmTexts.toPay[locale], value: amount(due_halalas, locale), strong: true },
    count === 0 ? null : { label: confirmTexts.left[locale], value: points(left, locale) },
    earned === 0 ? null : { label: confirmTexts.earns[locale], value: points(earned, locale) },
  ])
}

function minus(value: Halalas): Halalas {
  return asHalalas(-value)
}

function noteOf({ query, locale }: ScreenContext): Html | null {
  if (query['note'] === 'changed') return notice('warning', confirmTexts.changed[locale])
  return query['note'] === 'unavailable' ? notice('error', payTexts.unavailablePlain[locale]) : null
}
