/** How money that a customer pays for an order is collected and given back. Decisions §6, §8 and §12. */
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'

/** Who can be asked to collect money. */
export const paymentProviders = ['sandbox', 'paytabs', 'moyasar', 'merchant'] as const

export type PaymentProviderName = (typeof paymentProviders)[number]

/**
 * Why a provider did not do what it was asked. `unknown`: no answer, or one that cannot be read; it may have been done,
 * so `query` comes before another try. `declined`: the customer's bank says no. `refused`: the provider does not allow
 * it in the payment's state, or for this amount. `not_found`: it knows no such payment. `credentials`: it does not
 * accept ours. `unsupported`: it has no such operation. None of these texts holds a secret.
 */
export interface PaymentError {
  readonly kind: 'unknown' | 'declined' | 'refused' | 'not_found' | 'credentials' | 'unsupported'
  readonly detail: string
}

export interface PaymentRequest {
  /** Ours: the provider is asked with it again after an answer that was lost. */
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
  readonly description: string
  /** `auth` reserves the money until `capture` or `void`. */
  readonly kind: 'sale' | 'auth'
  /** Where the customer's browser comes back to. */
  readonly return_url: string
  /** Where the provider reports. */
  readonly callback_url: string
}

/** A payment page to which the customer is sent. */
export interface PaymentPage {
  readonly kind: 'page'
  readonly provider_reference: string
  readonly url: string
}

/** Nothing is collected by a provider: the merchant does it (decisions §6). */
export interface CollectedByMerchant {
  readonly kind: 'collected by merchant'
}

/** A payment as its provider knows it. */
export interface PaymentRecord {
  readonly kind: 'payment'
  readonly provider_reference: string
  readonly state: 'pending' | 'authorized' | 'paid' | 'voided' | 'failed'
  readonly amount_halalas: Halalas
  /** What has been paid back of it, in all. */
  readonly refunded_halalas: Halalas
  /** The refunds it knows by our names for them; undefined where a provider does not tell. */
  readonly refund_uuids: readonly Uuid[] | undefined
}

/** It has been done; `reference` is the provider's name for it, where it has one. */
export interface PaymentDone {
  readonly kind: 'done'
  readonly reference: string | null
}

/** A payment at its provider, or, while the provider's reference is not known, by ours. */
export interface PaymentAsked {
  readonly payment_uuid: Uuid
  readonly provider_reference: string | null
}

export interface CaptureRequest extends PaymentAsked {
  readonly amount_halalas: Halalas
}

export interface RefundRequest extends PaymentAsked {
  /** Ours: a provider that takes such a key does not pay back twice. */
  readonly refund_uuid: Uuid
  readonly amount_halalas: Halalas
  readonly reason: string | null
}

/** Every method gives a value, never throws for what a provider does, and ends within a bounded time. */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  create(request: PaymentRequest): Promise<PaymentPage | CollectedByMerchant | PaymentError>
  capture(request: CaptureRequest): Promise<PaymentDone | PaymentError>
  void(request: PaymentAsked): Promise<PaymentDone | PaymentError>
  refund(request: RefundRequest): Promise<PaymentDone | PaymentError>
  query(request: PaymentAsked): Promise<PaymentRecord | PaymentError>
}

/** The providers that this deployment can call, by name. */
export type PaymentProviders = Readonly<Partial<Record<PaymentProviderName, PaymentProvider>>>
