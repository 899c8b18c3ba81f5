import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { lockMerchant, type MerchantRow, updateKeyStatus } from './queries.ts'
import { findMerchantById } from './service.ts'
import { clearSuspension, findSuspension, writeSuspension } from './suspension-queries.ts'

/** Operators stop a merchant, and let it go on. docs/spec/operation.md#merchants */

export type ReadSuspension = (merchant: MerchantKey) => Promise<Date | null>

/** Since when a merchant is suspended; null for one that is not. */
export function createReadSuspension(db: Database): ReadSuspension {
  return async (merchant) => (await db.one(findSuspension(merchant)))?.suspended_at ?? null
}

interface Suspending {
  readonly now: Date
  readonly by: Actor
  readonly keep?: BeforeCommit<MerchantRow> | undefined
}

/**
 * Suspends a merchant from its next request on: it counts as not published, and its keys are refused if `keys_off`.
 * @throws DomainError `merchant_suspended`
 */
export function suspendMerchant(
  db: Database,
  merchant: MerchantKey,
  { reason, keys_off, now, by, keep }: Suspending & { readonly reason: string; readonly keys_off: boolean },
): Promise<MerchantRow> {
  return db.transaction(async (tx) => {
    void tx.run(lockMerchant(merchant))
    const { suspended_at, published, key_status } = await findMerchantById(tx, merchant.merchant_id)
    if (suspended_at !== null) throw new DomainError({ kind: 'merchant_suspended' })
    void tx.run(writeSuspension(merchant, { reason, by: by.name }, now))
    if (keys_off) void tx.run(updateKeyStatus(merchant, false))
    const { program_id, merchant_id } = merchant
    const before = { published, key_status }
    const after = { reason, published: false, key_status: key_status && !keys_off }
    audit(tx, by, [{ program_id, action: 'merchant.suspend', object: `merchant:${merchant_id}`, before, after }])
    const suspended = await findMerchantById(tx, merchant_id)
    await keep?.(tx, suspended)
    return suspended
  })
}

/**
 * Lifts the suspension of a merchant, which is then as it was before; its keys are accepted again if `keys_on`. Changes no
 * other merchant.
 */
export function resumeMerchant(
  db: Database,
  merchant: MerchantKey,
  { keys_on, now, by, keep }: Suspending & { readonly keys_on: boolean },
): Promise<MerchantRow> {
  return db.transaction(async (tx) => {
    void tx.run(lockMerchant(merchant))
    const { program_id, merchant_id } = merchant
    const was = await findMerchantById(tx, merchant_id)
    if (was.suspended_at !== null) {
      void tx.run(clearSuspension(merchant, now))
      if (keys_on) void tx.run(updateKeyStatus(merchant, true))
    }
    const resumed = await findMerchantById(tx, merchant_id)
    if (was.suspended_at !== null) {
      const before = { reason: was.suspended_reason, published: false, key_status: was.key_status }
      const after = { published: resumed.published, key_status: resumed.key_status }
      audit(tx, by, [{ program_id, action: 'merchant.resume', object: `merchant:${merchant_id}`, before, after }])
    }
    await keep?.(tx, resumed)
    return resumed
  })
}
