import { contactLink, type Operator } from '../../domain/operator.ts'
import { type Html, html } from './html.ts'

/** The name of an operator and how to reach them, on one line. Null when nobody is named. */
export function operatorLine({ name, contact }: Operator): Html | null {
  if (name === null && contact === null) return null
  const parts = [name === null ? null : html`<bdi>${name}</bdi>`, contact === null ? null : contactOf(contact)]
  const shown = parts.filter((part) => part !== null)
  // Brackets stay with what they hold where the line breaks.
  return shown.length === 2
    ? html`${shown[0] ?? null} <span class="contact">(${shown[1] ?? null})</span>`
    : html`${shown}`
}

function contactOf(contact: string): Html {
  const link = contactLink(contact)
  const words = html`<bdi>${contact}</bdi>`
  return link === null ? words : html`<a href="${link}">${words}</a>`
}
