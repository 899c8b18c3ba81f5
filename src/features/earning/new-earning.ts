import type { Static } from 'typebox'
import { type Earning, type EarningSource, pointsFor } from '../../domain/earning.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import { parsePhone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { type OrderView, viewOrder } from '../orders/view.ts'
import type { Earned } from './outcome.ts'
import { type pendingSchema, viewPending } from './pending.ts'
import type { Earn } from './service.ts'

export interface EarningServices {
  readonly earn: Earn
  readonly clock: Clock
}

/** What every earning of a request begins with: its points at the rates of now, and the identifiers of what it writes. */
export function newEarning(
  merchant: Merchant,
  source: EarningSource,
  phone_number: string,
  total_halalas: Halalas,
): Pick<
  Earning,
  'merchant' | 'source' | 'phone' | 'total_halalas' | 'points' | 'audit' | 'transfer_id' | 'event_id' | 'customer_id'
> {
  const phone = parsePhone(phone_number)
  if (phone === null) throw new TypeError('a checked phone number is not one')
  const ids = { transfer_id: newUuid(), event_id: newUuid(), customer_id: newUuid() }
  const points = pointsFor(merchant, source, total_halalas)
  return { merchant, source, phone, total_halalas, points, audit: null, ...ids }
}

/** The order that was made, or the pending payload. */
export function viewEarned(earned: Earned, locale: Locale, clock: Clock): OrderView | Static<typeof pendingSchema> {
  if (earned.kind === 'pending') return viewPending(earned.id, earned.earning)
  return viewOrder(earned.order, locale, clock.now())
}
