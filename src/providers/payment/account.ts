import { createHash } from 'node:crypto'

/** What identifies an account: at PayTabs its profile, at Moyasar its key, because nothing else of it is known. */
export type NamedAccount = { readonly url?: string | undefined } & (
  | { readonly provider: 'paytabs'; readonly profile_id: string }
  | { readonly provider: 'moyasar'; readonly secret_key: string }
)

/** Takes an account; gives its id. A new key of Moyasar counts as another account. */
export function accountId(account: NamedAccount): string {
  const identity = account.provider === 'paytabs' ? account.profile_id : account.secret_key
  const named = JSON.stringify(['payment account', account.provider, account.url ?? null, identity])
  return createHash('sha256').update(named).digest('hex').slice(0, 32)
}
