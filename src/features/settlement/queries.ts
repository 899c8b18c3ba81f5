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
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .insertInto('settlement')
    .values({
      ...{ program_id, settlement_id, merchant_id, orders, fee_vat_bp },
      ...{ from_at: from, until_at: until, created_at: now },
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
