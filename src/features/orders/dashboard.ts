import Type, { type Static } from 'typebox'
import type { Database } from '../../db/pool.ts'
import { dayOf, parseDay } from '../../domain/day.ts'
import { refuseFields } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { type Halalas, parseSar } from '../../domain/money.ts'
import { orderStates } from '../../domain/order.ts'
import { mayDo } from '../../domain/staff.ts'
import { instant, isDay, nullable, oneOf, optional, refine, text } from '../../http/api/fields.ts'
import { Download } from '../../http/dashboard/answers.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { csvFile, readPages } from '../../lib/csv.ts'
import { orderCells, orderColumnsOf } from './dashboard-csv.ts'
import { type OrderDetail, previewRefund, type RefundPreview, readOrderDetail } from './dashboard-detail.ts'
import { orderDetailSchema, refundPreviewSchema } from './dashboard-detail-schema.ts'
import { type ListFilter, listMerchantOrders, type OrderPage } from './dashboard-list.ts'
import type { DashboardOrder, Place } from './dashboard-list-queries.ts'
import { listedOrderSchema, viewDetail, viewListed, viewPreview } from './dashboard-view.ts'
import { refund_failures } from './refund.ts'

/** What the dashboard's pages about orders read. */
export interface OrderPages {
  readonly list: (
    merchant: MerchantKey,
    filter: ListFilter,
    page: { before: Place | undefined; limit: number },
  ) => Promise<OrderPage>
  readonly read: (merchant: MerchantRequest['merchant'], order_uuid: OrderUuid) => Promise<OrderDetail>
  readonly preview: (
    merchant: MerchantRequest['merchant'],
    order_uuid: OrderUuid,
    amount: Halalas | null,
  ) => Promise<RefundPreview>
}

type OrderUuid = DashboardOrder['order_uuid']

export interface OrderPageServices {
  readonly orderPages: OrderPages
  readonly clock: Clock
}

export function createOrderPages(db: Database, clock: Clock): OrderPages {
  return {
    list: (merchant, filter, page) => listMerchantOrders(db, merchant, filter, page),
    read: (merchant, order_uuid) => readOrderDetail(db, clock, merchant, order_uuid),
    preview: (merchant, order_uuid, amount) => previewRefund(db, clock, { merchant, order_uuid, amount }),
  }
}

const day = (description: string) => optional(refine(Type.String({ description }), 'day', isDay))

const filters = {
  q: optional(text({ max: 255, description: 'An order number, a reference number, a phone or a uuid.' })),
  status: optional(oneOf(orderStates)),
  type: optional(oneOf(['1', '2'], { description: '1 = earning, 2 = replacing.' })),
  from: day('The first day, in Asia/Riyadh.'),
  to: day('The last day, in Asia/Riyadh.'),
}
const exportQuery = Type.Object(filters)
const orderListQuery = Type.Object({ ...filters, ...listQuery })

function filterOf({ q, status, type, from, to }: Static<typeof exportQuery>): ListFilter {
  const dayIn = (text: string | undefined) => (text === undefined ? undefined : (parseDay(text) ?? undefined))
  return { q, status, type: type === undefined ? undefined : type === '1' ? 1 : 2, from: dayIn(from), to: dayIn(to) }
}

/** docs/spec/dashboard-orders.md#list */
export const listOrdersOfMerchant = {
  tag: 'Orders',
  summary: 'List the orders of a merchant, the newest first',
  query: orderListQuery,
  data: Type.Array(listedOrderSchema),
  pagination: {
    ...listPagination,
    searched_until: nullable(instant(), {
      description: 'A phone has so many orders that those before this instant were not looked through; else null.',
    }),
  },
  async handle(
    { merchant, query, standing }: MerchantRequest<undefined, never, Static<typeof orderListQuery>>,
    { orderPages }: OrderPageServices,
  ) {
    const limit = limitOf(query)
    const found = await orderPages.list(merchant, filterOf(query), { before: readPlace(query.after), limit })
    return pageOf(found.orders, {
      limit,
      view: (order) => viewListed(order, standing),
      cursor: placeText,
      beside: { searched_until: found.searched_until?.toISOString() ?? null },
    })
  },
} as const

/** The most orders of one file. */
const most_exported = 100_000

/** docs/spec/dashboard-orders.md#csv */
export const exportOrders = {
  tag: 'Orders',
  summary: `Save the orders of a merchant as CSV, the newest ${most_exported} at most`,
  query: exportQuery,
  data: Type.String(),
  async handle(
    { merchant, query, standing, locale }: MerchantRequest<undefined, never, Static<typeof exportQuery>>,
    { orderPages, clock }: OrderPageServices,
  ) {
    const filter = filterOf(query)
    const shows_phone = mayDo(standing, 'handle_orders')
    const pages = readPages<DashboardOrder>(most_exported, async (last, limit) => {
      const found = await orderPages.list(merchant, filter, { before: last, limit })
      return found.orders.slice(0, limit)
    })
    const records = async function* () {
      for await (const page of pages) yield page.map((order) => orderCells(order, locale, shows_phone))
    }
    return new Download({
      filename: `orders-${merchant.merchant_id}-${dayOf(clock.now())}-newest-${most_exported}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: csvFile(orderColumnsOf(locale), records()),
    })
  },
} as const

/** docs/spec/dashboard-orders.md#detail */
export const readOrderOfMerchant = {
  tag: 'Orders',
  summary: 'Read an order with everything that belongs to it',
  data: orderDetailSchema,
  failures: ['order_not_found'],
  async handle(
    { merchant, params, locale, standing }: MerchantRequest<undefined, 'orderUuid'>,
    { orderPages, clock }: OrderPageServices,
  ) {
    return viewDetail(await orderPages.read(merchant, params.orderUuid), { locale, standing, now: clock.now() })
  },
} as const

const previewQuery = Type.Object({
  amount: optional(
    Type.String({ maxLength: 32, description: 'SAR. Without it, all that is left.', examples: ['49.90'] }),
  ),
})

/** docs/spec/dashboard-orders.md#preview */
export const previewRefundOfOrder = {
  tag: 'Orders',
  summary: 'See what a refund would do, without making it',
  query: previewQuery,
  data: refundPreviewSchema,
  failures: refund_failures,
  async handle(
    { merchant, params, query }: MerchantRequest<undefined, 'orderUuid', Static<typeof previewQuery>>,
    { orderPages }: OrderPageServices,
  ) {
    const amount = query.amount === undefined ? null : readAmount(query.amount)
    return viewPreview(await orderPages.preview(merchant, params.orderUuid, amount))
  },
} as const

function readAmount(typed: string): Halalas {
  const amount = /^\d{1,12}(\.\d{1,10})?$/.test(typed) ? parseSar(Number(typed)) : null
  return amount ?? refuseFields({ field: 'amount', rule: 'numeric' })
}

/** The cursor of the order after which a page goes on. */
function placeText({ created_at, order_uuid }: DashboardOrder): string {
  return `${created_at.getTime()}_${order_uuid}`
}

function readPlace(after: string | undefined): Place | undefined {
  if (after === undefined) return undefined
  const [, time, uuid] = /^(\d{1,15})_(.*)$/.exec(after) ?? []
  const order_uuid = parseUuid(uuid ?? '')
  if (order_uuid === null) return refuseFields({ field: 'after', rule: 'list_place' })
  return { created_at: new Date(Number(time)), order_uuid }
}
