import { logPageOf } from '../../db/log-page.ts'
import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { findRequest, findRequests, type RequestFilter, type RequestRow } from './queries.ts'

export interface RequestPage {
  readonly requests: readonly RequestRow[]
  /** The id behind which the next page begins; null at the end. */
  readonly next: Uuid | null
}

/** How many rows one page looks at. */
const window = 2_000

/** Lists a merchant's requests, the newest first. A page may be short, or empty, with more behind it. */
export type ListRequests = (
  owner: MerchantKey,
  filter: RequestFilter & { readonly request_id: Uuid | undefined },
  page: { readonly before: Uuid | undefined; readonly limit: number },
) => Promise<RequestPage>

export function createListRequests(db: Database): ListRequests {
  return async (owner, { request_id, ...filter }, { before, limit }) => {
    if (request_id !== undefined) return { requests: await db.run(findRequest(owner, request_id)), next: null }
    const found = await db.one(findRequests(owner, filter, { before, window, size: limit + 1 }))
    const { rows, next } = logPageOf(found, { limit, window, idOf: (row) => row.request_id })
    return { requests: rows, next }
  }
}
