import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { Order } from '../orders/order.ts'

/** Which orders are looked for; what is undefined is not asked for. */
export interface OrderFilter {
  readonly program_id: number
  readonly merchant_id?: number | undefined
  readonly phone?: string | undefined
  readonly status?: OrderState | undefined
  readonly order_uuid?: Uuid | undefined
}

/** An order as an operator sees it. */
export interface BookedOrder extends Order {
  readonly program_id: number
  readonly phone: string | null
  readonly payment_method: string | null
}

/** A page of orders, the newest first, older than `before`. */
export function findPage(
  filter: OrderFilter,
  page: { readonly before: Uuid | undefined; readonly size: number },
): CompiledQuery<BookedOrder> {
  const { program_id, merchant_id, phone, status, order_uuid } = filter
  let query = builder
    .selectFrom('orders as o')
    .leftJoin('customer as c', (join) =>
      join.onRef('c.program_id', '=', 'o.program_id').onRef('c.customer_id', '=', 'o.customer_id'),
    )
    .selectAll('o')
    .select('c.phone')
    .where('o.program_id', '=', program_id)
  if (merchant_id !== undefined) query = query.where('o.merchant_id', '=', merchant_id)
  if (phone !== undefined) query = query.where('c.phone', '=', phone)
  if (status !== undefined) query = query.where('o.order_status', '=', status)
  if (order_uuid !== undefined) query = query.where('o.order_uuid', '=', order_uuid)
  if (page.before !== undefined) query = query.where('o.order_uuid', '<', page.before)
  return query.orderBy('o.order_uuid', 'desc').limit(page.size).$castTo<BookedOrder>().compile()
}

/** A transfer that an order caused: points that it moved, always above 0. */
export interface LedgerLine {
  readonly order_uuid: Uuid
  readonly transfer_id: Uuid
  readonly kind: string
  readonly points: number
  readonly reason: string | null
  readonly created_at: Date
}

/** The transfers of orders, found by their references, in the order in which they were posted. */
export function findLedgerOf(program_id: number, order_uuids: readonly Uuid[]): Statement<LedgerLine> {
  return {
    text: `with cause as (
        select 'earn:' || k.order_uuid as reference from unnest($2::uuid[]) as k(order_uuid)
        union all
        select p.prefix || h.hold_id from hold h cross join (values ('hold:'), ('hold-end:')) as p(prefix)
        where h.program_id = $1 and h.order_uuid = any($2::uuid[])
        union all
        select p.prefix || r.refund_uuid from order_refund r cross join (values ('reverse:'), ('return:')) as p(prefix)
        where r.program_id = $1 and r.order_uuid = any($2::uuid[])
      )
      select t.order_uuid, t.transfer_id, t.kind, e.amount as points, t.reason, t.created_at
      from cause
      join transfer t on t.program_id = $1 and t.reference = cause.reference
      join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.line = 1
      order by t.transfer_id`,
    values: [program_id, order_uuids],
  }
}

/** A payment of an order, with what its provider was told of it. */
export interface PaymentOfOrder {
  readonly payment_uuid: Uuid
  readonly provider: string
  readonly provider_reference: string | null
  readonly kind: 'sale' | 'auth'
  readonly state: string
  readonly amount_halalas: Halalas
  readonly error: string | null
  readonly told: readonly {
    readonly kind: string
    readonly state: string
    readonly amount_halalas: number
    readonly attempts: number
    readonly error: string | null
  }[]
}

/** The payments of an order, the oldest first. */
export function findPaymentsOf(program_id: number, order_uuid: Uuid): Statement<PaymentOfOrder> {
  return {
    text: `select p.payment_uuid, p.provider, p.provider_reference, p.kind, p.state, p.amount_halalas, p.error,
        coalesce(json_agg(json_build_object('kind', t.kind, 'state', t.state, 'amount_halalas', t.amount_halalas,
          'attempts', t.attempts, 'error', t.error) order by t.task_uuid) filter (where t.task_uuid is not null), '[]') as told
      from order_payment p
      left join payment_task t on t.program_id = $1 and t.payment_uuid = p.payment_uuid
      where p.program_id = $1 and p.order_uuid = $2
      group by p.program_id, p.payment_uuid order by p.payment_uuid`,
    values: [program_id, order_uuid],
  }
}
