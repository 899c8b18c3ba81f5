/** Text messages to customers. docs/spec/customers.md#codes docs/spec/customers.md#invitations */
import type { Phone } from '../../domain/phone.ts'

export interface Sms {
  readonly phone: Phone
  readonly text: string
}

/**
 * How sending a message ended. `refused`: it was not sent, and another try may work. `credentials`: it was not sent,
 * because the provider does not accept our account or sender. `unknown`: it may have been sent, but no readable answer
 * says so. `detail` holds neither the number nor the text.
 */
export type SmsOutcome = { readonly kind: 'sent'; readonly reference: string | null } | SmsProblem

export interface SmsProblem {
  readonly kind: 'refused' | 'credentials' | 'unknown'
  readonly detail: string
}

export interface SmsSender {
  readonly name: 'sandbox' | 'taqnyat' | 'unifonic'
  /** False in a sandbox that sends nothing: its pages show the codes. docs/spec/customers.md#sandbox-codes */
  readonly reaches_phones: boolean
  /** Hands over a message once. Never throws for a failure of the provider. Ends within ten seconds. */
  send(sms: Sms): Promise<SmsOutcome>
}
