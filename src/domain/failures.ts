/** Every failure of the API, as one closed union. `http/api/errors.ts` gives each its status and texts. */

import type { LogoRefusal } from './logo.ts'
import type { Proof } from './sign-in.ts'

/** One invalid field of a request body. `field` is a dotted path (`products.0.quantity`). */
export interface FieldError {
  readonly field: string
  readonly rule: FieldRule
  /** The bound of a `min_*`, `max_*` or `between` rule. */
  readonly limit?: number | string
}

export type FieldRule =
  | 'required'
  | 'string'
  | 'numeric'
  | 'integer'
  | 'boolean'
  | 'array'
  | 'object'
  | 'min_numeric'
  | 'max_numeric'
  | 'min_array'
  | 'max_array'
  | 'min_string'
  | 'max_string'
  | 'email'
  | 'password_common'
  | 'password_personal'
  | 'max_bytes'
  | 'max_depth'
  | 'max_values'
  | 'characters'
  | 'in'
  | 'phone'
  | 'url'
  | 'url_credentials'
  | 'url_user'
  | 'address_reserved'
  | 'address_loopback'
  | 'limit_reached'
  | 'required_without'
  | 'taken'
  | 'return_host'
  | 'line_break'
  | 'one_line'
  | 'version_name'
  | 'day'
  | 'day_over'
  | 'days_in_order'
  | 'max_days'
  | 'past_day'
  | 'most_waiting'
  | 'signature'
  | 'signature_expired'
  | 'hours_ahead'
  | 'wallet_full'
  | 'wallet_owes'
  | 'pending_full'
  | 'idempotency_mismatch'
  | 'sent_once'
  | 'points_rate'
  | 'point_value'
  | 'terms_text'
  | 'percent'
  | 'kept_out'
  | 'day_past'
  | 'days_ahead'
  | 'rates_waiting'
  | 'host'
  | 'colour'
  | 'printable'
  | 'instant'
  | 'list_place'
  | 'uuid'
  | 'range_order'
  | 'sandbox_only'
  | 'sale_only'
  | 'no_credentials'
  | 'phone_unknown'
  | 'phone_same'
  | 'phone_not_joined'
  | 'phone_other'
  | `logo_${LogoRefusal}`

/** A merchant's capabilities, each switched on or off. docs/spec/terms.md#merchant */
export type Flow = 'earning' | 'product_rating' | 'store_rating' | 'checkout'

export type Failure =
  | { readonly kind: 'https_required' }
  /** `presented`: whether the request carried anything as a key. */
  | { readonly kind: 'invalid_api_key'; readonly presented?: boolean }
  | { readonly kind: 'merchant_not_verified' }
  | { readonly kind: 'merchant_not_published' }
  | { readonly kind: 'flow_disabled'; readonly flow: Flow }
  | { readonly kind: 'order_not_found' }
  | { readonly kind: 'webhook_not_found' }
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'program_not_found' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'merchant_suspended' }
  | { readonly kind: 'customer_busy' }
  | { readonly kind: 'customer_blocked' }
  | { readonly kind: 'not_signed_in' }
  | { readonly kind: 'not_permitted' }
  | { readonly kind: 'cross_site' }
  /** `current`: the row as it is now. */
  | { readonly kind: 'stale'; readonly current: object }
  /** Whoever proposed a change cannot confirm it. */
  | { readonly kind: 'proposal_own' }
  | { readonly kind: 'proposal_ended' }
  | { readonly kind: 'proposal_stale' }
  | { readonly kind: 'proposals_full' }
  | { readonly kind: 'verification_running' }
  | { readonly kind: 'settlement_running' }
  | { readonly kind: 'delivery_not_ended' }
  | { readonly kind: 'delivery_gone' }
  | { readonly kind: 'sign_in_refused' }
  | { readonly kind: 'sign_in_busy' }
  | { readonly kind: 'too_many_sign_ins'; readonly retry_after_s: number }
  | { readonly kind: 'too_many_tests'; readonly retry_after_s: number }
  | { readonly kind: 'second_factor_refused' }
  | { readonly kind: 'second_factor_expired' }
  | { readonly kind: 'confirm_password'; readonly confirm_by?: readonly Proof[] }
  | { readonly kind: 'passkey_refused' }
  | { readonly kind: 'totp_on' }
  | { readonly kind: 'link_invalid' }
  | { readonly kind: 'link_for_other' }
  | { readonly kind: 'already_member' }
  | { readonly kind: 'last_owner' }
  | { readonly kind: 'mail_not_sent' }
  | { readonly kind: 'path_not_found' }
  | { readonly kind: 'method_not_allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'malformed_request' }
  | { readonly kind: 'malformed_json' }
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'too_many_bodies' }
  | { readonly kind: 'bodies_exhausted' }
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'request_timeout' }
  | { readonly kind: 'unsupported_media_type' }
  | { readonly kind: 'form_refused'; readonly cookies: boolean }
  | { readonly kind: 'validation'; readonly errors: readonly FieldError[]; readonly order_uuid?: string }
  | { readonly kind: 'earning_in_progress' }
  | { readonly kind: 'order_number_repeated'; readonly retry_after_s: number; readonly order_uuid?: string }
  | { readonly kind: 'request_in_flight' }
  | { readonly kind: 'too_many_checkouts'; readonly retry_after_s: number }
  | { readonly kind: 'order_already_paid' }
  | { readonly kind: 'not_a_replacing_order' }
  | { readonly kind: 'cannot_complete' }
  | { readonly kind: 'cannot_authorize' }
  | { readonly kind: 'cannot_capture' }
  | { readonly kind: 'cannot_cancel' }
  | { readonly kind: 'cannot_refund' }
  | { readonly kind: 'refund_window_over' }
  | { readonly kind: 'order_settled' }
  /** The order is not paid, or its period is closed. */
  | { readonly kind: 'cannot_leave_out' }
  | { readonly kind: 'left_out_full' }
  | { readonly kind: 'not_left_out' }
  | { readonly kind: 'refund_exceeds_left' }
  | { readonly kind: 'refund_exceeds_wallet' }
  | { readonly kind: 'refund_amount_zero' }
  | { readonly kind: 'insufficient_points' }
  | { readonly kind: 'database_unavailable' }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'unexpected' }

export type FailureKind = Failure['kind']

/** Thrown by services and routes to end a request with a failure. The transaction is rolled back. */
export class DomainError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options)
    this.name = 'DomainError'
    this.failure = failure
  }
}

/** Ends a request whose fields are refused, each for its reason. Throws a DomainError `validation`. */
export function refuseFields(...errors: readonly FieldError[]): never {
  throw new DomainError({ kind: 'validation', errors })
}
