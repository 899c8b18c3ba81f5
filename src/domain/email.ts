/** E-mail addresses of people who sign in. docs/staff.md */

/** An e-mail address in lower case: two that differ only in case are one. */
export type Email = string & { readonly __unit: 'e-mail address' }

const max_characters = 254
/** One `@`, a host with a dot or `localhost`, printable ASCII alone: what every mail server takes. */
const shape = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** Takes an address as typed; gives it trimmed and in lower case, or null when it is none. */
export function readEmail(text: string): Email | null {
  const email = text.trim().toLowerCase()
  return email.length <= max_characters && shape.test(email) && !email.includes('..') ? (email as Email) : null
}
