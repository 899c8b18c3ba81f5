import type { Database } from '../../src/db/pool.ts'
import type { Actor } from '../../src/domain/audit.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { DEFAULT_SAR_PER_POINT } from '../../src/domain/points.ts'
import { NO_FEES } from '../../src/domain/settlement.ts'
import { closeSettlements, justAfter, previewSettlements } from '../../src/features/settlement/service.ts'
import type { SettlingProgram } from '../../src/features/settlement/sums.ts'
import { type SettlementView, viewNothing } from '../../src/features/settlement/view.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** A merchant's program, without fees. */
function settlingProgram({ program_id }: Merchant): SettlingProgram {
  return { program_id, first_value: DEFAULT_SAR_PER_POINT, ...NO_FEES }
}

/** The settlement that closing a merchant's period now would give. */
export async function previewOf(db: Database, clock: Clock, merchant: Merchant): Promise<SettlementView> {
  const { merchant_id } = merchant
  const until = justAfter(clock.now())
  const ask = { program: settlingProgram(merchant), merchant_id, until }
  const { settlements } = await previewSettlements(db, ask)
  return settlements[0] ?? viewNothing(merchant_id, until)
}

/** Settles a merchant up to now; gives the last settlement, or an empty one. */
export async function settleMerchant(
  db: Database,
  clock: Clock,
  merchant: Merchant,
  { until = justAfter(clock.now()), by }: { readonly until?: Date; readonly by?: Actor } = {},
): Promise<SettlementView> {
  const { merchant_id } = merchant
  const ask = { program: settlingProgram(merchant), merchant_id, until, now: clock.now(), by }
  const { settlements } = await closeSettlements(db, ask)
  return settlements.at(-1) ?? viewNothing(merchant_id, until)
}
