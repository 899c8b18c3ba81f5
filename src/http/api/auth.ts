import { DomainError, type Flow } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type { KeyKind, Merchant } from '../../domain/merchant.ts'

/**
 * Takes the kind of key that an endpoint asks for and the value that was sent, whatever it is. Gives the key's
 * merchant, or null: missing, malformed, unknown, revoked, switched off, or of the other kind or environment.
 * docs/spec/api.md#authentication
 */
export type Authenticate = (kind: KeyKind, presented: unknown) => Promise<Merchant | null>

/** They say only whether a key arrived, never why it is not valid. docs/spec/api.md#key-hint */
const keyHints: Readonly<Record<'missing' | 'refused', LocalText>> = {
  missing: {
    en: 'The x-api-key header is missing. Send the private key of the merchant in it.',
    ar: 'الترويسة x-api-key غير موجودة. أرسل فيها المفتاح الخاص بالتاجر.',
  },
  refused: {
    en: 'A key arrived, but it is not valid here. Check that it is whole, active and the one for this endpoint.',
    ar: 'وصل مفتاح لكنه غير صالح هنا. تأكد من أنه كامل ومفعّل وأنه المفتاح المطلوب لهذا المسار.',
  },
}

/** `appended_data` of the error for an invalid key. */
export function keyHint({ presented }: { readonly presented?: boolean }, locale: Locale): object {
  return presented === undefined ? {} : { hint: keyHints[presented ? 'refused' : 'missing'][locale] }
}

/** Refuses a merchant whose standing or flow the row does not admit. docs/spec/api.md#standing */
export function checkStanding(
  row: { readonly standing: 'published' | undefined; readonly flow: Flow | undefined },
  merchant: Merchant,
): void {
  if (row.standing === 'published') {
    if (!merchant.verified) throw new DomainError({ kind: 'merchant_not_verified' })
    if (!merchant.published) throw new DomainError({ kind: 'merchant_not_published' })
  }
  if (row.flow !== undefined && !merchant.flows[row.flow])
    throw new DomainError({ kind: 'flow_disabled', flow: row.flow })
}
