import type { CheckoutStep } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import type { OrderState } from '../../domain/order.ts'
import type { FailureReason, PaymentState } from '../../domain/payment.ts'
import type { Phone } from '../../domain/phone.ts'
import type { MicroSarPerPoint, Points } from '../../domain/points.ts'
import type { PaymentError, PaymentProviderName } from '../../providers/payment/port.ts'
import type { ShownLine } from './queries.ts'

/** A merchant as its checkout shows it; with the rates that a preview of earned points takes. */
export interface CheckoutMerchant extends Merchant {
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
  /** `#rrggbb`. */
  readonly colour: string | null
  readonly logo_digest: string | null
}

/**
 * Why a payment came to nothing: what its provider said; `unavailable`, this deployment cannot call the provider; `expired`
 * and `changed`, it was let go with the checkout or by the customer; `order moved`, the merchant went on without it; `amount`,
 * other money came than was asked for; `reversed`, the provider knew nothing of it afterwards. `cancelled`: the customer left
 * the provider's page; `page_expired`: it was not used in time; `voided`: what had come was taken back there.
 */
export type PaymentProblem =
  | PaymentError['kind']
  | FailureReason
  | 'unavailable'
  | 'expired'
  | 'changed'
  | 'amount'
  | 'order moved'
  | 'reversed'

/** Money that a provider collects for the remainder, as the customer is to know it. */
export interface PaymentView {
  readonly payment_uuid: Uuid
  readonly state: PaymentState
  readonly amount_halalas: Halalas
  /** Where the customer pays; null until the provider has given it. */
  readonly page_url: string | null
  readonly error: PaymentProblem | null
}

/** What the page behind a link shows to one browser. */
export interface CheckoutView {
  readonly step: CheckoutStep
  readonly program_id: number
  readonly session_uuid: Uuid
  readonly order_uuid: Uuid
  readonly merchant: CheckoutMerchant
  /** The program's. */
  readonly locale: Locale
  /** The language that the store asked for; null where it named none. */
  readonly asked_locale: Locale | null
  readonly order_number: string
  readonly reference_number: string
  readonly order_status: OrderState
  readonly total_halalas: Halalas
  /** The first lines of the order. */
  readonly items: readonly ShownLine[] | null
  /** How many lines it has beside them. */
  readonly more_items: number
  /** What the merchant knows of the customer; the phone is to be masked. */
  readonly given_phone: Phone | null
  readonly given_name: string | null
  readonly callback_url: string | null
  /** `callback_url` with the order as it is now in its query; null where the merchant's customers may not be led there. */
  readonly return_to: string | null
  readonly expires_at: Date
  /** Somebody may go on without points and without a code. */
  readonly may_continue: boolean
  /** Somebody has. */
  readonly continued: boolean
  /** As many payments were begun for the order as may be. */
  readonly payments_over: boolean
  /** Until when confirmed points stay held; null before the confirmation and once the hold has ended. */
  readonly held_until: Date | null
  /** Proven in this browser; null in another, whose reader learns nothing of the customer. */
  readonly proven_phone: Phone | null
  /** The active customer of that phone. `available` may be below 0. */
  readonly customer: { readonly customer_id: Uuid; readonly name: string | null; readonly available: Points } | null
  readonly micro_sar_per_point: MicroSarPerPoint
  /** What was confirmed; 0 before. */
  readonly points_used: Points
  readonly redeemed_halalas: Halalas
  readonly remainder_halalas: Halalas
  /** Earned on the money part; 0 until the order is paid. */
  readonly earned_points: Points
  /** The one that pays, or the latest since the confirmation. */
  readonly payment: PaymentView | null
  /** Payments that came too late or were not as asked for: their money goes back, or has gone back (`returned`). */
  readonly going_back: readonly PaymentView[]
}
