import { audit } from '../../db/audit.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { allPrograms } from '../../db/programs.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { type AccountProvider, type MerchantKey, type PaymentAccount, readAccount } from '../../domain/merchant.ts'
import { type SecretBox, SecretError } from '../../lib/secrets.ts'
import {
  type AccountKey,
  deleteAccount,
  findAccount,
  findAccounts,
  findSomeAccounts,
  upsertAccount,
} from './payment-credentials-queries.ts'

/** Gives a merchant's own account at a provider; undefined if it has none. */
export type FindAccount = (owner: MerchantKey, provider: AccountProvider) => Promise<PaymentAccount | undefined>

/** Opens the sealed credentials of merchants. */
export function createFindAccount({ db, secrets }: Sealed): FindAccount {
  return async ({ program_id, merchant_id }, provider) => {
    const key = { program_id, merchant_id, provider }
    const row = await db.one(findAccount(key))
    if (row === undefined) return undefined
    const account = openAccount(secrets, key, row.credentials)
    if ('missing' in account) throw new Error(`the sealed account of ${provider} cannot be read`)
    return account
  }
}

/**
 * Opens accounts of all programs, but no more than `most`.
 * @returns how many it has tried, and those that cannot be read
 */
export async function tryAccounts(
  { db, secrets }: Sealed,
  most: number,
): Promise<{ readonly tried: number; readonly closed: readonly AccountKey[] }> {
  const closed: AccountKey[] = []
  let tried = 0
  for (const { program_id } of await db.run(allPrograms())) {
    if (tried === most) break
    for (const { credentials, ...key } of await db.run(findSomeAccounts(program_id, most - tried))) {
      tried += 1
      if (!canBeRead(secrets, key, credentials)) closed.push(key)
    }
  }
  return { tried, closed }
}

function openAccount(secrets: SecretBox, key: AccountKey, credentials: Buffer): ReturnType<typeof readAccount> {
  return readAccount(key.provider, JSON.parse(secrets.open(credentials, accountBelongsTo(key))))
}

function canBeRead(secrets: SecretBox, key: AccountKey, credentials: Buffer): boolean {
  try {
    return !('missing' in openAccount(secrets, key, credentials))
  } catch (error) {
    if (error instanceof SecretError) return false
    throw error
  }
}

interface Sealed {
  readonly db: Database
  readonly secrets: SecretBox
}

/** The context that the credentials are sealed with: their row. */
export function accountBelongsTo({ program_id, merchant_id, provider }: AccountKey) {
  return ['payment account', program_id, merchant_id, provider]
}

/** Sets or replaces a merchant's own account, from the next request on. */
export async function setAccount(
  { db, secrets, by }: Sealed & { readonly by?: Actor | undefined },
  owner: MerchantKey,
  account: PaymentAccount,
): Promise<void> {
  await db.transaction((tx) => writeAccount(tx, { secrets, by }, owner, account))
}

/** The same, in the caller's transaction. */
export async function writeAccount(
  tx: Transaction,
  { secrets, by }: Pick<Sealed, 'secrets'> & { readonly by?: Actor | undefined },
  { program_id, merchant_id }: MerchantKey,
  { provider, ...fields }: PaymentAccount,
): Promise<void> {
  const key = { program_id, merchant_id, provider }
  const sealed = secrets.seal(JSON.stringify(fields), accountBelongsTo(key))
  const had = (await tx.one(findAccount(key))) !== undefined
  void tx.run(upsertAccount(key, sealed, new Date()))
  audit(tx, by, [accountChange(key, { had, has: true })])
}

/** The credentials themselves are secrets: the log has only whose they are. */
function accountChange(
  { program_id, merchant_id, provider }: AccountKey,
  { had, has }: Record<'had' | 'has', boolean>,
) {
  return {
    program_id,
    action: 'merchant.payment',
    object: `merchant:${merchant_id}`,
    before: { provider, own_credentials: had },
    after: { provider, own_credentials: has },
  } as const
}

/** Deletes a merchant's own account; false if it had none. */
export function removeAccount(
  db: Database,
  owner: MerchantKey,
  provider: AccountProvider,
  by?: Actor,
): Promise<boolean> {
  return db.transaction((tx) => deleteOwnAccount(tx, owner, { provider, by }))
}

/** The same, in the caller's transaction. */
export async function deleteOwnAccount(
  tx: Transaction,
  { program_id, merchant_id }: MerchantKey,
  { provider, by }: { readonly provider: AccountProvider; readonly by?: Actor | undefined },
): Promise<boolean> {
  const key = { program_id, merchant_id, provider }
  const had = (await tx.one(deleteAccount(key))) !== undefined
  if (had) audit(tx, by, [accountChange(key, { had, has: false })])
  return had
}

/** Whether a merchant has an account of its own. Does not open it. */
export async function hasAccount(db: Queryable, owner: MerchantKey, provider: AccountProvider): Promise<boolean> {
  const { program_id, merchant_id } = owner
  return (await db.one(findAccount({ program_id, merchant_id, provider }))) !== undefined
}

/** When a merchant's own accounts were set, by provider. */
export async function listAccounts(db: Queryable, owner: MerchantKey): Promise<Map<AccountProvider, Date>> {
  const rows = await db.run(findAccounts(owner))
  return new Map(rows.map(({ provider, updated_at }) => [provider, updated_at]))
}
