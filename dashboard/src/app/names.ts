interface Named {
  readonly name: string
  /** Null for the same name in both languages. */
  readonly name_ar: string | null
}

/** The name of a merchant for readers of a language. */
export function nameIn({ name, name_ar }: Named, locale: string): string {
  return locale === 'ar' ? (name_ar ?? name) : name
}

/** The name of a merchant beside something else, for readers of a language. */
export function merchantNameIn(
  of: { readonly merchant_name: string; readonly merchant_name_ar: string | null },
  locale: string,
): string {
  return nameIn({ name: of.merchant_name, name_ar: of.merchant_name_ar }, locale)
}

/** The merchant of a role. */
export function merchantOf(of: {
  readonly merchant_id: number
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
}): Named & { readonly merchant_id: number } {
  return { merchant_id: of.merchant_id, name: of.merchant_name, name_ar: of.merchant_name_ar }
}
