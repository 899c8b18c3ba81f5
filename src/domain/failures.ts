/** Everything that can be refused, as one closed union. `http/errors.ts` gives each its status and its texts. */

/** One failing field of a request body. `field` is dotted (`products.0.quantity`). */
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
  | 'max_string'
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
  | 'signature'
  | 'signature_expired'
  | 'hours_ahead'
  | 'wallet_full'
  | 'idempotency_mismatch'

/** Switches that turn a capability of a merchant on or off (decisions §1). */
export type Flow = 'earning' | 'product_rating' | 'store_rating' | 'checkout'

export type Failure =
  | { readonly kind: 'https_required' }
  /** `presented`: whether there was something in the place of a key. */
  | { readonly kind: 'invalid_api_key'; readonly presented?: boolean }
  | { readonly kind: 'merchant_not_verified' }
  | { readonly kind: 'merchant_not_published' }
  | { readonly kind: 'flow_disabled'; readonly flow: Flow }
  | { readonly kind: 'order_not_found' }
  | { readonly kind: 'webhook_not_found' }
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
  | { readonly kind: 'refund_exceeds_left' }
  | { readonly kind: 'refund_amount_zero' }
  | { readonly kind: 'insufficient_points' }
  | { readonly kind: 'database_unavailable' }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'unexpected' }

export type FailureKind = Failure['kind']

/** Thrown by stories and routes to end a request with a failure; nothing has been written when it is. */
export class DomainError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options)
    this.name = 'Refused'
    this.failure = failure
  }
}
