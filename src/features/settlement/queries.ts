import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { SettlementLine } from '../../domain/settlement.ts'
import type { SettlingProgram, SummedPeriod } from './sums.ts'

/** Writes a settlement. It never changes. */
export function insertSettlement(
  { program_id, fee_vat_bp }: SettlingProgram,
  settlement_id: Uuid,
  { merchant_id, orders, position, from, until }: SummedPeriod,
  { now, run_uuid = null }: { readonly now: Date; readonly run_uuid?: Uuid | null },
): CompiledQuery<unknown> {
  return builder
    .insertInto('settlement')
    .values({
      ...{ program_id, settlement_id, merchant_id, orders, fee_vat_bp },
      ...{ from_at: from, until_at: until, created_at: now, run_uuid },
      net_points: String(position.net_points),
      net_halalas: String(position.net_halalas),
      money_halalas: String(position.money_halalas),
      fee_halalas: String(position.fee_halalas),
      vat_halalas: String(position.vat_halalas),
      due_halalas: String(position.due_halalas),
    })
    .compile()
}

/** Writes the lines of a settlement, in their order. */
export function insertLines(
  program_id: number,
  settlement_id: Uuid,
  lines: readonly SettlementLine[],
): Statement<never> {
  return {
    text: `insert into settlement_line (program_id, settlement_id, line, kind, micro_sar_per_point, entries, points, micro_sar)
      select $1::bigint, $2::uuid, l.line, l.kind, l.micro_sar_per_point, l.entries, l.points, l.micro_sar
      from unnest($3::smallint[], $4::text[], $5::bigint[], $6::bigint[], $7::numeric[], $8::numeric[])
        as l(line, kind, micro_sar_per_point, entries, points, micro_sar)`,
    values: [
      program_id,
      settlement_id,
      lines.map((_, line) => line),
      lines.map(({ kind }) => kind),
      lines.map(({ micro_sar_per_point }) => micro_sar_per_point),
      lines.map(({ entries }) => entries),
      lines.map(({ points }) => String(points)),
      lines.map(({ micro_sar }) => String(micro_sar)),
    ],
  }
}

interface OrderOf {
  readonly program_id: number
  readonly merchant_id: number
  readonly order_uuid: Uuid
}

/** Leaves an order out of settlements. */
export function insertExclusion(
  { program_id, merchant_id, order_uuid }: OrderOf,
  reason: string,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .insertInto('settlement_exclusion')
    .values({ program_id, merchant_id, order_uuid, reason, excluded_at: now })
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'order_uuid']).doUpdateSet((set) => ({
        reason: set.ref('excluded.reason'),
        excluded_at: set.ref('excluded.excluded_at'),
        included_at: set.ref('excluded.included_at'),
      })),
    )
    .compile()
}

/** Takes an order in again from an instant on. Gives no row if it was not left out. */
export function endExclusion({ program_id, order_uuid }: OrderOf, at: Date): Statement<{ readonly order_uuid: Uuid }> {
  return {
    text: `update settlement_exclusion set included_at = $3
      where program_id = $1 and order_uuid = $2 and included_at is null returning order_uuid`,
    values: [program_id, order_uuid, at],
  }
}

/** Since when, and why, an order is left out. */
export interface ExclusionRow {
  readonly excluded_at: Date
  /** Null once an erasure has taken it. */
  readonly reason: string | null
}

/** Gives nothing for an order that is not left out. */
export function findExclusion({ program_id, merchant_id, order_uuid }: OrderOf): Statement<ExclusionRow> {
  return {
    text: `select excluded_at, reason from settlement_exclusion
      where program_id = $1 and order_uuid = $2 and merchant_id = $3 and included_at is null`,
    values: [program_id, order_uuid, merchant_id],
  }
}

/** How many orders of a merchant are left out. */
export function countExclusions(program_id: number, merchant_id: number): Statement<{ readonly orders: number }> {
  return {
    text: `select count(*) as orders from settlement_exclusion
      where program_id = $1 and merchant_id = $2 and included_at is null`,
    values: [program_id, merchant_id],
  }
}
