/** Text messages to customers: codes and invitations. Decisions §3 and §6. */
import type { Phone } from '../../domain/phone.ts'

export interface Sms {
  readonly phone: Phone
  readonly text: string
}

/**
 * What became of a message. `refused`: it was certainly not sent, and may be later. `credentials`: nor was it, because our
 * account or our sender is not accepted. `unknown`: it may have been sent, and no answer that can be read says so.
 * `detail` names neither the number nor the text.
 */
export type SmsOutcome = { readonly kind: 'sent'; readonly reference: string | null } | SmsProblem

export interface SmsProblem {
  readonly kind: 'refused' | 'credentials' | 'unknown'
  readonly detail: string
}

export interface SmsSender {
  readonly name: 'sandbox' | 'taqnyat' | 'unifonic'
  /** False in a sandbox that sends nothing: its codes are shown on the page (decisions §14). */
  readonly reaches_phones: boolean
  /** Hands a message over, once; never throws for what the provider does, and ends within ten seconds. */
  send(sms: Sms): Promise<SmsOutcome>
}
