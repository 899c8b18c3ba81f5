import type { Email } from '../../domain/email.ts'
import { newSecretText, secret_pattern } from '../../lib/ids.ts'
import { type Browser, isKnown, withProof } from '../../lib/known-browser.ts'
import type { SecretBox } from '../../lib/secrets.ts'

/** The browser's own cookie says who has signed in there: such a browser keeps some tries when strangers have used up theirs. */

/** The value of the cookie, as it came. */
export type KnownBrowser = string | undefined

const shape = new RegExp(`^(${secret_pattern})\\.([0-9a-z.-]{0,400})$`)

export function isKnownTo(secrets: SecretBox, known: KnownBrowser, email: Email, now: Date): boolean {
  return isKnown(secrets, read(known), email, now)
}

/** The value that the cookie has after a sign-in. */
export function remember(secrets: SecretBox, known: KnownBrowser, email: Email, now: Date): string {
  const browser = read(known) ?? { name: newSecretText(), proofs: undefined }
  return `${browser.name}.${withProof(secrets, browser, email, now)}`
}

function read(known: KnownBrowser): Browser | undefined {
  const [, name, proofs] = shape.exec(known ?? '') ?? []
  return name === undefined ? undefined : { name, proofs }
}
