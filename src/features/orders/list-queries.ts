import type { Statement } from '../../db/statement.ts'
import { last_uuid, type Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { PaymentState } from '../../domain/payment.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import type { Order } from './order.ts'
import type { PaymentProblem } from './payment-queries.ts'
import { settled } from './queries.ts'

/** Which orders to list. An undefined field does not filter. */
export interface OrderFilter {
  readonly program_id: number
  readonly merchant_id?: number | undefined
  readonly phone?: string | undefined
  readonly status?: OrderState | undefined
  readonly order_uuid?: Uuid | undefined
  readonly order_number?: string | undefined
}

/** An order as an operator sees it. */
export interface ListedOrder extends Order {
  readonly program_id: number
  readonly phone: string | null
  readonly payment_method: string | null
}

/** States that few earning orders reach. `orders_status_idx` indexes these, and every state of replacing orders. */
const rare: readonly OrderState[] = [
  'new',
  'authorized',
  'captured',
  'cancelled',
  'fully_refunded',
  'partially_refunded',
]

/** Chooses the narrowest index for a filter, with the order of that index. */
function accessPathOf({ merchant_id, phone, status, order_number, order_uuid }: OrderFilter): AccessPath {
  if (order_uuid !== undefined) return { where: 'o.order_uuid = $6', order: 'o.order_uuid' }
  if (order_number !== undefined) return { from: numbered, where: 'true', order: 'o.order_uuid' }
  // Bounds instead of an equality, so that the planner finds no other index with this order.
  if (phone !== undefined)
    return {
      where: `o.customer_id is not null and o.customer_id between (${customer}) and (${customer})`,
      order: 'o.customer_id desc, (o.order_uuid::text) collate "C"',
    }
  if (merchant_id !== undefined)
    return { where: 'o.merchant_id between $3 and $3', order: 'o.merchant_id desc, (o.order_uuid::text) collate "C"' }
  if (status !== undefined && rare.includes(status))
    return {
      where: "o.order_status between $5 and $5 and (o.type = 2 or o.order_status <> 'approved')",
      order: 'o.order_status desc, (o.order_uuid::text) collate "C"',
    }
  return { where: 'true', order: 'o.order_uuid' }
}

interface AccessPath {
  readonly from?: string
  readonly where: string
  readonly order: string
}

const customer = 'select c.customer_id from customer c where c.program_id = $1 and c.phone = $4'

/** The index of earning orders' numbers begins with the merchant: look up each merchant of the program. */
const numbered = `(
    select n.order_uuid from orders n where n.program_id = $1 and n.type = 2 and n.order_number = $7
      and (n.program_id, n.order_number) >= ($1, $7)
    union all
    select n.order_uuid from merchant m
    cross join (values ('purchase'), ('product_rating'), ('store_rating')) as s(source)
    cross join lateral (
      select n.order_uuid from orders n
      where n.program_id = $1 and n.type = 1 and n.merchant_id = m.merchant_id and n.source = s.source and n.order_number = $7
        and (n.program_id, n.merchant_id, n.source, n.order_number) >= ($1, m.merchant_id, s.source, $7)
      limit 1
    ) n
    where m.program_id = $1 and ($3::bigint is null or m.merchant_id = $3)
  ) n
  cross join lateral (
    select o.* from orders o
    where o.program_id = $1 and o.order_uuid = n.order_uuid and (o.program_id, o.order_uuid) >= ($1, n.order_uuid)
    limit 1
  ) o`

/** A page of orders, the newest first, older than `before`. Needs a pool whose plans are `by_order`. */
export function findPage(
  filter: OrderFilter,
  page: { readonly before: Uuid | undefined; readonly size: number },
): Statement<ListedOrder> {
  const { program_id, merchant_id, phone, status, order_uuid, order_number } = filter
  const { from = 'orders o', where, order } = accessPathOf(filter)
  return {
    text: `select o.*, ${settled} as settled, c.phone from (
        select o.* from ${from}
        where o.program_id = $1 and ${where} and o.order_uuid < coalesce($2::uuid, '${last_uuid}')
          and (o.order_uuid::text) collate "C" < coalesce($2::uuid::text, '${last_uuid}')
          and ($3::bigint is null or o.merchant_id = $3)
          and ($4::text is null or o.customer_id = (${customer}))
          and ($5::text is null or o.order_status = $5)
          and ($6::uuid is null or o.order_uuid = $6)
          and ($7::text is null or o.order_number = $7)
        order by ${order} desc limit $8
      ) o
      left join customer c on c.program_id = $1 and c.customer_id = o.customer_id
      order by o.order_uuid desc`,
    values: [program_id, page.before, merchant_id, phone, status, order_uuid, order_number, page.size],
  }
}

/** The order of a reference number. */
export function findByReference(program_id: number, reference_number: string): Statement<{ order_uuid: Uuid }> {
  return {
    text: 'select order_uuid from orders where program_id = $1 and reference_number = $2',
    values: [program_id, reference_number],
  }
}

/** A transfer that an order caused. `points` is always above 0. */
export interface LedgerLine {
  readonly order_uuid: Uuid
  readonly transfer_id: Uuid
  readonly kind: string
  readonly points: number
  readonly reason: string | null
  readonly created_at: Date
}

/**
 * The transfers of orders, in the order in which they were posted. Each is one index lookup by its reference: as a join it
 * was planned as a walk through all transfers.
 */
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
      cross join lateral (
        select t.* from transfer t where t.program_id = $1 and t.reference = cause.reference
          and (t.program_id, t.reference) >= ($1, cause.reference) limit 1
      ) t
      cross join lateral (
        select e.amount from entry e where e.program_id = $1 and e.transfer_id = t.transfer_id and e.line = 1
          and (e.program_id, e.transfer_id, e.line) >= ($1, t.transfer_id, 1) limit 1
      ) e
      order by t.transfer_id`,
    values: [program_id, order_uuids],
  }
}

/** A payment of an order, with the tasks for its provider, the oldest first. */
export interface PaymentOfOrder {
  readonly payment_uuid: Uuid
  readonly provider: PaymentProviderName
  readonly provider_reference: string | null
  readonly kind: 'sale' | 'auth'
  readonly state: PaymentState
  readonly amount_halalas: Halalas
  readonly error: PaymentProblem | null
  /** What the provider says it was paid with; null where it says nothing that we know. */
  readonly paid_with: PaymentMethod | null
  readonly tasks: readonly {
    readonly kind: string
    readonly state: string
    readonly amount_halalas: Halalas
    readonly attempts: number
    readonly error: string | null
  }[]
}

/** The payments of an order, the oldest first. */
export function findPaymentsOf(program_id: number, order_uuid: Uuid): Statement<PaymentOfOrder> {
  return {
    text: `select p.payment_uuid, p.provider, p.provider_reference, p.kind, p.state, p.amount_halalas, p.error, p.paid_with,
        coalesce(json_agg(json_build_object('kind', t.kind, 'state', t.state, 'amount_halalas', t.amount_halalas,
          'attempts', t.attempts, 'error', t.error) order by t.task_uuid) filter (where t.task_uuid is not null), '[]') as tasks
      from order_payment p
      left join payment_task t on t.program_id = $1 and t.payment_uuid = p.payment_uuid
      where p.program_id = $1 and p.order_uuid = $2
      group by p.program_id, p.payment_uuid order by p.payment_uuid`,
    values: [program_id, order_uuid],
  }
}
