import type { Database } from '../../db/pool.ts'
import { addDays, type Day, startOfDay } from '../../domain/day.ts'
import { parseReferenceNumber, parseUuid, type Uuid, uuidV7Time } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { type OrderState, storedStates } from '../../domain/order.ts'
import { parsePhone } from '../../domain/phone.ts'
import {
  type DashboardOrder,
  findAmong,
  findMerchantPage,
  findNumbers,
  findOfPhone,
  findReference,
  type Kind,
  type Leg,
  most_of_phone,
  type Place,
} from './dashboard-list-queries.ts'

/** Which orders of a merchant to list. Undefined fields do not filter. */
export interface ListFilter extends Kind {
  /** An order number, a reference number, a phone or a uuid, as people type them. */
  readonly q?: string | undefined
  /** Days in Riyadh, `YYYY-MM-DD`, the last one included. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** A page of orders, the newest first. */
export interface OrderPage {
  /** One more than asked for where there are more. */
  readonly orders: readonly DashboardOrder[]
  /** A phone has so many orders that only those since then were looked through; else null. */
  readonly searched_until: Date | null
}

const last_place: Place = { created_at: new Date('9999-12-31T00:00:00Z'), order_uuid: '' }
const first_instant = new Date(0)

/** Lists a merchant's orders. Every filter reads a bounded number of rows. docs/spec/dashboard-orders.md#list */
export async function listMerchantOrders(
  db: Database,
  merchant: MerchantKey,
  { q, type, status, from, to }: ListFilter,
  page: { readonly before: Place | undefined; readonly limit: number },
): Promise<OrderPage> {
  const end: Place = to === undefined ? last_place : { created_at: startOfDay(addDays(to, 1)), order_uuid: '' }
  const stretch = {
    from: from === undefined ? first_instant : startOfDay(from),
    before: page.before === undefined || isBefore(end, page.before) ? end : page.before,
    limit: page.limit + 1,
  }
  if (q === undefined) {
    const orders = await db.run(findMerchantPage(merchant, legsOf({ type, status }), stretch))
    return { orders, searched_until: null }
  }
  const { order_uuids, searched_until } = await findCandidates(db, merchant, q)
  if (order_uuids.length === 0) return { orders: [], searched_until }
  return { orders: await db.run(findAmong(merchant, order_uuids, { type, status }, stretch)), searched_until }
}

function isBefore(a: Place, b: Place): boolean {
  const later = a.created_at.getTime() - b.created_at.getTime()
  return later === 0 ? a.order_uuid < b.order_uuid : later < 0
}

/** The types and states that a filter allows. */
function legsOf({ type, status }: Kind): Leg[] {
  const states: readonly (readonly [1 | 2, readonly OrderState[]])[] = [
    [1, storedStates.earning],
    [2, storedStates.replacing],
  ]
  return states
    .filter(([of]) => type === undefined || of === type)
    .flatMap(([of, all]) =>
      all.filter((one) => status === undefined || one === status).map((order_status) => ({ type: of, order_status })),
    )
}

/** Everything that a text may mean is looked up: digits may be an order number and a phone. */
async function findCandidates(
  db: Database,
  merchant: MerchantKey,
  text: string,
): Promise<{ readonly order_uuids: readonly Uuid[]; readonly searched_until: Date | null }> {
  const { program_id } = merchant
  const typed = text.trim()
  const number = typed.replace(/^#\s*/, '')
  const [uuid, reference, phone] = [parseUuid(number), parseReferenceNumber(number), parsePhone(typed)]
  const [ofReference, ofNumber, ofPhone] = await Promise.all([
    reference === null ? [] : db.run(findReference(program_id, reference)),
    number === '' ? [] : db.run(findNumbers(merchant, [number, `#${number}`])),
    phone === null ? [] : db.run(findOfPhone(program_id, phone)),
  ])
  const found = [...ofReference, ...ofNumber, ...ofPhone].map(({ order_uuid }) => order_uuid)
  const oldest = ofPhone.length < most_of_phone ? undefined : ofPhone.at(-1)
  return {
    order_uuids: [...new Set(uuid === null ? found : [uuid, ...found])],
    searched_until: oldest === undefined ? null : new Date(uuidV7Time(oldest.order_uuid)),
  }
}
