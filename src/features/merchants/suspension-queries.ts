import type { Statement } from '../../db/statement.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

/** Suspends a merchant, and remembers whether it was published. */
export function writeSuspension(
  { program_id, merchant_id }: MerchantKey,
  { reason, by }: { readonly reason: string; readonly by: string },
  now: Date,
): Statement<never> {
  return {
    text: `update merchant set suspended_at = $3, suspended_by = $4, suspended_reason = $5, published_before = published,
        published = false, updated_at = $3
      where program_id = $1 and merchant_id = $2`,
    values: [program_id, merchant_id, now, by, reason],
  }
}

/** Lifts a suspension: a merchant that was published is so again. */
export function clearSuspension({ program_id, merchant_id }: MerchantKey, now: Date): Statement<never> {
  return {
    text: `update merchant set suspended_at = null, suspended_by = null, suspended_reason = null,
        published = coalesce(published_before, published), published_before = null, updated_at = $3
      where program_id = $1 and merchant_id = $2`,
    values: [program_id, merchant_id, now],
  }
}

/** Since when a merchant is suspended; null for one that is not. */
export function findSuspension({
  program_id,
  merchant_id,
}: MerchantKey): Statement<{ readonly suspended_at: Date | null }> {
  return {
    text: 'select suspended_at from merchant where program_id = $1 and merchant_id = $2',
    values: [program_id, merchant_id],
  }
}

/** The same, locked: nobody suspends the merchant, or lifts a suspension, before the transaction ends. */
export function lockSuspension(merchant: MerchantKey): ReturnType<typeof findSuspension> {
  const { text, values } = findSuspension(merchant)
  return { text: `${text} for share`, values }
}
