import { dayOf } from '../../domain/day.ts'
import { AUTO_REFUND_REASON } from '../../domain/events.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import { mergeReasons } from '../../domain/merge.ts'
import type { Movement } from '../../features/wallet/queries.ts'
import type { History } from '../../features/wallet/service.ts'
import type { PageRequest } from '../../http/pages/page.ts'
import { actions, card, emptyState, type ListItem, list } from '../design/components.ts'
import { linkButton } from '../design/controls.ts'
import { moment, pointsNumber } from '../design/format.ts'
import { type Html, html, type Part } from '../design/html.ts'
import type { IconName } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'
import { catalogue } from '../texts/catalogue.ts'
import { walletLink } from './frame.ts'
import { texts } from './texts.ts'

/** Why points were added or deducted. `{store}` is the merchant's name. */
const reasons = catalogue.wallet.movement

type Reason = keyof typeof reasons

const icons: Readonly<Record<Reason, IconName>> = {
  purchase: 'bag',
  paid: 'bag',
  product_rating: 'points',
  named_rating: 'points',
  store_rating: 'points',
  used: 'gift',
  reserved: 'clock',
  released: 'back',
  taken_back: 'refund',
  returned: 'refund',
  added: 'points',
  deducted: 'points',
}

/** Translations of the reasons that the service itself records. */
const { serviceReason } = catalogue.wallet
const serviceReasons: ReadonlyMap<string, LocalText> = new Map([
  [AUTO_REFUND_REASON, serviceReason.autoRefund],
  ['Sandbox balance', serviceReason.sandboxBalance],
  ...Object.values(mergeReasons).flatMap((text) => Object.values(text).map((said) => [said, text] as const)),
])

function reasonOf({ kind, hold_state, source, product_name, points }: Movement): Reason {
  switch (kind) {
    case 'earn':
      return earnReason(source, product_name)
    case 'hold':
      return hold_state === 'posted' ? 'used' : 'reserved'
    case 'release':
      return 'released'
    case 'reverse':
      return 'taken_back'
    case 'return':
      return 'returned'
    case 'adjust':
      return points < 0 ? 'deducted' : 'added'
  }
}

function earnReason(source: Movement['source'], product_name: string | null): Reason {
  switch (source) {
    case 'product_rating':
      return product_name === null ? 'product_rating' : 'named_rating'
    case 'store_rating':
      return 'store_rating'
    case 'checkout':
      return 'paid'
    default:
      return 'purchase'
  }
}

interface MovementDescription {
  readonly icon: IconName
  readonly title: Html
  /** The order number and the stated reason, if any. */
  readonly details: readonly Html[]
}

/** Describes a movement in the reader's language. */
export function describeMovement(movement: Movement, locale: Locale): MovementDescription {
  const { merchant_name, merchant_name_ar, product_name, order_number, reason } = movement
  const kind = reasonOf(movement)
  const store = name(merchant_name === null ? null : nameIn({ name: merchant_name, name_ar: merchant_name_ar }, locale))
  const product = name(product_name)
  const isRating = movement.source === 'product_rating' || movement.source === 'store_rating'
  const number =
    order_number === null || isRating ? [] : [interpolate(texts.order, locale, { number: name(order_number) })]
  const stated =
    reason === null || reason.trim() === '' ? [] : [html`${name(serviceReasons.get(reason)?.[locale] ?? reason)}`]
  return {
    icon: icons[kind],
    title: interpolate(reasons[kind], locale, { store, product }),
    details: [...number, ...stated],
  }
}

/** Isolates text that people wrote from the direction of the text around it. */
function name(text: string | null): Part {
  return html`<bdi>${text ?? ''}</bdi>`
}

/** Movements by day, newest first, with links to older and to the newest ones. */
export function historyCard(
  request: PageRequest,
  { movements, older }: History,
  { newest }: { newest: boolean },
): Html {
  const { locale } = request
  if (newest && movements.length === 0) return card(emptyHistory(locale))
  const days = byDay(movements).map((day) => daySection(day, locale, newest ? 'h3' : 'h2'))
  const links = [
    older === null
      ? null
      : linkButton(texts.older[locale], walletLink(request, '/wallet', { before: String(older) }), {
          kind: 'secondary',
        }),
    newest ? null : linkButton(texts.newest[locale], walletLink(request, '/wallet'), { kind: 'quiet' }),
  ].filter((link) => link !== null)
  const title = newest ? { title: texts.history[locale] } : {}
  return card(html`${days}${links.length === 0 ? null : actions(...links)}`, title)
}

function emptyHistory(locale: Locale): Html {
  return emptyState(texts.empty[locale], html`${texts.empty_how[locale]} ${texts.empty_use[locale]}`)
}

/** Groups consecutive movements of the same day in Riyadh. */
function byDay(movements: readonly Movement[]): Movement[][] {
  const days: Movement[][] = []
  for (const movement of movements) {
    const last = days.at(-1)
    if (last?.[0] !== undefined && dayOf(last[0].at) === dayOf(movement.at)) last.push(movement)
    else days.push([movement])
  }
  return days
}

/** `level`: the day's heading is one below the history's, which is the page's own `h1` on pages of older movements. */
function daySection(movements: readonly Movement[], locale: Locale, level: 'h2' | 'h3'): Html | null {
  const [first] = movements
  if (first === undefined) return null
  const day = moment(first.at, locale, 'date')
  const heading = level === 'h2' ? html`<h2>${day}</h2>` : html`<h3>${day}</h3>`
  return html`<section class="day">${heading}${list(movements.map((movement) => row(movement, locale)))}</section>`
}

function row(movement: Movement, locale: Locale): ListItem {
  const { icon, title, details } = describeMovement(movement, locale)
  return {
    icon,
    title,
    text: detailsOf(details),
    aside: signedPoints(movement),
    note: interpolate(texts.balance_after, locale, { balance: pointsNumber(movement.balance_after) }),
  }
}

/** Small facts in one line, with dots between them. */
export function detailsOf(facts: readonly Html[]): Html {
  return html`${facts.map((fact) => html`<span class="detail">${fact}</span>`)}`
}

/** The points of a movement with their sign; added points look different from deducted ones. */
export function signedPoints({ points }: Movement): Html {
  return html`<span class="${points > 0 ? 'came' : 'went'}">${pointsNumber(points, { signed: true })}</span>`
}
