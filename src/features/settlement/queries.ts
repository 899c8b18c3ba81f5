import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import { unsettled } from '../orders/write-queries.ts'

interface MerchantKey {
  readonly program_id: number
  readonly merchant_id: number
}

/** The sums are texts, because they may exceed a bigint. */
export interface SumsRow {
  readonly orders: number
  readonly issued_points: string
  readonly redeemed_points: string
}

/** Issued points less reversed ones, and redeemed points less returned ones. */
const sums = `count(*) as orders,
  coalesce(sum(earned_points - reversed_points), 0)::text as issued_points,
  coalesce(sum(total_points - returned_points) filter (where type = 2), 0)::text as redeemed_points`

/** The sums of a settlement closed now. */
export function sumUnsettled({ program_id, merchant_id }: MerchantKey): Statement<SumsRow> {
  return {
    text: `select ${sums} from orders where program_id = $1 and merchant_id = $2 and ${unsettled}`,
    values: [program_id, merchant_id],
  }
}

/** The sums of a settlement's orders. */
export function sumSettled({ program_id, merchant_id }: MerchantKey, settlement_id: Uuid): Statement<SumsRow> {
  return {
    text: `select ${sums} from orders where program_id = $1 and merchant_id = $2 and settlement_id = $3`,
    values: [program_id, merchant_id, settlement_id],
  }
}

export interface SettlementRow extends MerchantKey {
  readonly settlement_id: Uuid
  readonly orders: number
  readonly net_points: string
  readonly net_halalas: string
  readonly micro_sar_per_point: number
}

/** Writes a closed settlement. It never changes. */
export function insertSettlement(settlement: SettlementRow, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('settlement')
    .values({ ...settlement, created_at: now })
    .compile()
}
