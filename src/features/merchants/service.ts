import type { Environment } from '../../config/config.ts'
import type { PaymentSettings } from '../../config/providers.ts'
import { audit } from '../../db/audit.ts'
import { insertMerchantAccounts } from '../../db/ledger.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields, withoutUnchanged } from '../../domain/audit.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import { parseId, type Uuid } from '../../domain/ids.ts'
import { type MerchantKey, max_merchant_name, newMerchantTerms } from '../../domain/merchant.ts'
import { CliError } from '../../lib/errors.ts'
import { hashSecret, newUuid } from '../../lib/ids.ts'
import { type KeyPair, newKeyPair } from './keys.ts'
import { checkedName } from './names.ts'
import { hasAccount } from './payment-credentials.ts'
import {
  findMerchants,
  findMerchantsCalled,
  findNewestMerchants,
  insertEarningLocks,
  insertKeys,
  insertMerchants,
  lockMerchant,
  type MerchantChanges,
  type MerchantRow,
  updateKeyStatus,
  updateMerchant,
} from './queries.ts'

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
  const place = { program_id, now, verified, published, payment_provider } as const
  const made = await tx.run(insertMerchants({ ...place, terms: newMerchantTerms, merchants }))
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

/** Creates one merchant, with its name on Arabic pages. */
export function addNamedMerchant(
  db: Database,
  {
    name_ar,
    by,
    keep,
    ...fresh
  }: NewMerchant & {
    readonly name_ar: string | null
    readonly by: Actor
    readonly keep?: BeforeCommit<MadeMerchant> | undefined
  },
): Promise<MadeMerchant> {
  return db.transaction(async (tx) => {
    const [made] = await addMerchants(tx, fresh)
    if (made === undefined) throw new Error('a merchant was not written')
    const { program_id, merchant_id, name } = made
    if (name_ar !== null) void tx.run(updateMerchant(made, { name_ar }, fresh.now))
    const after = { name, name_ar, verified: false, published: false }
    const change = { program_id, action: 'merchant.create', object: `merchant:${merchant_id}` } as const
    audit(tx, by, [{ ...change, before: null, after }])
    await keep?.(tx, made)
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
  const found = await db.run(findMerchantsCalled(text, parseId(text)))
  const [merchant] = found
  if (merchant === undefined) {
    throw new CliError(`There is no merchant ${text}; see nuqta merchant list.`)
  }
  if (found.length === 1) return merchant
  const ids = found.map(({ merchant_id }) => merchant_id).join(', ')
  throw new CliError(`${found.length} merchants are called ${text}: name one by its id (${ids}).`)
}

export interface MerchantChange {
  readonly environment: Environment
  readonly now: Date
  readonly changes: MerchantChanges
  readonly key_status?: boolean | undefined
  /** The deployment's own credentials. */
  readonly payment?: PaymentSettings | undefined
  /** Runs before the changes, in the same transaction, with the locked row. */
  readonly before?: (tx: Transaction, was: MerchantRow) => Promise<void>
  readonly by?: Actor | undefined
}

/**
 * Changes a merchant, from its next request on, and gives it.
 * @throws DomainError `validation` if the payment settings do not fit: see `checkPayment`
 */
export async function setMerchant(db: Database, merchant: MerchantKey, change: MerchantChange): Promise<MerchantRow> {
  const { now, changes, key_status, before, by } = change
  await db.transaction(async (tx) => {
    void tx.run(lockMerchant(merchant))
    const was = await findMerchantById(tx, merchant.merchant_id)
    await before?.(tx, was)
    await checkPayment(tx, was, change)
    if (changes.published === true && was.suspended_at !== null) throw new DomainError({ kind: 'merchant_suspended' })
    if (Object.keys(changes).length > 0)
      void tx.run(updateMerchant(merchant, { ...changes, ...verification(was, change) }, now))
    if (key_status !== undefined) void tx.run(updateKeyStatus(merchant, key_status))
    const { program_id, merchant_id } = merchant
    const changed = changedFields({ ...was }, { ...changes, key_status })
    audit(
      tx,
      by,
      withoutUnchanged([{ program_id, action: 'merchant.set', object: `merchant:${merchant_id}`, ...changed }]),
    )
  })
  return findMerchantById(db, merchant.merchant_id)
}

/** Who verified it, and when. */
function verification(was: MerchantRow, { changes: { verified }, now, by }: MerchantChange): MerchantChanges {
  if (verified === undefined || verified === was.verified) return {}
  return verified ? { verified_at: now, verified_by: by?.name ?? null } : { verified_at: null, verified_by: null }
}

async function checkPayment(tx: Transaction, was: MerchantRow, change: MerchantChange): Promise<void> {
  const { environment, changes, payment } = change
  const { payment_provider: provider, payment_flow: flow } = { ...was, ...changes }
  if (environment === 'production' && changes.payment_provider === 'sandbox')
    refuseFields({ field: 'provider', rule: 'sandbox_only' })
  if (provider === 'moyasar' && flow === 'two_step') refuseFields({ field: 'flow', rule: 'sale_only' })
  const named = changes.payment_provider
  if (named !== 'paytabs' && named !== 'moyasar') return
  if (payment?.[named].account !== undefined || (await hasAccount(tx, was, named))) return
  refuseFields({ field: 'provider', rule: 'no_credentials', limit: named })
}

/** A merchant by its number. */
export async function findMerchantById(db: Queryable, merchant_id: number): Promise<MerchantRow> {
  const found = await db.run(findMerchantsCalled('', merchant_id))
  const merchant = found.find((one) => one.merchant_id === merchant_id)
  if (merchant === undefined) throw new Error('a merchant has disappeared')
  return merchant
}

function numberedNames({ name, count = 1 }: NewMerchant): string[] {
  const base = checkedName('merchant', name, max_merchant_name)
  return count === 1 ? [base] : Array.from({ length: count }, (_, index) => `${base} ${index + 1}`)
}
