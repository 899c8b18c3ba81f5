import { isOneLine } from './text.ts'

/** Who runs a program or the deployment, and how to reach them. Pages name them in their footer. docs/spec/terms.md#operator */
export interface Operator {
  readonly name: string | null
  /** An e-mail address, a phone number, an https link, or any other words. */
  readonly contact: string | null
}

/** The longest name and the longest contact, in characters. */
export const max_operator_characters = 200

/** Takes a name or a contact as typed; gives it trimmed. Null when it is empty, too long, or not one line. */
export function readOperatorText(text: string): string | null {
  const line = text.trim()
  return line === '' || [...line].length > max_operator_characters || !isOneLine(line) ? null : line
}

/** Gives a program's own operator; the deployment's when the program names none. A name and a contact are never mixed. */
export function operatorOf(program: Operator, deployment: Operator): Operator {
  return program.name === null && program.contact === null ? deployment : program
}

/** Gives the link that reaches a contact: `mailto:`, `tel:` or https. Null for other words. */
export function contactLink(contact: string): string | null {
  if (/^https:\/\/[^\s"<>]+$/i.test(contact)) return URL.canParse(contact) ? contact : null
  if (/^[^\s@<>"?&%]+@[^\s@<>"?&%]+\.[^\s@<>"?&%]+$/.test(contact)) return `mailto:${contact}`
  const digits = contact.replace(/[ ()-]/g, '')
  return /^(?:\+|00)?\d{6,15}$/.test(digits) ? `tel:${digits}` : null
}
