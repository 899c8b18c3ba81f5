import type { Database } from '../../db/pool.ts'
import {
  countMerchantsOf,
  findMerchantNumbered,
  findMerchantsNamed,
  firstPlace,
  type ListedMerchant,
  type ListPlace,
  type MerchantCounts,
} from './list-queries.ts'

export interface FoundMerchants {
  /** On the first page, the merchant whose number was asked for. */
  readonly numbered: ListedMerchant | undefined
  readonly named: readonly ListedMerchant[]
}

export type FindMerchants = (asked: {
  /** The beginning of a name, or a number; empty for all merchants. */
  readonly q: string
  /** Undefined for the merchants of all programs. */
  readonly program_id?: number
  readonly after: ListPlace | undefined
  readonly limit: number
}) => Promise<FoundMerchants>

/** Lists the merchants of a program or of all, in the order of their names. */
export function createFindMerchants(db: Database): FindMerchants {
  return async ({ q, program_id, after, limit }) => {
    const isNumber = after === undefined && /^[1-9]\d{0,14}$/.test(q)
    const [named, numbered] = await Promise.all([
      db.run(findMerchantsNamed({ prefix: q, program_id }, after ?? firstPlace, limit)),
      isNumber ? db.one(findMerchantNumbered(Number(q), program_id)) : undefined,
    ])
    return { numbered, named: named.filter(({ merchant_id }) => merchant_id !== numbered?.merchant_id) }
  }
}

export type CountMerchants = (program_id: number) => Promise<MerchantCounts>

/** Counts the merchants of a program. */
export function createCountMerchants(db: Database): CountMerchants {
  return async (program_id) =>
    (await db.one(countMerchantsOf(program_id))) ?? { total: 0, unverified: 0, unpublished: 0 }
}
