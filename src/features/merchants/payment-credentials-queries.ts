import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { AccountProvider, MerchantKey } from '../../domain/merchant.ts'

const findAccountText = prepared<{ credentials: Buffer }>(
  'payments.account',
  'select credentials from merchant_payment_account where program_id = $1 and merchant_id = $2 and provider = $3',
)

export interface AccountKey extends MerchantKey {
  readonly provider: AccountProvider
}

/** A merchant's own credentials, sealed. */
export function findAccount({ program_id, merchant_id, provider }: AccountKey): Statement<{ credentials: Buffer }> {
  return findAccountText(program_id, merchant_id, provider)
}

/** Which accounts a merchant has, one for each provider at most. */
export function findAccounts({ program_id, merchant_id }: MerchantKey): CompiledQuery<{
  provider: AccountProvider
  updated_at: Date
}> {
  return builder
    .selectFrom('merchant_payment_account')
    .select(['provider', 'updated_at'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .$castTo<{ provider: AccountProvider; updated_at: Date }>()
    .compile()
}

/** Accounts of a program with their sealed credentials. */
export function findSomeAccounts(
  program_id: number,
  limit: number,
): CompiledQuery<AccountKey & { credentials: Buffer }> {
  return builder
    .selectFrom('merchant_payment_account')
    .select(['program_id', 'merchant_id', 'provider', 'credentials'])
    .where('program_id', '=', program_id)
    .orderBy('merchant_id')
    .orderBy('provider')
    .limit(limit)
    .$castTo<AccountKey & { credentials: Buffer }>()
    .compile()
}

/** Sets or replaces a merchant's own credentials. */
export function upsertAccount(key: AccountKey, credentials: Buffer, now: Date): CompiledQuery<unknown> {
  const { program_id, merchant_id, provider } = key
  return builder
    .insertInto('merchant_payment_account')
    .values({ program_id, merchant_id, provider, credentials, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'merchant_id', 'provider']).doUpdateSet({ credentials, updated_at: now }),
    )
    .compile()
}

/** Deletes a merchant's own credentials; gives nothing if there were none. */
export function deleteAccount({ program_id, merchant_id, provider }: AccountKey): CompiledQuery<{ provider: string }> {
  return builder
    .deleteFrom('merchant_payment_account')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('provider', '=', provider)
    .returning('provider')
    .compile()
}
