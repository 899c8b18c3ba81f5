import type { Statement } from '../../../db/statement.ts'
import type { Uuid } from '../../../domain/ids.ts'
import type { OrderState, ShippingStatus } from '../../../domain/order.ts'

/** An order of a shop, as far as an interrupted year needs it to go on. */
export interface WrittenOrder {
  readonly order_uuid: Uuid
  readonly merchant_id: number
  readonly order_number: string
  readonly order_status: OrderState
  readonly refunded_halalas: number
  readonly shipping_status: ShippingStatus
}

/** A page of a program's orders, those after an id. */
export function findWrittenOrders(program_id: number, after: Uuid, size: number): Statement<WrittenOrder> {
  return {
    text: `select order_uuid, merchant_id, order_number, order_status, refunded_halalas, shipping_status from orders
      where program_id = $1 and order_uuid > $2 order by order_uuid limit $3`,
    values: [program_id, after, size],
  }
}

export interface WaitingEarning {
  readonly pending_uuid: Uuid
  readonly merchant_id: number
  readonly order_number: string
}

/** A page of a program's earnings that wait for their customers, those after an id. */
export function findWaiting(program_id: number, after: Uuid, size: number): Statement<WaitingEarning> {
  return {
    text: `select pending_uuid, merchant_id, order_number from pending_earning
      where program_id = $1 and pending_uuid > $2 order by pending_uuid limit $3`,
    values: [program_id, after, size],
  }
}

export interface YearSums {
  readonly customers: number
  readonly orders: number
  readonly issued: number
  readonly redeemed: number
}

/** How large a program is: its customers and orders, the points that orders earned, and those that paid for orders. */
export function sumProgram(program_id: number): Statement<YearSums> {
  return {
    text: `select o.*, c.customers from
      (select count(*) as orders, coalesce(sum(earned_points), 0)::bigint as issued,
         coalesce(sum(total_points) filter (where type = 2 and paid_at is not null), 0)::bigint as redeemed
       from orders where program_id = $1) o
      cross join (select count(*) as customers from customer where program_id = $1) c`,
    values: [program_id],
  }
}
