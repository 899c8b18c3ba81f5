/** A merchant's own credentials at a payment provider. Settings, `NUQTA_PAYMENT_*`: a merchant may have its own. */

export type PaymentAccount =
  | { readonly provider: 'paytabs'; readonly profile_id: string; readonly server_key: string }
  | { readonly provider: 'moyasar'; readonly secret_key: string; readonly webhook_secret: string }

/** The names of what each provider's account consists of. */
export const accountFields = {
  paytabs: ['profile_id', 'server_key'],
  moyasar: ['secret_key', 'webhook_secret'],
} as const

export type AccountProvider = keyof typeof accountFields

const max_characters = 200

/**
 * Takes the fields of an account by their names and gives the account, or what is wrong with them in one sentence, which
 * holds none of the values.
 */
export function readAccount(
  provider: AccountProvider,
  fields: Readonly<Record<string, unknown>>,
): PaymentAccount | { readonly wrong: string } {
  const names: readonly string[] = accountFields[provider]
  const unknown = Object.keys(fields).filter((name) => !names.includes(name))
  if (unknown.length > 0)
    return { wrong: `${unknown.join(', ')}: an account of ${provider} has ${names.join(' and ')}.` }
  const missing = names.filter((name) => !isFilled(fields[name]))
  if (missing.length > 0) return { wrong: `${missing.join(' and ')} missing, or not a text of printable characters.` }
  return { provider, ...fields } as unknown as PaymentAccount
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= max_characters
}
