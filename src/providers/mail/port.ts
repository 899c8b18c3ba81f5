/** E-mails to the people of the dashboard. docs/staff.md */

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** How sending ended. `reason` names neither an address nor what was written. */
export type MailOutcome = { readonly kind: 'sent' } | { readonly kind: 'refused'; readonly reason: string }

export interface MailSender {
  readonly name: 'sandbox' | 'smtp'
  /** Hands over a mail once. Never throws for a failure of the server. Ends within fifteen seconds. */
  send(mail: Mail): Promise<MailOutcome>
}
