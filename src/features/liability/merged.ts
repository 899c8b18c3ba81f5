import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { type Lot, type LotLeft, leftAfter, type Stretch } from '../../domain/liability.ts'
import { findStretches, type LotRow, type StretchRow } from './count-queries.ts'
import type { ReportRow } from './queries.ts'

type RowsByWallet = ReadonlyMap<Uuid, readonly StretchRow[]>

/**
 * Gives what is left of the lots of wallets whose points a merge has moved. It also reads the wallets that were merged into
 * them, and those that were merged into these before. docs/spec/liability.md#age
 */
export async function leftAfterMerges(
  tx: Transaction,
  { program_id, until, first_micro_sar_per_point }: ReportRow,
  rows: readonly LotRow[],
): Promise<ReadonlyMap<Uuid, readonly LotLeft[]>> {
  const wanted = [...new Set(rows.flatMap(({ merged, account_id }) => (merged ? [account_id] : [])))]
  const found = new Map<Uuid, readonly StretchRow[]>()
  for (let missing = wanted; missing.length > 0; ) {
    const read = await tx.run(findStretches(program_id, missing, until, first_micro_sar_per_point))
    for (const id of missing)
      found.set(
        id,
        read.filter(({ account_id }) => account_id === id),
      )
    missing = [...new Set(read.flatMap(({ from_id }) => (from_id === null || found.has(from_id) ? [] : [from_id])))]
  }
  const isGivenUp = (id: Uuid): boolean => found.get(id)?.some(({ given_up }) => given_up) === true
  return new Map(wanted.map((id) => [id, isGivenUp(id) ? [] : leftAfter(stretchesOf(found, id))]))
}

/** The history of a wallet, up to the merge in which it was given up. */
function stretchesOf(found: RowsByWallet, id: Uuid): readonly Stretch[] {
  const stretches = new Map<number, { -readonly [Name in keyof Stretch]: Stretch[Name] }>()
  for (const row of found.get(id) ?? []) {
    const { stretch, from_id, given_up } = row
    if (given_up) continue
    const of = stretches.get(stretch) ?? { merged_points: 0n, merged: [], moved_points: 0n, lots: [] }
    stretches.set(stretch, of)
    const points = BigInt(row.posted_points)
    if (from_id === null) {
      of.moved_points += points
      of.lots = [...of.lots, readLot(row)]
    } else {
      of.merged_points += points
      of.merged = leftAfter(stretchesOf(found, from_id))
    }
  }
  return [...stretches.values()]
}

/** Reads the points of a lot. */
export function readLot(row: Pick<LotRow, 'month' | 'micro_sar_per_point' | 'kept_points' | 'returned_points'>): Lot {
  const { month, micro_sar_per_point, kept_points, returned_points } = row
  const points = { kept_points: BigInt(kept_points), returned_points: BigInt(returned_points) }
  return { month, micro_sar_per_point, ...points }
}
