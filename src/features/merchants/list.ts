import type { Database } from '../../db/pool.ts'
import {
  findMerchantNumbered,
  findMerchantsNamed,
  firstPlace,
  type ListedMerchant,
  type ListPlace,
} from './list-queries.ts'

export interface FoundMerchants {
  /** On the first page, the merchant whose number was asked for. */
  readonly numbered: ListedMerchant | undefined
  readonly named: readonly ListedMerchant[]
}

export type FindMerchants = (asked: {
  /** The beginning of a name, or a number; empty for all merchants. */
  readonly q: string
  readonly after: ListPlace | undefined
  readonly limit: number
}) => Promise<FoundMerchants>

/** Lists the merchants of all programs, in the order of their names. */
export function createFindMerchants(db: Database): FindMerchants {
  return async ({ q, after, limit }) => {
    const isNumber = after === undefined && /^[1-9]\d{0,14}$/.test(q)
    const [named, numbered] = await Promise.all([
      db.run(findMerchantsNamed(q, after ?? firstPlace, limit)),
      isNumber ? db.one(findMerchantNumbered(Number(q))) : undefined,
    ])
    return { numbered, named: named.filter(({ merchant_id }) => merchant_id !== numbered?.merchant_id) }
  }
}
