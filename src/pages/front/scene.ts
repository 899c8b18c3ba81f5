import type { Locale } from '../../domain/locale.ts'
import { asHalalas } from '../../domain/money.ts'
import { asPoints } from '../../domain/points.ts'
import { amount, pointsNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { type IconName, icon } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'
import { sceneTexts as texts } from './texts.ts'

/** A picture of a wallet. Screen readers skip it: the words beside it say the same. */
export function scene(locale: Locale): Html {
  const worth = interpolate(texts.worth, locale, { amount: amount(asHalalas(6_225), locale) })
  return html`<div class="scene" aria-hidden="true">
<div class="scene-wallet"><p>${texts.balance[locale]}</p><p class="scene-balance">${pointsNumber(asPoints(12_450))}</p><p>${worth}</p></div>
<ul class="scene-rows">
${row('bag', texts.bought[locale], 1_995)}
${row('check', texts.review[locale], 50)}
${row('points', texts.paid[locale], -4_000)}
</ul>
</div>`
}

function row(name: IconName, title: string, points: number): Html {
  return html`<li><span class="list-icon">${icon(name)}</span><span>${title}</span><strong>${pointsNumber(asPoints(points), { signed: true })}</strong></li>`
}
