import type { LocalText } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import {
  asPoints,
  NO_POINTS,
  type Points,
  pointsEarned,
  pointsNeeded,
  pointsValue,
  pointsWorth,
} from '../../domain/points.ts'
import { decideRedemption, type Redemption, type RedemptionFacts, redeemablePoints } from '../../domain/redemption.ts'
import { errorSummary, heading, headline, notice } from '../design/components.ts'
import { button, type Choice, choiceCards, field } from '../design/controls.ts'
import { amount, points, pointsNumber } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import type { ChoiceError } from './flow.ts'
import { exitSection, itemsCard, progress, redemptionParts, type ScreenContent, type ScreenContext } from './screen.ts'
import { chooseTexts, common, confirmTexts } from './texts.ts'

/** Asks how many points to use: none, some, or as many as the order allows. The form is a GET: nothing changes yet. */
export function renderChoice(
  context: ScreenContext,
  facts: RedemptionFacts,
  choice_error: ChoiceError | null,
): ScreenContent {
  const { locale, query } = context
  const most = redeemablePoints(facts)
  const can_choose = most > 0
  const title = (can_choose ? chooseTexts.title : chooseTexts.plainTitle)[locale]
  const error = choice_error === null ? undefined : errorText(choice_error, facts, context)
  const body = html`${progress(1, context)}
${errorSummary(error === undefined ? [] : [{ field: choice_error === 'missing' ? 'use' : 'points', text: error }], locale)}
${heading(title, orderLine(context))}
${query['note'] === 'changed' ? notice('warning', confirmTexts.changed[locale]) : null}
${balance(context, facts)}
${can_choose ? null : noPointsReason(context, facts)}
${can_choose ? choices(context, { facts, most, choice_error, error }) : noPointsForm(context)}
${itemsCard(context)}
${exitSection(context)}`
  return { title, body, has_errors: choice_error !== null }
}

function orderLine({ view, locale }: ScreenContext): Html {
  const parts = { number: html`<bdi>${view.order_number}</bdi>`, total: amount(view.total_halalas, locale) }
  return interpolate(chooseTexts.order, locale, parts)
}

function errorText(choice_error: ChoiceError, facts: RedemptionFacts, { locale }: ScreenContext): Html {
  const texts: Readonly<Record<ChoiceError, LocalText>> = {
    missing: chooseTexts.missing,
    not_whole: chooseTexts.notWhole,
    too_few: chooseTexts.tooFew,
    too_many: chooseTexts.tooMany,
  }
  const parts = { least: points(leastPoints(facts), locale), most: points(redeemablePoints(facts), locale) }
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
function noPointsReason(context: ScreenContext, facts: RedemptionFacts): Html {
  const { locale } = context
  const { available_points, total_halalas } = facts
  if (total_halalas === 0) return notice('info', chooseTexts.free[locale])
  const earned = pointsEarnedByPaying(context)
  const text =
    available_points > 0 ? chooseTexts.tooLittle : available_points < 0 ? chooseTexts.negative : chooseTexts.empty
  const why = interpolate(text, locale, { least: points(leastPoints(facts), locale) })
  return notice(
    'info',
    html`${why} ${earned === null ? null : interpolate(chooseTexts.earns, locale, { points: earned })}`,
  )
}

/** The points that the order earns when all of it is paid with money; null when it earns none. */
function pointsEarnedByPaying({ view, locale }: ScreenContext): Html | null {
  const earned = pointsEarned(view.total_halalas, view.merchant.points_per_sar_e4)
  return earned === 0 ? null : points(earned, locale)
}

interface ChoiceState {
  readonly facts: RedemptionFacts
  readonly most: Points
  readonly choice_error: ChoiceError | null
  readonly error: Html | undefined
}

function choices(context: ScreenContext, state: ChoiceState): Html {
  const { locale, query } = context
  const { facts, most, choice_error, error } = state
  const chosen = ['none', 'part', 'all'].find((use) => use === query['use'])
  const cards = choiceCards({
    name: 'use',
    legend: chooseTexts.legend[locale],
    choices: [
      allOf(context, facts),
      ...(most > leastPoints(facts) ? [partOf(context, state)] : []),
      noneOf(context, facts),
    ],
    chosen: chosen ?? (choice_error === null ? 'all' : undefined),
    error: choice_error === 'missing' ? error : undefined,
  })
  return getForm(context, [cards, button(common.continue[locale])])
}

function noPointsForm(context: ScreenContext): Html {
  const { locale } = context
  return getForm(context, [html`<input type="hidden" name="use" value="none">`, button(common.continue[locale])])
}

function getForm({ action }: ScreenContext, body: readonly Html[]): Html {
  return html`<form method="get" action="${action}" novalidate>${body}</form>`
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

function noneOf(context: ScreenContext, { total_halalas }: RedemptionFacts): Choice {
  const { locale } = context
  const due = amount(total_halalas, locale)
  const earned = pointsEarnedByPaying(context)
  const text =
    earned === null
      ? interpolate(chooseTexts.noneDetail, locale, { due })
      : interpolate(chooseTexts.noneEarning, locale, { due, points: earned })
  return { value: 'none', title: chooseTexts.none[locale], text }
}

const example_points = asPoints(100)

function partOf({ locale, query }: ScreenContext, { facts, most, choice_error, error }: ChoiceState): Choice {
  const { total_halalas, value } = facts
  const input = field({
    name: 'points',
    label: chooseTexts.field[locale],
    hint: interpolate(chooseTexts.fieldHint, locale, {
      least: pointsNumber(leastPoints(facts)),
      most: pointsNumber(most),
      step: points(example_points, locale),
      value: amount(pointsValue(example_points, value), locale),
    }),
    inputmode: 'numeric',
    autocomplete: 'off',
    dir: 'ltr',
    value: query['points'] ?? '',
    error: choice_error === null || choice_error === 'missing' ? undefined : error,
  })
  const live = interpolate(chooseTexts.live, locale, {
    value: html`<span data-value>${amount(asHalalas(0), locale)}</span>`,
    due: html`<span data-due>${amount(total_halalas, locale)}</span>`,
  })
  const needed = pointsNeeded(total_halalas, value)
  const rate = {
    'data-value-e6': value,
    'data-total': total_halalas,
    'data-most': Math.min(facts.available_points, needed),
    'data-needed': needed,
  }
  return {
    value: 'part',
    title: chooseTexts.part[locale],
    text: chooseTexts.partDetail[locale],
    more: html`${input}<p class="live" role="status" hidden${attributes(rate)}>${live}</p>`,
  }
}
