import type { Uuid } from '../domain/ids.ts'
import type { Phone } from '../domain/phone.ts'
import type { Statement } from './statement.ts'

/** What operators do to a wallet beside its points. The caller has locked it. */

export interface WalletKey {
  readonly program_id: number
  readonly account_id: Uuid
}

/** Blocks a wallet. */
export function writeBlock(
  { program_id, account_id }: WalletKey,
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Date },
): Statement<never> {
  return {
    text: `update account set blocked_at = $3, blocked_by = $4, blocked_reason = $5
      where program_id = $1 and account_id = $2 and kind = 'customer'`,
    values: [program_id, account_id, now, by, reason],
  }
}

/** Lifts the block of a wallet. */
export function clearBlock({ program_id, account_id }: WalletKey): Statement<never> {
  return {
    text: `update account set blocked_at = null, blocked_by = null, blocked_reason = null
      where program_id = $1 and account_id = $2 and kind = 'customer'`,
    values: [program_id, account_id],
  }
}

/**
 * Closes a wallet: from now on its points, and those of all that were merged into it, are those of another. Its number is kept
 * for the erasure of the person.
 */
export function closeWallet(
  { program_id, account_id }: WalletKey,
  { into, given_up, now }: { readonly into: Uuid; readonly given_up: Phone; readonly now: Date },
): Statement<never>[] {
  return [
    {
      text: `update account set merged_into = $3, given_up_phone = $4, merged_at = $5
        where program_id = $1 and account_id = $2 and kind = 'customer'`,
      values: [program_id, account_id, into, given_up, now],
    },
    {
      text: `update account set merged_into = $3 where program_id = $1 and merged_into = $2
        and (program_id, merged_into) >= ($1, $2)`,
      values: [program_id, account_id, into],
    },
  ]
}

/** Closes the wallet of a customer who is erased or given up: nothing finds it by its customer any more. */
export function closeErased({ program_id, account_id }: WalletKey, now: Date): Statement<never> {
  return {
    text: `update account set erased_at = $3 where program_id = $1 and account_id = $2 and kind = 'customer'`,
    values: [program_id, account_id, now],
  }
}

/** The wallets that were merged into one. */
export function findMergedInto({ program_id, account_id }: WalletKey): Statement<{
  readonly account_id: Uuid
  readonly merged_at: Date
  /** Null of merges by older versions. */
  readonly given_up_phone: Phone | null
}> {
  return {
    text: `select account_id, merged_at, given_up_phone from account where program_id = $1 and merged_into = $2
      and (program_id, merged_into) >= ($1, $2) order by program_id, merged_into`,
    values: [program_id, account_id],
  }
}
