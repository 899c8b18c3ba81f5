import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { type FoundChanges, findMerchantChanges, type MerchantAuditFilter } from './queries.ts'

export interface ChangePage {
  readonly changes: FoundChanges['rows']
  /** The id behind which the next page begins; null at the end. */
  readonly next: Uuid | null
}

/** How many changes one page looks at. */
const window = 500

/** Lists the changes about a merchant, the newest first. A page may be short, or empty, with more behind it. */
export type ListMerchantChanges = (
  owner: { readonly program_id: number; readonly merchant_id: number },
  filter: MerchantAuditFilter,
  page: { readonly before: Uuid | undefined; readonly limit: number },
) => Promise<ChangePage>

export function createListMerchantChanges(db: Database): ListMerchantChanges {
  return async (owner, filter, { before, limit }) => {
    const [found] = await db.run(findMerchantChanges(owner, filter, { before, window, size: limit + 1 }))
    if (found === undefined) return { changes: [], next: null }
    const { rows, looked, last } = found
    const changes = rows.slice(0, limit)
    if (rows.length > limit) return { changes, next: changes.at(-1)?.audit_id ?? null }
    return { changes, next: looked < window ? null : last }
  }
}
