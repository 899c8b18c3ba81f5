import type { Database } from '../../db/pool.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { findDone } from './checklist-queries.ts'
import { findFirstDays } from './queries.ts'

/** The items of the checklist, in the order in which a merchant does them. */
export const checklistItems = [
  'first_earning',
  'webhook_registered',
  'webhook_verified',
  'checkout_opened',
  'checkout_paid',
  'first_refund',
  'brand_set',
] as const

export interface ChecklistItem {
  readonly item: (typeof checklistItems)[number]
  readonly done: boolean
  /** The instant, or the day in Riyadh where no more is known; null if it is not done. */
  readonly at: string | null
}

/** Says what a merchant's integration has really done. */
export async function readChecklist(db: Database, merchant: MerchantKey): Promise<readonly ChecklistItem[]> {
  const [done, first] = await Promise.all([db.one(findDone(merchant)), db.one(findFirstDays(merchant))])
  const at = {
    first_earning: first?.purchases ?? text(done?.earning_at),
    webhook_registered: text(done?.webhook_at),
    webhook_verified: text(done?.delivered_at),
    checkout_opened: first?.checkouts ?? text(done?.opened_at),
    checkout_paid: first?.checkouts ?? null,
    first_refund: first?.refunds ?? null,
    brand_set: text(done?.logo_at),
  }
  return checklistItems.map((item) => ({ item, done: at[item] !== null, at: at[item] }))
}

function text(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null
}
