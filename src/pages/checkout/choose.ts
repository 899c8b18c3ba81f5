import type { LocalText } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import { asPoints, NO_POINTS, type Points, pointsEarned, pointsNeeded, pointsWorth } from '../../domain/points.ts'
import {
  decideRedemption,
  equivalence,
  type Redemption,
  type RedemptionFacts,
  redeemablePoints,
} from '../../domain/redemption.ts'
import { errorSummary, heading, headline, notice } from '../design/components.ts'
import { button, type Choice, choiceCards, form } from '../design/controls.ts'
import { amount, points, pointsNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { onboardingTexts } from '../identity/texts.ts'
import { type ChoiceError, type ChoiceField, fieldOf, unitOf, writeShown } from './choice.ts'
import { consentBox } from './consent.ts'
import { paymentMethodList } from './methods.ts'
import { besideOrder } from './order.ts'
import { partOf } from './part.ts'
import { forgetForm, rememberBox } from './remembered.ts'
import { exitSection, progress, redemptionParts, type ScreenContent, type ScreenContext } from './screen.ts'
import { chooseTexts, confirmTexts, payTexts } from './texts.ts'
import { confirmLabel, confirmLabels, liveTotals, plainTotals } from './totals.ts'

/** What the screen of the choice shows. */
interface ChoiceState {
  readonly facts: RedemptionFacts
  /** The most points that the order can use. */
  readonly most: Points
  readonly errors: readonly { readonly field: ChoiceField; readonly text: Html }[]
}

/**
 * Asks how many points to use and confirms it, with one button. When no points can be used, it only confirms.
 * docs/decisions/0040-checkout-steps.md
 */
export function renderChoice(
  context: ScreenContext,
  facts: RedemptionFacts,
  choice_errors: readonly ChoiceError[],
): ScreenContent {
  const { locale, view } = context
  const most = redeemablePoints(facts)
  const can_choose = most > 0
  const title = (can_choose ? chooseTexts.title : chooseTexts.plainTitle)[locale]
  const errors = (can_choose ? choice_errors : []).map((error) => ({
    field: fieldOf(error),
    text: errorText(error, facts, context),
  }))
  const state = { facts, most, errors }
  const main = html`${progress('confirm', context)}
${errorSummary(errors, locale)}
${heading(title, orderLine(context))}
${noteOf(context)}
${view.total_halalas === 0 || view.customer?.blocked === true ? null : balance(context, facts)}
${can_choose ? null : noPointsReason(context, facts)}
${heldNote(context, facts)}
${can_choose ? choiceForm(context, state) : plainForm(context, facts)}
${forgetForm(context)}`
  const body = besideOrder(context, main, exitSection(context))
  const has_errors = errors.length > 0
  return { title, body, width: 'wide', has_errors, pays: view.total_halalas > 0, scripts: can_choose ? ['choose'] : [] }
}

function noteOf({ query, locale }: ScreenContext): Html | null {
  if (query['note'] === 'changed') return notice('warning', confirmTexts.changed[locale])
  return query['note'] === 'unavailable' ? notice('error', payTexts.unavailablePlain[locale]) : null
}

function orderLine({ view, locale }: ScreenContext): Html {
  const parts = { number: html`<bdi>${view.order_number}</bdi>`, total: amount(view.total_halalas, locale) }
  return interpolate(chooseTexts.order, locale, parts)
}

function errorText(choice_error: ChoiceError, facts: RedemptionFacts, { locale, query }: ScreenContext): Html {
  const texts: Readonly<Record<ChoiceError, LocalText>> = {
    missing: chooseTexts.missing,
    not_whole: chooseTexts.notWhole,
    not_amount: chooseTexts.notAmount,
    too_few: chooseTexts.tooFew,
    too_many: chooseTexts.tooMany,
    terms: chooseTexts.consentMissing,
    other_terms: onboardingTexts.other_terms,
  }
  const most = redeemablePoints(facts)
  const in_sar = unitOf(query) === 'sar'
  const parts = {
    fewest: pointsNumber(leastPoints(facts)),
    least: points(leastPoints(facts), locale),
    most: in_sar ? amount(equivalence(most, facts), locale) : points(most, locale),
  }
  return interpolate(texts[choice_error], locale, parts)
}

/** The fewest points that are worth a halala. */
function leastPoints({ value }: RedemptionFacts): Points {
  return pointsNeeded(asHalalas(1), value)
}

function balance({ locale }: ScreenContext, { available_points, value }: RedemptionFacts): Html {
  const worth = available_points > 0 ? pointsWorth(available_points, value) : null
  const note = worth === null ? undefined : interpolate(chooseTexts.worth, locale, { value: amount(worth, locale) })
  return headline(chooseTexts.balance[locale], points(available_points, locale), note)
}

/** Says why no points can be used. */
function noPointsReason(context: ScreenContext, facts: RedemptionFacts): Html | null {
  const { locale, view } = context
  const { available_points, total_halalas } = facts
  if (total_halalas === 0) return notice('info', chooseTexts.free[locale])
  if (view.customer?.blocked === true) return notice('warning', chooseTexts.blocked[locale])
  if (isAllHeld(context, facts)) return null
  const text =
    available_points > 0 ? chooseTexts.tooLittle : available_points < 0 ? chooseTexts.negative : chooseTexts.empty
  return notice('info', interpolate(text, locale, { least: points(leastPoints(facts), locale, 'object') }))
}

function isAllHeld({ view }: ScreenContext, { available_points }: RedemptionFacts): boolean {
  return available_points === 0 && view.customer !== null && view.customer.held > 0
}

/** Says where points are that the customer may miss: another order reserves them. */
function heldNote(context: ScreenContext, facts: RedemptionFacts): Html | null {
  const { locale, view } = context
  const { customer, total_halalas } = view
  if (customer === null || customer.held <= 0 || customer.blocked || total_halalas === 0) return null
  const text = isAllHeld(context, facts) ? chooseTexts.allHeld : chooseTexts.alsoHeld
  return notice('info', interpolate(text, locale, { held: points(customer.held, locale) }))
}

function choiceForm(context: ScreenContext, state: ChoiceState): Html {
  const { locale, query } = context
  const { facts, most, errors } = state
  const chosen = ['none', 'part', 'all'].find((use) => use === query['use'])
  const errorAt = (name: ChoiceField) => errors.find(({ field }) => field === name)?.text
  const cards = choiceCards({
    name: 'use',
    legend: chooseTexts.legend[locale],
    choices: [
      allOf(context, facts),
      ...(most > leastPoints(facts)
        ? [
            partOf(context, facts, {
              least: leastPoints(facts),
              most,
              error: errorAt('amount'),
            }),
          ]
        : []),
      noneOf(context, facts),
    ],
    chosen: chosen ?? (errors.length === 0 ? 'all' : undefined),
    error: errorAt('use'),
  })
  const submit = html`${nextHint(context)}${button(confirmLabels(context))}`
  return confirmForm(context, facts, [
    cards,
    liveTotals(context, facts),
    consentBox(context, errorAt('terms')),
    rememberBox(context),
    submit,
  ])
}

/** Confirms without a choice. */
function plainForm(context: ScreenContext, facts: RedemptionFacts): Html {
  return confirmForm(context, facts, [
    html`<input type="hidden" name="use" value="none">`,
    plainTotals(context),
    paymentMethodList(context),
    rememberBox(context),
    button(confirmLabel(context, facts.total_halalas)),
  ])
}

function confirmForm({ action, csrf }: ScreenContext, facts: RedemptionFacts, body: readonly (Html | null)[]): Html {
  return form({ action, csrf, hidden: { do: 'confirm', shown: writeShown(facts) }, id: 'choice' }, body)
}

/** Where the money is paid: the button cannot say how much without scripts. */
function nextHint(context: ScreenContext): Html {
  const { view, locale } = context
  const text = view.merchant.payment_provider === 'merchant' ? confirmTexts.atStore : confirmTexts.nextPage
  return html`<p class="hint" data-due>${text[locale]}</p>${paymentMethodList(context)}`
}

function allOf({ locale }: ScreenContext, facts: RedemptionFacts): Choice {
  const redemption = decideRedemption(facts, 'all')
  if (redemption.kind !== 'redemption') throw new Error('redeemable points were refused')
  const kept = asPoints(facts.available_points - redemption.points)
  const parts = { ...redemptionParts(redemption, locale), kept: points(kept, locale) }
  const [title, text] = allTexts(redemption, kept)
  return { value: 'all', title: title[locale], text: interpolate(text, locale, parts) }
}

function allTexts({ due_halalas }: Redemption, kept: Points): readonly [LocalText, LocalText] {
  if (due_halalas === 0) return [chooseTexts.whole, chooseTexts.wholeDetail]
  return kept === NO_POINTS ? [chooseTexts.all, chooseTexts.some] : [chooseTexts.useful, chooseTexts.kept]
}

function noneOf({ view, locale }: ScreenContext, { total_halalas }: RedemptionFacts): Choice {
  const due = amount(total_halalas, locale)
  const earned = pointsEarned(total_halalas, view.merchant.points_per_sar_e4)
  const text =
    earned === 0
      ? interpolate(chooseTexts.noneDetail, locale, { due })
      : interpolate(chooseTexts.noneEarning, locale, { due, points: points(earned, locale, 'object') })
  return { value: 'none', title: chooseTexts.none[locale], text }
}
