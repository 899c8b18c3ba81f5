import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS, pointsEarned, pointsNeeded } from '../../domain/points.ts'
import type { RedemptionFacts } from '../../domain/redemption.ts'
import { summary } from '../design/components.ts'
import { amount, points, pointsNumber } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { inBrackets, interpolate } from '../design/interpolate.ts'
import { mostTyped } from './choice.ts'
import type { ScreenContext } from './screen.ts'
import { chooseTexts, confirmTexts } from './texts.ts'

/** What a confirmation will do: the sums above its button, and the words on it. */

/**
 * The sums of the choice. A script writes them while the customer chooses; without scripts they stay hidden, and each choice
 * says its own.
 */
export function liveTotals({ view, locale }: ScreenContext, facts: RedemptionFacts): Html {
  const money = (name: string): Html => html`<span data-live="${name}">${amount(NO_MONEY, locale)}</span>`
  const count = (name: string): Html => html`<span data-live="${name}">${pointsNumber(NO_POINTS)}</span>`
  const rows = summary([
    {
      label: html`${confirmTexts.used[locale]} ${inBrackets(count('points'))}`,
      value: html`<span class="money" dir="ltr">−${money('value')}</span>`,
    },
    { label: confirmTexts.toPay[locale], value: money('due'), strong: true },
    { label: confirmTexts.pointsLeft[locale], value: count('left') },
    { label: confirmTexts.pointsEarned[locale], value: count('earned') },
  ])
  const data = attributes({
    'data-available': facts.available_points,
    'data-most': mostTyped(facts),
    'data-needed': pointsNeeded(facts.total_halalas, facts.value),
    'data-total': facts.total_halalas,
    'data-value-e6': facts.value,
    'data-earn-e4': view.merchant.points_per_sar_e4,
  })
  return html`<div id="totals"${data} hidden>${rows}</div>`
}

/** The sums of an order that is paid without points. */
export function plainTotals({ view, locale }: ScreenContext): Html | null {
  const { total_halalas, merchant } = view
  if (total_halalas === 0) return null
  const earned = pointsEarned(total_halalas, merchant.points_per_sar_e4)
  return summary([
    { label: confirmTexts.toPay[locale], value: amount(total_halalas, locale), strong: true },
    earned === 0 ? null : { label: confirmTexts.earns[locale], value: points(earned, locale, 'object') },
  ])
}

/** The words on the button that confirms a known amount. */
export function confirmLabel({ view, locale }: ScreenContext, due_halalas: Halalas): Html {
  if (due_halalas === 0) return html`${confirmTexts.plain[locale]}`
  const text = view.merchant.payment_provider === 'merchant' ? confirmTexts.reserve : confirmTexts.pay
  return interpolate(text, locale, { due: amount(due_halalas, locale) })
}

/** The words on the button while the amount is chosen: a script shows those that fit. */
export function confirmLabels(context: ScreenContext): Html {
  const { locale, view } = context
  const due = html`<span data-live="due">${amount(asHalalas(view.total_halalas), locale)}</span>`
  const text = view.merchant.payment_provider === 'merchant' ? confirmTexts.reserve : confirmTexts.pay
  return html`<span data-label="plain">${confirmTexts.plain[locale]}</span><span data-label="pay" hidden>${interpolate(text, locale, { due })}</span><span data-label="use" hidden>${chooseTexts.whole[locale]}</span>`
}
