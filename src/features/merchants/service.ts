import type { Environment } from '../../config/config.ts'
import { accountSettings, type PaymentSettings } from '../../config/providers.ts'
import { audit } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/failure.ts'
import { insertMerchantAccounts } from '../../db/ledger.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import { CliError } from '../../lib/errors.ts'
import { hashSecret, newSecretText, newUuid } from '../../lib/ids.ts'
import { hasAccount } from './payment-credentials.ts'
import {
  deleteKey,
  findMerchants,
  findMerchantsCalled,
  findNewestMerchants,
  insertEarningLocks,
  insertKeys,
  insertMerchants,
  lockMerchant,
  type MerchantChanges,
  type MerchantId,
  type MerchantRow,
  updateKeyStatus,
  updateMerchant,
} from './queries.ts'

const max_name = 255

export interface NewMerchant {
  readonly program_id: number
  readonly environment: Environment
  readonly now: Date
  readonly name: string
  /** Several merchants get numbers: `Shop 1`, `Shop 2`. */
  readonly count?: number
  readonly verified?: boolean
  readonly published?: boolean
}

export interface MadeMerchant extends KeyPair {
  readonly merchant_id: number
  readonly program_id: number
  readonly name: string
}

/** Creates merchants with their accounts, lock rows and keys, in the caller's transaction. */
export async function addMerchants(tx: Transaction, fresh: NewMerchant): Promise<MadeMerchant[]> {
  const { program_id, environment, now, verified = false, published = false } = fresh
  const merchants = numberedNames(fresh).map((name) => ({ name, account_id: newUuid() }))
  // The sandbox provider takes no money. In production the merchant collects it by default.
  const payment_provider = environment === 'sandbox' ? 'sandbox' : 'merchant'
  const made = await tx.run(insertMerchants({ program_id, now, verified, published, payment_provider, merchants }))
  const ids = new Map<Uuid, number>(made.map(({ account_id, merchant_id }) => [account_id, merchant_id]))
  const owners = merchants.map(({ name, account_id }) => {
    const merchant_id = ids.get(account_id)
    if (merchant_id === undefined) throw new Error('a merchant was not written')
    return { merchant_id, program_id, name, account_id, ...newKeyPair(environment) }
  })
  void tx.run(insertMerchantAccounts({ program_id, now }, owners))
  void tx.run(
    insertEarningLocks(
      program_id,
      owners.map(({ merchant_id }) => merchant_id),
    ),
  )
  const keys = owners.map((owner) => ({
    merchant_id: owner.merchant_id,
    public_key: owner.public_key,
    private_key_hash: hashSecret(owner.private_key),
    status: true,
    integration_active: true,
  }))
  void tx.run(insertKeys({ program_id, now }, keys))
  return owners.map(({ account_id: _, ...merchant }) => merchant)
}

/** Creates `count` merchants in one transaction. */
export function createMerchants(
  db: Database,
  fresh: NewMerchant & { readonly by?: Actor | undefined },
): Promise<MadeMerchant[]> {
  const { verified = false, published = false } = fresh
  return db.transaction(async (tx) => {
    const made = await addMerchants(tx, fresh)
    const changes = made.map(({ program_id, merchant_id, name }) => {
      const after = { name, verified, published }
      return { program_id, action: 'merchant.create', object: `merchant:${merchant_id}`, before: null, after } as const
    })
    audit(tx, fresh.by, changes)
    return made
  })
}

/** All merchants, the oldest first. */
export function listMerchants(db: Database): Promise<MerchantRow[]> {
  return db.run(findMerchants())
}

/** A page of merchants: those with ids below `before`, the newest first. */
export function pageMerchants(db: Database, before: number | undefined, size: number): Promise<MerchantRow[]> {
  return db.run(findNewestMerchants(before, size))
}

/**
 * The merchant with this id or exact name.
 * @throws CliError if there is none, or more than one
 */
export async function findMerchant(db: Database, called: string): Promise<MerchantRow> {
  const text = called.trim()
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  const found = await db.run(findMerchantsCalled(text, id))
  const [merchant] = found
  if (merchant === undefined) {
    throw new CliError(`There is no merchant ${text}; see nuqta merchant list.`)
  }
  if (found.length === 1) return merchant
  const ids = found.map(({ merchant_id }) => merchant_id).join(', ')
  throw new CliError(`${found.length} merchants are called ${text}: name one by its id (${ids}).`)
}

/**
 * Changes a merchant, from its next request on, and gives it.
 * @throws CliError if the payment settings do not fit: see `checkPayment`
 */
export async function setMerchant(
  db: Database,
  merchant: MerchantRow,
  change: {
    readonly environment: Environment
    readonly now: Date
    readonly changes: MerchantChanges
    readonly key_status?: boolean | undefined
    /** The deployment's own credentials. */
    readonly payment?: PaymentSettings | undefined
    /** Runs before the changes, in the same transaction. */
    readonly before?: (tx: Transaction) => Promise<void>
    readonly by?: Actor | undefined
  },
): Promise<MerchantRow> {
  const { environment, now, changes, key_status, payment, before, by } = change
  await checkPayment(db, merchant, { environment, changes, payment })
  await db.transaction(async (tx) => {
    void tx.run(lockMerchant(merchant))
    const was = await findMerchantById(tx, merchant.merchant_id)
    await before?.(tx)
    if (Object.keys(changes).length > 0) void tx.run(updateMerchant(merchant, changes, now))
    if (key_status !== undefined) void tx.run(updateKeyStatus(merchant, key_status))
    const { program_id, merchant_id } = merchant
    const changed = changedFields({ ...was }, { ...changes, key_status })
    audit(tx, by, [{ program_id, action: 'merchant.set', object: `merchant:${merchant_id}`, ...changed }])
  })
  return findMerchantById(db, merchant.merchant_id)
}

async function checkPayment(
  db: Database,
  merchant: MerchantRow,
  asked: {
    readonly environment: Environment
    readonly changes: MerchantChanges
    readonly payment: PaymentSettings | undefined
  },
): Promise<void> {
  const { environment, changes, payment } = asked
  const { payment_provider: provider, payment_flow: flow } = { ...merchant, ...changes }
  if (environment === 'production' && changes.payment_provider === 'sandbox')
    throw new CliError('The payment provider sandbox takes no money: it is for a sandbox only.')
  if (provider === 'moyasar' && flow === 'two_step')
    throw new CliError(
      "Moyasar's hosted page takes money at once and reserves none: use --payment-flow sale with it, or --payment paytabs.",
    )
  const named = changes.payment_provider
  if (named !== 'paytabs' && named !== 'moyasar') return
  if (payment?.[named].account !== undefined || (await hasAccount(db, merchant, named))) return
  throw new CliError(
    `There are no credentials for ${named}: set ${accountSettings[named].join(' and ')}, or give the merchant its own ` +
      `with nuqta merchant payment ${merchant.merchant_id} --provider ${named} --credentials FILE.`,
  )
}

async function findMerchantById(db: Pick<Database, 'run'>, merchant_id: number): Promise<MerchantRow> {
  const found = await db.run(findMerchantsCalled('', merchant_id))
  const merchant = found.find((one) => one.merchant_id === merchant_id)
  if (merchant === undefined) throw new Error('a merchant has disappeared')
  return merchant
}

function numberedNames({ name, count = 1 }: NewMerchant): string[] {
  const base = name.trim()
  if (base === '') throw new CliError('A merchant needs a name.')
  if (base.length > max_name - 10) throw new CliError(`A merchant's name has at most ${max_name - 10} characters.`)
  return count === 1 ? [base] : Array.from({ length: count }, (_, index) => `${base} ${index + 1}`)
}

/** A key pair, shown once. Only the hash of the private key is stored. docs/spec/api.md#keys */
export interface KeyPair {
  readonly public_key: string
  readonly private_key: string
}

/** A new pair: `pk_test_…` and `sk_test_…` in a sandbox, `pk_live_…` and `sk_live_…` in production. */
function newKeyPair(environment: Environment): KeyPair {
  const kind = environment === 'sandbox' ? 'test' : 'live'
  return { public_key: `pk_${kind}_${newSecretText()}`, private_key: `sk_${kind}_${newSecretText()}` }
}

interface KeyPlace {
  readonly environment: Environment
  readonly now: Date
  readonly by?: Actor | undefined
}

/** Replaces a merchant's keys: the old pair ends with the commit. Keys that were switched off stay off. */
export async function replaceKeys(
  tx: Transaction,
  owner: MerchantId,
  { environment, now, by }: KeyPlace,
): Promise<KeyPair> {
  const { program_id, merchant_id } = owner
  const switches = await tx.one(deleteKey(program_id, merchant_id))
  const pair = newKeyPair(environment)
  const { status, integration_active } = switches ?? { status: true, integration_active: true }
  const key = { merchant_id, status, integration_active, public_key: pair.public_key }
  await tx.run(insertKeys({ program_id, now }, [{ ...key, private_key_hash: hashSecret(pair.private_key) }]))
  const before = switches === undefined ? null : { public_key: switches.public_key }
  const after = { public_key: pair.public_key }
  audit(tx, by, [{ program_id, action: 'keys.regenerate', object: `merchant:${merchant_id}`, before, after }])
  return pair
}

/**
 * Replaces a merchant's keys in a transaction of its own. Concurrent calls run one after the other; the last pair
 * stays.
 */
export function regenerateKeys(db: Database, owner: MerchantId, place: KeyPlace): Promise<KeyPair> {
  return db.transaction((tx) => replaceKeys(tx, owner, place), {
    retryOn: (error) => isUniqueViolation(error, 'api_key'),
  })
}
