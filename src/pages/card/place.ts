import { DomainError } from '../../domain/failures.ts'
import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { NO_POINTS, type Points } from '../../domain/points.ts'
import { decideRedemption } from '../../domain/redemption.ts'
import type { CardMerchant, FindCardMerchant } from '../../features/merchants/widget.ts'
import { type CardServices, card_age_s } from '../../features/wallet/card.ts'
import type { Cookie, PageRequest } from '../../http/pages/page.ts'

/** What the framed card and its window share. docs/decisions/0039-card.md */

export interface CardPlaceServices extends CardServices {
  readonly findCardMerchant: FindCardMerchant
}

/** It reads a balance at one merchant, and opens neither wallet nor checkout. */
const cookie_name = '__Host-nuqta-card'

export function cardToken({ cookies }: PageRequest): string | undefined {
  return cookies[cookie_name]
}

/** The cookie of an open session. */
export function openCookie(token: string): Cookie {
  return { name: cookie_name, value: token, max_age_s: card_age_s, same_site: 'partitioned' }
}

/** The cookie of a session whose code is still to come: the browser drops it when it closes. */
export function askedCookie(token: string): Cookie {
  return { name: cookie_name, value: token, same_site: 'partitioned' }
}

export const noCookie: Cookie = { name: cookie_name, value: '', max_age_s: 0, same_site: 'partitioned' }

/** The merchant of the path. Throws the 404 of a page for a key that is unknown or off, or where points cannot be used. */
export async function readPlace(
  { params, query, headers }: PageRequest,
  { findCardMerchant }: CardPlaceServices,
): Promise<CardMerchant> {
  const asking = { origin: query['origin'], own: `https://${headers['host']}` }
  const found = await findCardMerchant(params['publicKey'] ?? '', asking)
  if (found === null) throw new DomainError({ kind: 'path_not_found' })
  return found
}

/** The total of the shop's basket, from the query; null without one. */
export function readBasket({ query }: PageRequest): Halalas | null {
  const text = query['amount'] ?? ''
  return /^[1-9]\d{0,11}$/.test(text) ? asHalalas(Number(text)) : null
}

/** How much the points could take off a basket; 0 when none can be used. */
export function savingOn(basket: Halalas | null, available: Points, { value }: CardMerchant): Halalas {
  if (basket === null || available <= NO_POINTS) return NO_MONEY
  const facts = { available_points: available, total_halalas: basket, value }
  const decided = decideRedemption(facts, 'all')
  return decided.kind === 'redemption' ? decided.value_halalas : NO_MONEY
}
