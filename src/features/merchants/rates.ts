import { audit } from '../../db/audit.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import {
  max_rate_days_ahead,
  max_waiting_rates,
  type Rate,
  type RateRefused,
  rateOn,
  refuseRate,
} from '../../domain/rates.ts'
import { CliError } from '../../lib/errors.ts'
import type { ProgramRow } from './program-queries.ts'
import { writeRate } from './rate-queries.ts'

const refusals: Readonly<Record<RateRefused, string>> = {
  past: 'A rate begins today or later: what points were worth on a day that is over does not change.',
  far: `A rate begins within ${max_rate_days_ahead} days.`,
  many: `${max_waiting_rates} rates wait for their day already.`,
}

/**
 * Writes what a point of a locked program is worth from a day on, and records it. docs/spec/points-and-money.md#rate-days
 * @throws CliError if no rate can begin on that day
 */
export function changeRate(
  tx: Transaction,
  { program_id, rates }: Pick<ProgramRow, 'program_id' | 'rates'>,
  rate: Rate,
  { now, by }: { readonly now: Date; readonly by: Actor | undefined },
): void {
  const refused = refuseRate(rates, rate.begins_on, now)
  if (refused !== null) throw new CliError(refusals[refused])
  void tx.run(writeRate(program_id, rate, now))
  const before = { micro_sar_per_point: rateOn(rates, rate.begins_on).micro_sar_per_point }
  const { micro_sar_per_point, begins_on } = rate
  const after = { micro_sar_per_point, begins_on }
  audit(tx, by, [{ program_id, action: 'program.rate', object: `program:${program_id}`, before, after }])
}
