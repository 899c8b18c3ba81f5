/** How a customer's money is collected and given back. docs/spec/payments.md#providers */
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Halalas } from '../../domain/money.ts'
import type { ProviderRecord } from '../../domain/payment.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'

export const paymentProviders = ['sandbox', 'paytabs', 'moyasar', 'merchant'] as const

export type PaymentProviderName = (typeof paymentProviders)[number]

export const paymentErrors = ['unknown', 'declined', 'refused', 'not_found', 'credentials', 'unsupported'] as const

/**
 * Why a request to a provider failed. `unknown`: no readable answer; the provider may have done it, so `query` before
 * another try. `declined`: the customer's bank said no. `refused`: the provider does not allow it in the payment's
 * state, or for this amount. `not_found`: the provider knows no such payment. `credentials`: it does not accept ours.
 * `unsupported`: it has no such operation. `detail` never holds a secret.
 */
export interface PaymentError {
  readonly kind: (typeof paymentErrors)[number]
  readonly detail: string
}

export interface PaymentRequest {
  readonly program_id: number
  /** Our id. A retry after a lost answer uses it again. */
  readonly payment_uuid: Uuid
  readonly amount_halalas: Halalas
  readonly description: string
  /** `auth` reserves the money until `capture` or `void`. */
  readonly kind: 'sale' | 'auth'
  /** The language of the payment page, if the provider has it. */
  readonly locale: Locale
  /** Where the customer's browser returns. */
  readonly return_url: string
  /** Where the provider sends reports. */
  readonly callback_url: string
}

/** A payment page for the customer. */
export interface PaymentPage {
  readonly kind: 'page'
  readonly provider_reference: string
  readonly url: string
}

/** The merchant collects the money, not a provider. docs/spec/payments.md#providers */
export interface CollectedByMerchant {
  readonly kind: 'collected_by_merchant'
}

/** The provider's record of a payment. */
export interface PaymentRecord extends ProviderRecord {
  readonly kind: 'payment'
  readonly provider_reference: string
  /** What it was paid with: a wallet, or else the scheme of the card. Undefined when the provider names none that we know. */
  readonly paid_with?: PaymentMethod | undefined
}

/** The provider did it; `reference` is its id for the operation, if it has one. */
export interface PaymentDone {
  readonly kind: 'done'
  readonly reference: string | null
}

/** Names a payment: by the provider's reference, or by our uuid until that is known. */
export interface PaymentRef {
  readonly program_id: number
  readonly payment_uuid: Uuid
  readonly provider_reference: string | null
}

export interface CaptureRequest extends PaymentRef {
  readonly amount_halalas: Halalas
}

export interface RefundRequest extends PaymentRef {
  /** Our id. A provider that takes such a key does not refund twice. */
  readonly refund_uuid: Uuid
  readonly amount_halalas: Halalas
  readonly reason: string | null
}

/** A request to a payment's callback or return URL, as it was sent. */
export interface PaymentReport {
  readonly payment_uuid: Uuid
  readonly body: Buffer
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: Readonly<Record<string, string>>
}

/** The provider accepts our credentials, or there is nobody to ask. */
export type PaymentAccountChecked = { readonly kind: 'accepted' } | { readonly kind: 'nobody_to_ask' } | PaymentError

/** The account at a provider whose credentials are used. */
export interface ProviderAccount {
  /** Identifies the account, and is no secret. */
  readonly id: string
  /** The merchant's own, not the deployment's. */
  readonly own: boolean
}

/** Methods never throw for a failure of the provider, and end within a bounded time. */
export interface PaymentProvider {
  readonly name: PaymentProviderName
  /** Undefined where the provider has no accounts. */
  readonly account?: ProviderAccount | undefined
  /** Origins of its payment pages, for the `form-action` of our pages; empty when they are our own. */
  readonly page_origins: readonly string[]
  create(request: PaymentRequest): Promise<PaymentPage | CollectedByMerchant | PaymentError>
  capture(request: CaptureRequest): Promise<PaymentDone | PaymentError>
  /** Cancels a payment that has not been captured, or a payment page that nobody used, if the provider can. */
  void(request: PaymentRef): Promise<PaymentDone | PaymentError>
  refund(request: RefundRequest): Promise<PaymentDone | PaymentError>
  query(request: PaymentRef): Promise<PaymentRecord | PaymentError>
  /** Asks the provider for a payment that cannot exist: it answers so only to credentials that it accepts. */
  checkAccount(): Promise<PaymentAccountChecked>
  /** Whether the provider sent the report, by its signature or a shared secret. Only `query` says what happened. */
  isGenuine(report: PaymentReport): boolean
}

/** The merchant whose customer pays. */
export interface PaymentOwner {
  readonly program_id: number
  readonly merchant_id: number
}

/** The providers that can be called. A merchant's own credentials come before the deployment's. */
export interface PaymentProviders {
  /** Undefined without credentials, or in an environment that does not have the provider. */
  of(owner: PaymentOwner, name: PaymentProviderName): Promise<PaymentProvider | undefined>
}
