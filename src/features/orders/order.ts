import type { OrderSource } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Wallet } from '../../domain/ledger.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState, ShippingStatus } from '../../domain/order.ts'
import type { MicroSarPerPoint, Points } from '../../domain/points.ts'

/** What names an order. Every key leads with the program. */
export interface OrderKey {
  readonly program_id: number
  readonly order_uuid: Uuid
}

/** A product as it was sent. `product_price` is in SAR. */
export interface ProductLine {
  readonly product_name: string
  readonly product_price: number
  readonly quantity: number
}

/** An order as it is stored. */
export interface Order {
  readonly id: number
  readonly order_uuid: Uuid
  readonly merchant_id: number
  readonly type: 1 | 2
  readonly source: OrderSource
  readonly reference_number: string
  readonly order_number: string
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
  readonly items: readonly ProductLine[] | null
  readonly shipping_status: ShippingStatus
  readonly label_ar: string | null
  readonly label_en: string | null
  /** A settlement contains it. */
  readonly settled: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

/** A locked wallet that an order's points move in. */
export interface WalletOfOrder extends Wallet {
  readonly account_id: Uuid
  /** The points of pending earnings. */
  readonly waiting: Points
  /** An operator has blocked it, or its customer is erased: its points are not used for anything new. */
  readonly blocked: boolean
  /** Its customer is erased: nobody could use what is earned in it. */
  readonly erased: boolean
}

/** An order whose row is locked, with its locked wallet and its hold. */
export interface LockedOrder extends Order {
  readonly program_id: number
  readonly customer_id: Uuid | null
  readonly earned_points: Points
  readonly redeemed_halalas: Halalas
  readonly refunded_halalas: Halalas
  readonly returned_points: Points
  readonly reversed_points: Points
  readonly authorized_at: Date | null
  readonly paid_at: Date | null
  /** The value of a point when the customer chose points; null before, and for other orders. */
  readonly micro_sar_per_point: MicroSarPerPoint | null
  /** The customer's wallet. Null while the order has no customer. */
  readonly wallet: WalletOfOrder | null
  /** The open hold, or null. */
  readonly hold: { readonly hold_id: Uuid; readonly points: Points } | null
  /** The end of its merchant's closed periods, or the time at which it counts itself: none of its entries count before. */
  readonly closing_to: Date | null
  /** The order counts in a closed period. */
  readonly closed: boolean
  /** The last delivery of its events that has not ended, or null. The ids of new events are greater. */
  readonly last_queued: Uuid | null
}
