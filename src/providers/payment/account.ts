import { createHash } from 'node:crypto'

/** The account at a provider whose credentials are used. */
export interface ProviderAccount {
  /** The same for the same account, another for another one, and no secret. */
  readonly id: string
  /** The merchant's own, not the deployment's. */
  readonly own: boolean
}

/** What tells an account from others: PayTabs has profiles; of a Moyasar account only its key is known. */
export type NamedAccount = { readonly url?: string | undefined } & (
  | { readonly provider: 'paytabs'; readonly profile_id: string }
  | { readonly provider: 'moyasar'; readonly secret_key: string }
)

/** Takes an account; gives its id. A new key of Moyasar counts as another account. */
export function accountId(account: NamedAccount): string {
  const told = account.provider === 'paytabs' ? account.profile_id : account.secret_key
  const named = JSON.stringify(['payment account', account.provider, account.url ?? null, told])
  return createHash('sha256').update(named).digest('hex').slice(0, 32)
}

/**
 * Takes the id of the account that had a payment's record, null where that is not known, and the account that is used now;
 * true unless they are the same. A provider without accounts has no other.
 */
export function isOtherAccount(recorded: string | null, used: ProviderAccount | undefined): boolean {
  return used !== undefined && used.id !== recorded
}
