/** Text messages to customers: codes and invitations. Decisions §3 and §6. */
import type { Phone } from '../../domain/phone.ts'

export interface Sms {
  readonly phone: Phone
  readonly text: string
}

/**
 * What became of a message. `refused`: the provider does not take it as it is. `credentials`: it does not accept ours, or
 * our sender. `unknown`: no answer that can be read, or one that says to try later; it may have been sent. `detail` names
 * neither the number nor the text.
 */
export type SmsOutcome =
  | { readonly kind: 'sent'; readonly reference: string | null }
  | { readonly kind: 'refused' | 'credentials' | 'unknown'; readonly detail: string }

export interface SmsSender {
  readonly name: 'sandbox' | 'taqnyat' | 'unifonic'
  /** False in a sandbox that sends nothing: its codes are shown on the page (decisions §14). */
  readonly reaches_phones: boolean
  /** Hands a message over, once; never throws for what the provider does, and ends within ten seconds. */
  send(sms: Sms): Promise<SmsOutcome>
}
