/** How money that a customer pays for an order is collected and given back. Decisions §6, §8 and §12. */
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Locale } from '../../domain/text.ts'

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
  readonly program_id: number
  /** Ours: the provider is asked with it again after an answer that was lost. */
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
  readonly description: string
  /** `auth` reserves the money until `capture` or `void`. */
  readonly kind: 'sale' | 'auth'
  /** The language of the payment page, where the provider has it. */
  readonly locale: Locale
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
  /** Only of one that has failed, where the provider says why: the bank or the customer said no, or nobody used the page. */
  readonly failure?: 'declined' | 'cancelled' | 'page_expired'
}

/** It has been done; `reference` is the provider's name for it, where it has one. */
export interface PaymentDone {
  readonly kind: 'done'
  readonly reference: string | null
}

/** A payment at its provider, or, while the provider's reference is not known, by ours. */
export interface PaymentAsked {
  readonly program_id: number
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

/** What came to a payment's callback or return, as it came. */
export interface PaymentReport {
  readonly payment_uuid: Uuid
  readonly body: Buffer
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Of the address that was called. */
  readonly query: Readonly<Record<string, string>>
}

/** Every method gives a value, never throws for what a provider does, and ends within a bounded time. */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** Origins to which its pages lead a form of ours, for `form-action`; none where they are our own. */
  readonly page_origins: readonly string[]
  create(request: PaymentRequest): Promise<PaymentPage | CollectedByMerchant | PaymentError>
  capture(request: CaptureRequest): Promise<PaymentDone | PaymentError>
  /** Ends what has not been captured; a payment page that nobody has used yet too, where the provider can. */
  void(request: PaymentAsked): Promise<PaymentDone | PaymentError>
  refund(request: RefundRequest): Promise<PaymentDone | PaymentError>
  query(request: PaymentAsked): Promise<PaymentRecord | PaymentError>
  /** Whether the provider has sent this, by its signature or a shared secret. What it says is asked of `query` all the same. */
  isGenuine(report: PaymentReport): boolean
}

/** For whom a provider is called. */
export interface PaymentOwner {
  readonly program_id: number
  readonly merchant_id: number
}

/** The providers that can be called: with a merchant's own credentials before the deployment's. */
export interface PaymentProviders {
  /** Undefined where there are no credentials, or the environment does not have it. */
  of(owner: PaymentOwner, name: PaymentProviderName): Promise<PaymentProvider | undefined>
}
