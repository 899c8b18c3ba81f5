import type { Locale } from '../../domain/locale.ts'
import { actions, outcome } from '../design/components.ts'
import { linkButton } from '../design/controls.ts'
import { html } from '../design/html.ts'
import { backTo, type Drawn, type Showing } from './screen.ts'
import { endTexts, overTexts } from './texts.ts'

/** Checkouts that cannot be gone on with: why, what became of points and money, and the way on. */

/** Its time is over, the store went on with the order, or cancelled it. */
export function drawOver(showing: Showing, why: 'expired' | 'closed' | 'cancelled'): Drawn {
  const { view, locale } = showing
  const title = overTexts[`${why}Title`][locale]
  const text = why === 'expired' && view.payment !== null ? overTexts.expiredPaying : overTexts[why]
  const way =
    view.return_to === null
      ? html`<p>${endTexts.goOn[locale]}</p>`
      : actions(linkButton(backTo(view.return_to, locale), view.return_to))
  return { title, body: html`${outcome('ended', title, text[locale])}${way}` }
}

/** No session has the link. */
export function drawUnknown(locale: Locale): Drawn {
  const title = overTexts.unknownTitle[locale]
  return { title, body: outcome('ended', title, overTexts.unknown[locale]) }
}
