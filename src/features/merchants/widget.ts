import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import { type ModeColours, modeColours, pageSurfaces, parseColour } from '../../domain/colour.ts'
import { dayOf } from '../../domain/day.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type MicroSarPerPoint, toPointsPerSar } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { framingOrigin } from '../../domain/widget.ts'
import type { Clock } from '../../lib/clock.ts'
import { type CheckoutMerchantRow, findCheckoutMerchant, findFirstPublicKey } from './key-queries.ts'

/** What a merchant's public key reveals to scripts of its shop. */
export interface WidgetView {
  /** Whether purchases earn. */
  readonly earns: boolean
  readonly points_per_sar?: number
  /** Whether points can be used: there is a checkout and a card. */
  readonly checkout?: true
  /** Whether the asking page may frame the card, or links to its window. */
  readonly card?: 'frame' | 'window'
  /** The merchant's own, readable on light and on dark pages. */
  readonly colours?: Readonly<Record<'light' | 'dark', ModeColours>>
}

/** `own`: the origin at which the request reached us. `origin`: that of the asking page. */
export interface Asking {
  readonly origin: string | undefined
  readonly own: string
}

/** Gives what the widget shows for a key; null if the key is unknown or switched off. */
export type ReadWidget = (public_key: string, asking: Asking) => Promise<WidgetView | null>

/** A merchant whose points can be used, as its card and the window of the card show it. */
export interface CardMerchant {
  readonly merchant: Merchant
  readonly look: CheckoutMerchantRow
  /** What a point is worth now. */
  readonly value: MicroSarPerPoint
  /** The origin that asked, if it may frame the card. */
  readonly framed_by: string | null
}

/** Gives the merchant of a key; null if the key is unknown or switched off, or points cannot be used there. */
export type FindCardMerchant = (public_key: string, asking: Asking) => Promise<CardMerchant | null>

export interface WidgetParts {
  readonly db: Database
  readonly clock: Clock
  readonly environment: Environment
  readonly findMerchant: (kind: 'public', key: string) => Promise<Merchant | null>
}

/** Reads for the widget, from the database at each request: a changed host, key or flow counts at once. */
export function createWidget({ db, clock, environment, findMerchant }: WidgetParts) {
  const production = environment === 'production'
  const lookOf = async (merchant: Merchant, { origin, own }: Asking): Promise<CardMerchant | null> => {
    const { program_id, merchant_id } = merchant
    const look = await db.one(findCheckoutMerchant(program_id, merchant_id, dayOf(clock.now())))
    if (look === undefined) return null
    const { return_hosts } = look
    return {
      merchant,
      look,
      value: rateAt(merchant.program.rates, clock.now()),
      framed_by: framingOrigin(origin, { production, return_hosts, own: production ? null : own }),
    }
  }
  const readWidget: ReadWidget = async (public_key, asking) => {
    const merchant = await findMerchant('public', public_key)
    if (merchant === null) return null
    if (!merchant.verified || !merchant.published) return { earns: false }
    const card = await lookOf(merchant, asking)
    return { ...earning(merchant), ...(card === null ? {} : { ...using(card), ...coloursOf(card) }) }
  }
  const findCardMerchant: FindCardMerchant = async (public_key, asking) => {
    const merchant = await findMerchant('public', public_key)
    const open = merchant?.verified === true && merchant.published && merchant.flows.checkout
    return open ? lookOf(merchant, asking) : null
  }
  return { readWidget, findCardMerchant }
}

/** A purchase earns if `POST /v1/orders/earning` would award it. docs/spec/api.md#standing */
function earning({ flows, points_per_sar_e4 }: Merchant): WidgetView {
  return flows.earning ? { earns: true, points_per_sar: toPointsPerSar(points_per_sar_e4) } : { earns: false }
}

function using({ merchant, framed_by }: CardMerchant): Pick<WidgetView, 'checkout' | 'card'> {
  return merchant.flows.checkout ? { checkout: true, card: framed_by === null ? 'window' : 'frame' } : {}
}

function coloursOf({ look }: CardMerchant): Pick<WidgetView, 'colours'> {
  const colour = look.colour === null ? null : parseColour(look.colour)
  if (colour === null) return {}
  const of = (mode: 'light' | 'dark') => modeColours(colour, pageSurfaces[mode])
  return { colours: { light: of('light'), dark: of('dark') } }
}

/** The demo merchant's public key, to try the widget with. Null while there is no merchant. */
export type ReadTrialKey = () => Promise<string | null>

export function createReadTrialKey(db: Database): ReadTrialKey {
  return async () => (await db.one(findFirstPublicKey()))?.public_key ?? null
}
