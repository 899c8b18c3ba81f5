import type { Locale } from '../../domain/locale.ts'
import { riyadhDate } from '../../features/orders/view.ts'
import type { History, Movement } from '../../features/wallet/service.ts'
import type { PageRequest } from '../../http/pages/page.ts'
import { actions, card, emptyState, type ListItem, list } from '../design/components.ts'
import { linkButton } from '../design/controls.ts'
import { moment, pointsFigure } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { walletLink } from './links.ts'
import { texts } from './texts.ts'
import { describeMovement } from './words.ts'

/** Movements by day, the newest first, with the ways to older ones and back. */
export function historyCard(
  request: PageRequest,
  { movements, older }: History,
  { newest }: { newest: boolean },
): Html {
  const { locale } = request
  if (newest && movements.length === 0) return card(emptyHistory(locale))
  const days = byDay(movements).map((day) => daySection(day, locale, newest ? 'h3' : 'h2'))
  const ways = [
    older === null
      ? null
      : linkButton(texts.older[locale], walletLink(request, '/wallet', { before: String(older) }), {
          kind: 'secondary',
        }),
    newest ? null : linkButton(texts.newest[locale], walletLink(request, '/wallet'), { kind: 'quiet' }),
  ].filter((way) => way !== null)
  const title = newest ? { title: texts.history[locale] } : {}
  return card(html`${days}${ways.length === 0 ? null : actions(...ways)}`, title)
}

function emptyHistory(locale: Locale): Html {
  return emptyState(texts.empty[locale], html`${texts.empty_how[locale]} ${texts.empty_use[locale]}`)
}

/** Consecutive movements of one day in Riyadh. */
function byDay(movements: readonly Movement[]): Movement[][] {
  const days: Movement[][] = []
  for (const movement of movements) {
    const last = days.at(-1)
    if (last?.[0] !== undefined && riyadhDate(last[0].at) === riyadhDate(movement.at)) last.push(movement)
    else days.push([movement])
  }
  return days
}

/** The heading of a day stands below that of the history, which is the page's own where older movements are shown. */
function daySection(movements: readonly Movement[], locale: Locale, level: 'h2' | 'h3'): Html | null {
  const [first] = movements
  if (first === undefined) return null
  const day = moment(first.at, locale, 'date')
  const heading = level === 'h2' ? html`<h2>${day}</h2>` : html`<h3>${day}</h3>`
  return html`<section class="day">${heading}${list(movements.map((movement) => row(movement, locale)))}</section>`
}

function row(movement: Movement, locale: Locale): ListItem {
  const words = describeMovement(movement, locale)
  return {
    icon: words.icon,
    title: words.title,
    text: words.details.map((detail) => html`<span class="detail">${detail}</span>`),
    aside: movedPoints(movement),
    note: interpolate(texts.balance_after, locale, { balance: pointsFigure(movement.balance_after) }),
  }
}

/** Points that came stand out from those that went. */
export function movedPoints({ points }: Movement): Html {
  return html`<span class="${points > 0 ? 'came' : 'went'}">${pointsFigure(points, { signed: true })}</span>`
}
