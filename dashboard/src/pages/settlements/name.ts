/** The merchant's name for readers of a language. */
export function nameIn(
  { merchant_name, merchant_name_ar }: { readonly merchant_name: string; readonly merchant_name_ar: string | null },
  locale: string,
): string {
  return locale === 'ar' ? (merchant_name_ar ?? merchant_name) : merchant_name
}
