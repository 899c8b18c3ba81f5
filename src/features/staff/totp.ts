import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Uuid } from '../../domain/ids.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'

/** Codes of authenticator apps: six digits, SHA-1, 30 seconds, which is what every app can. RFC 6238 */

const period_s = 30

/** What the sealed secret of a person belongs to. */
export function totpBelongsTo({ staff_uuid }: { readonly staff_uuid: Uuid }): Belonging {
  return ['staff totp', staff_uuid]
}

export interface NewTotp {
  /** For people who type it. */
  readonly secret: string
  /** For a QR code. */
  readonly uri: string
  readonly sealed: Buffer
}

export function newTotp(secrets: SecretBox, { staff_uuid, email }: { staff_uuid: Uuid; email: string }): NewTotp {
  const secret = generateSecret()
  const uri = generateURI({ issuer: 'Nuqta', label: email, secret })
  return { secret, uri, sealed: secrets.seal(secret, totpBelongsTo({ staff_uuid })) }
}

/** The step of time that a code of six digits is of, one before and one behind included; null for a wrong code. */
export function stepOf(
  secrets: SecretBox,
  { staff_uuid, totp_secret }: { readonly staff_uuid: Uuid; readonly totp_secret: Buffer },
  code: string,
  now: Date,
): number | null {
  const secret = secrets.open(totp_secret, totpBelongsTo({ staff_uuid }))
  const epoch = Math.floor(now.getTime() / 1_000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: period_s })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
