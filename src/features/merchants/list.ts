import type { Database } from '../../db/pool.ts'
import { parseId } from '../../domain/ids.ts'
import type { MerchantStage } from '../../domain/merchant-review.ts'
import {
  findMerchantNumbered,
  findMerchantsNamed,
  firstPlace,
  type ListedMerchant,
  type ListPlace,
} from './list-queries.ts'
import {
  countMerchantsOf,
  findMerchantOfProgram,
  findMerchantsOfProgram,
  type MerchantCounts,
  type ProgramMerchantRow,
} from './program-list-queries.ts'

export interface FoundMerchants {
  /** On the first page, the merchant whose number was asked for. */
  readonly numbered: ListedMerchant | undefined
  readonly named: readonly ListedMerchant[]
}

export type FindMerchants = (asked: {
  /** A part of a name, or a number; empty for all merchants. */
  readonly q: string
  readonly after: ListPlace | undefined
  readonly limit: number
}) => Promise<FoundMerchants>

/** Lists the merchants of all programs, in the order of their names. */
export function createFindMerchants(db: Database): FindMerchants {
  return async ({ q, after, limit }) => {
    const id = after === undefined ? parseId(q) : null
    const [named, numbered] = await Promise.all([
      db.run(findMerchantsNamed(q, after ?? firstPlace, limit)),
      id === null ? undefined : db.one(findMerchantNumbered(id)),
    ])
    return { numbered, named: named.filter(({ merchant_id }) => merchant_id !== numbered?.merchant_id) }
  }
}

export interface ProgramMerchantList {
  /** On the first page, the merchant whose number was asked for. */
  readonly numbered: ProgramMerchantRow | undefined
  readonly named: readonly ProgramMerchantRow[]
}

export interface ProgramMerchants {
  find(
    program_id: number,
    asked: {
      readonly q: string
      readonly stage: MerchantStage | undefined
      readonly after: ListPlace | undefined
      readonly limit: number
    },
  ): Promise<ProgramMerchantList>
  count(program_id: number): Promise<MerchantCounts>
}

/** Lists and counts the merchants of a program. */
export function createProgramMerchants(db: Database): ProgramMerchants {
  return {
    async find(program_id, { q, stage, after, limit }) {
      const id = after === undefined ? parseId(q) : null
      const [named, numbered] = await Promise.all([
        db.run(findMerchantsOfProgram(program_id, { part: q, stage }, { after: after ?? firstPlace, limit })),
        id === null ? undefined : db.one(findMerchantOfProgram(program_id, id, stage)),
      ])
      return { numbered, named: named.filter(({ merchant_id }) => merchant_id !== numbered?.merchant_id) }
    },
    async count(program_id) {
      const counts = await db.one(countMerchantsOf(program_id))
      return counts ?? { suspended: 0, unverified: 0, unpublished: 0, live: 0 }
    },
  }
}
