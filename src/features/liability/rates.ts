import type { Transaction } from '../../db/transaction.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import { findRate } from './queries.ts'

export interface Rates {
  /** In force just before an instant. */
  readonly micro_sar_per_point: MicroSarPerPoint
  /** The first one of the program: that of points whose entries do not say theirs. */
  readonly first_micro_sar_per_point: MicroSarPerPoint
}

/** What a point of a program is worth just before an instant. */
export async function ratesOn(tx: Transaction, program_id: number, _until: Date): Promise<Rates> {
  const program = await tx.one(findRate(program_id))
  if (program === undefined) throw new Error('a report of a program that is not there')
  const { micro_sar_per_point } = program
  return { micro_sar_per_point, first_micro_sar_per_point: micro_sar_per_point }
}
