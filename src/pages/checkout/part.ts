import type { LocalText } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import { asPoints, type Points, pointsValue } from '../../domain/points.ts'
import { decideRedemption, equivalence, type RedemptionFacts } from '../../domain/redemption.ts'
import { type Choice, field } from '../design/controls.ts'
import { amount, points, pointsNumber } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { icon } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'
import { choiceQuery, unitOf } from './choice.ts'
import type { ScreenContext } from './screen.ts'
import { chooseTexts } from './texts.ts'

interface PartBounds {
  /** The fewest points that are worth a halala. */
  readonly least: Points
  /** The most points that the order can use. */
  readonly most: Points
  readonly error: Html | undefined
}

const example_points = asPoints(100)

/** The card for a part of the points: an amount in points or in riyals, with links that fill it in. */
export function partOf(context: ScreenContext, facts: RedemptionFacts, { least, most, error }: PartBounds): Choice {
  const { locale, query } = context
  const input = field({
    name: 'amount',
    label: chooseTexts.field[locale],
    hint: interpolate(chooseTexts.fieldHint, locale, {
      least: pointsNumber(least),
      most: points(most, locale, 'object'),
      step: points(example_points, locale),
      value: amount(pointsValue(example_points, facts.value), locale),
    }),
    inputmode: 'decimal',
    enterkeyhint: 'done',
    autocomplete: 'off',
    dir: 'ltr',
    value: query['amount'] ?? '',
    error,
    after: unitSelect(context),
  })
  return {
    value: 'part',
    title: chooseTexts.part[locale],
    text: chooseTexts.partDetail[locale],
    more: html`${shortcuts(context, facts, { least, most })}${input}${liveLine(context, facts, most)}`,
  }
}

function unitSelect({ locale, query }: ScreenContext): Html {
  const chosen = unitOf(query)
  const option = (unit: 'points' | 'sar', text: LocalText): Html =>
    html`<option value="${unit}"${attributes({ selected: chosen === unit })}>${text[locale]}</option>`
  return html`<select name="unit" aria-label="${chooseTexts.unit[locale]}">${option('points', chooseTexts.inPoints)}${option('sar', chooseTexts.inRiyals)}</select>`
}

/** Links to this page with the amount filled in. Scripts fill it in without loading the page. */
function shortcuts(
  { locale, action }: ScreenContext,
  facts: RedemptionFacts,
  { least, most }: Pick<PartBounds, 'least' | 'most'>,
): Html {
  const parts: readonly (readonly [LocalText, number])[] = [
    [chooseTexts.quarter, Math.floor(most / 4)],
    [chooseTexts.half, Math.floor(most / 2)],
    [chooseTexts.everything, most],
  ]
  const links = parts
    .filter(([, count]) => count >= least)
    .map(([text, count]) => {
      const redemption = decideRedemption(facts, asPoints(count))
      const used = redemption.kind === 'redemption' ? redemption.points : asPoints(count)
      const query = String(new URLSearchParams(choiceQuery({ use: 'part', amount: String(used), unit: 'points' })))
      return html`<a class="button button-secondary" href="${action}?${query}" data-points="${used}">${text[locale]}</a>`
    })
  return html`<div class="shortcuts" role="group" aria-label="${chooseTexts.shortcuts[locale]}">${links}</div>`
}

/** What the typed amount is worth, or that it is too much: a script shows one of them while the customer types. */
function liveLine({ locale }: ScreenContext, facts: RedemptionFacts, most: Points): Html {
  const figure = (name: string, halalas: number): Html =>
    html`<span data-live="${name}">${amount(asHalalas(halalas), locale)}</span>`
  const worth = interpolate(chooseTexts.live, locale, {
    value: figure('value', 0),
    due: figure('due', facts.total_halalas),
  })
  const tooMany = (most_shown: Html): Html => interpolate(chooseTexts.tooMany, locale, { most: most_shown })
  return html`<div class="live" role="status"><p data-says="worth" hidden>${worth}</p>
<p class="wrong" data-says="too_many_points" hidden>${icon('error')}<span>${tooMany(points(most, locale))}</span></p>
<p class="wrong" data-says="too_many_sar" hidden>${icon('error')}<span>${tooMany(amount(equivalence(most, facts), locale))}</span></p></div>`
}
