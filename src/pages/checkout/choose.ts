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
import { errorSummary, figure, heading, notice } from '../design/components.ts'
import { button, type Choice, choiceCards, field } from '../design/controls.ts'
import { amount, points, pointsFigure } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import type { ChoiceMistake } from './flow.ts'
import { type Drawn, itemsCard, progress, type Showing, wayOut } from './screen.ts'
import { chooseTexts, common, confirmTexts } from './texts.ts'

/** How many points are used: none, some, or all that the order allows. The form leads on by GET: nothing is changed yet. */
export function drawChoice(showing: Showing, facts: RedemptionFacts, mistake: ChoiceMistake | null): Drawn {
  const { locale, query } = showing
  const most = redeemablePoints(facts)
  const choosing = most > 0
  const title = (choosing ? chooseTexts.title : chooseTexts.plainTitle)[locale]
  const error = mistake === null ? undefined : mistakeOf(mistake, facts, showing)
  const body = html`${progress(1, showing)}
${errorSummary(error === undefined ? [] : [{ field: mistake === 'missing' ? 'use' : 'points', text: error }], locale)}
${heading(title, orderLine(showing))}
${query['note'] === 'changed' ? notice('warning', confirmTexts.changed[locale]) : null}
${balance(showing, facts)}
${choosing ? null : plainReason(showing, facts)}
${choosing ? choices(showing, { facts, most, mistake, error }) : plainForm(showing)}
${itemsCard(showing)}
${wayOut(showing)}`
  return { title, body, wrong: mistake !== null }
}

/** What it is about, where the amounts below are weighed against it. */
function orderLine({ view, locale }: Showing): Html {
  const parts = { number: html`<bdi>${view.order_number}</bdi>`, total: amount(view.total_halalas, locale) }
  return interpolate(chooseTexts.order, locale, parts)
}

function mistakeOf(mistake: ChoiceMistake, facts: RedemptionFacts, { locale }: Showing): Html {
  const texts: Readonly<Record<ChoiceMistake, LocalText>> = {
    missing: chooseTexts.missing,
    'not whole': chooseTexts.notWhole,
    'too few': chooseTexts.tooFew,
    'too many': chooseTexts.tooMany,
  }
  const said = { least: points(leastOf(facts), locale), most: points(redeemablePoints(facts), locale) }
  return interpolate(texts[mistake], locale, said)
}

/** The fewest points that buy anything. */
function leastOf({ value }: RedemptionFacts): Points {
  return pointsNeeded(asHalalas(1), value)
}

function balance({ locale }: Showing, { available_points, value }: RedemptionFacts): Html {
  const worth = available_points > 0 ? pointsWorth(available_points, value) : null
  const note = worth === null ? undefined : interpolate(chooseTexts.worth, locale, { value: amount(worth, locale) })
  return figure(chooseTexts.balance[locale], points(available_points, locale), note)
}

/** Why there is nothing to choose. */
function plainReason(showing: Showing, facts: RedemptionFacts): Html {
  const { locale } = showing
  const { available_points, total_halalas } = facts
  if (total_halalas === 0) return notice('info', chooseTexts.free[locale])
  const earned = earnedByMoney(showing)
  const text =
    available_points > 0 ? chooseTexts.tooLittle : available_points < 0 ? chooseTexts.negative : chooseTexts.empty
  const why = interpolate(text, locale, { least: points(leastOf(facts), locale) })
  return notice(
    'info',
    html`${why} ${earned === null ? null : interpolate(chooseTexts.earns, locale, { points: earned })}`,
  )
}

/** What all of the order earns when it is paid with money; null where the merchant gives none for it. */
function earnedByMoney({ view, locale }: Showing): Html | null {
  const earned = pointsEarned(view.total_halalas, view.merchant.points_per_sar_e4)
  return earned === 0 ? null : points(earned, locale)
}

interface Choosing {
  readonly facts: RedemptionFacts
  readonly most: Points
  readonly mistake: ChoiceMistake | null
  readonly error: Html | undefined
}

function choices(showing: Showing, choosing: Choosing): Html {
  const { locale, query } = showing
  const { facts, most, mistake, error } = choosing
  const chosen = ['none', 'part', 'all'].find((use) => use === query['use'])
  const cards = choiceCards({
    name: 'use',
    legend: chooseTexts.legend[locale],
    choices: [
      allOf(showing, facts),
      ...(most > leastOf(facts) ? [partOf(showing, choosing)] : []),
      noneOf(showing, facts),
    ],
    chosen: chosen ?? (mistake === null ? 'all' : undefined),
    error: mistake === 'missing' ? error : undefined,
  })
  return sendByGet(showing, [cards, button(common.continue[locale])])
}

function plainForm(showing: Showing): Html {
  const { locale } = showing
  return sendByGet(showing, [html`<input type="hidden" name="use" value="none">`, button(common.continue[locale])])
}

function sendByGet({ action }: Showing, body: readonly Html[]): Html {
  return html`<form method="get" action="${action}" novalidate>${body}</form>`
}

function allOf({ locale }: Showing, facts: RedemptionFacts): Choice {
  const redemption = decideRedemption(facts, 'all')
  if (redemption.kind !== 'redemption') throw new Error('what may be used may be used')
  const kept = asPoints(facts.available_points - redemption.points)
  const parts = { ...partsOf(redemption, locale), kept: points(kept, locale) }
  const [title, text] = allTexts(redemption, kept)
  return { value: 'all', title: title[locale], text: interpolate(text, locale, parts) }
}

function allTexts({ remainder_halalas }: Redemption, kept: Points): readonly [LocalText, LocalText] {
  if (remainder_halalas === 0) return [chooseTexts.whole, chooseTexts.wholeDetail]
  return kept === NO_POINTS ? [chooseTexts.all, chooseTexts.some] : [chooseTexts.useful, chooseTexts.kept]
}

function partsOf({ points: count, value_halalas, remainder_halalas }: Redemption, locale: Showing['locale']) {
  return {
    points: points(count, locale),
    value: amount(value_halalas, locale),
    remainder: amount(remainder_halalas, locale),
  }
}

function noneOf(showing: Showing, { total_halalas }: RedemptionFacts): Choice {
  const { locale } = showing
  const remainder = amount(total_halalas, locale)
  const earned = earnedByMoney(showing)
  const text =
    earned === null
      ? interpolate(chooseTexts.noneDetail, locale, { remainder })
      : interpolate(chooseTexts.noneEarning, locale, { remainder, points: earned })
  return { value: 'none', title: chooseTexts.none[locale], text }
}

const example_points = asPoints(100)

function partOf({ locale, query }: Showing, { facts, most, mistake, error }: Choosing): Choice {
  const { total_halalas, value } = facts
  const input = field({
    name: 'points',
    label: chooseTexts.field[locale],
    hint: interpolate(chooseTexts.fieldHint, locale, {
      least: pointsFigure(leastOf(facts)),
      most: pointsFigure(most),
      step: points(example_points, locale),
      value: amount(pointsValue(example_points, value), locale),
    }),
    inputmode: 'numeric',
    autocomplete: 'off',
    dir: 'ltr',
    value: query['points'] ?? '',
    error: mistake === null || mistake === 'missing' ? undefined : error,
  })
  const live = interpolate(chooseTexts.live, locale, {
    value: html`<span data-value>${amount(asHalalas(0), locale)}</span>`,
    remainder: html`<span data-remainder>${amount(total_halalas, locale)}</span>`,
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
