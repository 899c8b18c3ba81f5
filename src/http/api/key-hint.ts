import type { Bilingual, Locale } from './locale.ts'

/** Never says why a key is not valid: whether it is unknown, revoked, switched off, public or of the other environment. */
const keyHints: Readonly<Record<'missing' | 'refused', Bilingual>> = {
  missing: {
    en: 'The x-api-key header is missing. Send the private key of the merchant in it.',
    ar: 'الترويسة x-api-key غير موجودة. أرسل فيها المفتاح الخاص بالتاجر.',
  },
  refused: {
    en: 'A key arrived, but it is not valid here. Check that it is whole, active and the one for this endpoint.',
    ar: 'وصل مفتاح لكنه غير صالح هنا. تأكد من أنه كامل ومفعّل وأنه المفتاح المطلوب لهذا المسار.',
  },
}

/** What may be wrong with a key, whose error says the same whatever it is. */
export function keyHint({ presented }: { readonly presented?: boolean }, locale: Locale): object {
  return presented === undefined ? {} : { hint: keyHints[presented ? 'refused' : 'missing'][locale] }
}
