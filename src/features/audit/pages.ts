import { type FoundInLog, logPageOf } from '../../db/log-page.ts'
import type { Database } from '../../db/pool.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { findMerchantChanges, findProgramChanges, type ListedChange, type MerchantAuditFilter } from './queries.ts'

export interface ChangePage {
  readonly changes: readonly ListedChange[]
  /** The id behind which the next page begins; null at the end. */
  readonly next: Uuid | null
}

/** How many changes one page looks at. */
const window = 500

/** Lists the changes about a merchant, the newest first. A page may be short, or empty, with more behind it. */
export type ListMerchantChanges = (
  owner: MerchantKey,
  filter: MerchantAuditFilter,
  page: { readonly before: Uuid | undefined; readonly limit: number },
) => Promise<ChangePage>

export function createListMerchantChanges(db: Database): ListMerchantChanges {
  return (owner, filter, { before, limit }) =>
    pageOf(db, limit, findMerchantChanges(owner, filter, { before, window, size: limit + 1 }))
}

/** Lists the changes of a program, or of the deployment (program 0), in the same way. */
export type ListProgramChanges = (
  program_id: number,
  filter: Parameters<typeof findProgramChanges>[1],
  page: { readonly before: Uuid | undefined; readonly limit: number },
) => Promise<ChangePage>

export function createListProgramChanges(db: Database): ListProgramChanges {
  return (program_id, filter, { before, limit }) =>
    pageOf(db, limit, findProgramChanges(program_id, filter, { before, window, size: limit + 1 }))
}

async function pageOf(db: Database, limit: number, found: Statement<FoundInLog<ListedChange>>): Promise<ChangePage> {
  const { rows, next } = logPageOf(await db.one(found), { limit, window, idOf: ({ audit_id }) => audit_id })
  return { changes: rows, next }
}
