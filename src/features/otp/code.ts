import { timingSafeEqual } from 'node:crypto'
import type { Uuid } from '../../domain/ids.ts'
import { code_life_ms } from '../../domain/otp.ts'
import type { Phone } from '../../domain/phone.ts'
import { after } from '../../domain/spans.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import type { NewCode, OtpSubject } from './queries.ts'

/** A new code. */
export interface DrawnCode {
  readonly digits: string
  readonly otp_uuid: Uuid
}

/**
 * The row of a code. It contains the code itself, sealed, only if the page shows it.
 * docs/spec/customers.md#sandbox-codes
 */
export function newCode(
  { secrets, shown }: { readonly secrets: SecretBox; readonly shown: boolean },
  { phone, ...subject }: OtpSubject & { readonly phone: Phone },
  code: DrawnCode,
  at: Date,
): NewCode {
  const { program_id, purpose, subject_uuid } = subject
  const { otp_uuid, digits } = code
  const shown_code = shown ? secrets.seal(digits, codeBelongsTo(subject, otp_uuid)) : null
  const times = { created_at: at, expires_at: after(at, code_life_ms) }
  return {
    ...{ program_id, purpose, subject_uuid, otp_uuid, phone, shown_code },
    code_hash: hashOf(secrets, subject, code),
    ...times,
  }
}

/** The context that a code is sealed with. */
export function codeBelongsTo({ program_id, purpose, subject_uuid }: OtpSubject, otp_uuid: Uuid) {
  return ['otp', program_id, purpose, subject_uuid, otp_uuid]
}

/** An HMAC under the secret key: a plain hash of six digits could be guessed at once. */
function hashOf(secrets: SecretBox, subject: OtpSubject, { digits, otp_uuid }: DrawnCode): Buffer {
  return secrets.derive([...codeBelongsTo(subject, otp_uuid), digits])
}

/** Compares in constant time, under both keys while the secret key is being changed. */
export function isCode(
  secrets: SecretBox,
  subject: OtpSubject,
  { code_hash, otp_uuid }: { readonly code_hash: Buffer; readonly otp_uuid: Uuid },
  digits: string,
): boolean {
  return secrets
    .derivations([...codeBelongsTo(subject, otp_uuid), digits])
    .some((hash) => timingSafeEqual(code_hash, hash))
}
