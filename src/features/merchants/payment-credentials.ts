import type { Database } from '../../db/pool.ts'
import { type AccountProvider, type PaymentAccount, readAccount } from '../../domain/merchant.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { type AccountKey, deleteAccount, findAccount, upsertAccount } from './payment-credentials-queries.ts'

/** A merchant's own account at a provider; undefined where it has none. */
export type FindAccount = (
  owner: { readonly program_id: number; readonly merchant_id: number },
  provider: AccountProvider,
) => Promise<PaymentAccount | undefined>

/** Opens merchants' own credentials, which are sealed for their row alone. */
export function createFindAccount({ db, secrets }: Sealed): FindAccount {
  return async ({ program_id, merchant_id }, provider) => {
    const key = { program_id, merchant_id, provider }
    const row = await db.one(findAccount(key))
    if (row === undefined) return undefined
    const account = readAccount(provider, JSON.parse(secrets.open(row.credentials, accountBelongsTo(key))))
    if ('wrong' in account) throw new Error(`the sealed account of ${provider} cannot be read`)
    return account
  }
}

interface Sealed {
  readonly db: Database
  readonly secrets: SecretBox
}

type Owner = Omit<AccountKey, 'provider'>

export function accountBelongsTo({ program_id, merchant_id, provider }: AccountKey) {
  return ['payment account', program_id, merchant_id, provider]
}

/** Keeps a merchant's own account, in the place of the one it had; requests from now on use it. */
export async function setAccount({ db, secrets }: Sealed, owner: Owner, account: PaymentAccount): Promise<void> {
  const { provider, ...fields } = account
  const { program_id, merchant_id } = owner
  const key = { program_id, merchant_id, provider }
  await db.run(upsertAccount(key, secrets.seal(JSON.stringify(fields), accountBelongsTo(key)), new Date()))
}

/** Forgets a merchant's own account; false when it had none. */
export async function removeAccount(db: Database, owner: Owner, provider: AccountProvider): Promise<boolean> {
  const { program_id, merchant_id } = owner
  return (await db.one(deleteAccount({ program_id, merchant_id, provider }))) !== undefined
}

/** Whether a merchant has an account of its own, which need not be opened for that. */
export async function hasAccount(db: Database, owner: Owner, provider: AccountProvider): Promise<boolean> {
  const { program_id, merchant_id } = owner
  return (await db.one(findAccount({ program_id, merchant_id, provider }))) !== undefined
}
