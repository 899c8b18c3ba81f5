import type { Database } from '../../src/db/pool.ts'
import type { Actor } from '../../src/domain/audit.ts'
import { parseUuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { DEFAULT_SAR_PER_POINT } from '../../src/domain/points.ts'
import { NO_FEES } from '../../src/domain/settlement.ts'
import { readProgram } from '../../src/features/merchants/programs.ts'
import { settlingProgramOf } from '../../src/features/settlement/program.ts'
import {
  type CloseRequest,
  closeSettlements,
  justAfter,
  previewSettlements,
} from '../../src/features/settlement/service.ts'
import type { SettlingProgram } from '../../src/features/settlement/sums.ts'
import { type SettlementView, viewNothing } from '../../src/features/settlement/view.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { App } from './api.ts'
import type { Person } from './staff.ts'

/** A merchant's program, without fees. */
function settlingProgram({ program_id }: Merchant): SettlingProgram {
  return { program_id, first_value: DEFAULT_SAR_PER_POINT, ...NO_FEES }
}

/** The settlement that closing a merchant's period now would give. */
export async function previewOf(db: Database, clock: Clock, merchant: Merchant): Promise<SettlementView> {
  const { merchant_id } = merchant
  const until = justAfter(clock.now())
  const request = { program: settlingProgram(merchant), merchant_id, until }
  const { settlements } = await previewSettlements(db, request)
  return settlements[0] ?? viewNothing(merchant_id, until)
}

/** Asks for a close of a program's period as an operator does; gives what its job will ask `closeSettlements` for. */
export async function askToClose(
  app: Pick<App, 'db' | 'clock'>,
  operator: Person,
  program_id: number,
): Promise<CloseRequest> {
  const { body } = await operator.call('POST', `/programs/${program_id}/settlement-runs`, { kind: 'close' })
  const { run } = body.data as never as { readonly run: { readonly run_uuid: string; readonly until: string } }
  const row = await readProgram(app.db, program_id)
  const run_uuid = parseUuid(run.run_uuid)
  if (row === null || run_uuid === null) throw new Error('there is no run')
  const program = await settlingProgramOf(app.db, row)
  return { program, until: new Date(run.until), now: app.clock.now(), run_uuid }
}

/** Settles a merchant up to now; gives the last settlement, or an empty one. */
export async function settleMerchant(
  db: Database,
  clock: Clock,
  merchant: Merchant,
  { until = justAfter(clock.now()), by }: { readonly until?: Date; readonly by?: Actor } = {},
): Promise<SettlementView> {
  const { merchant_id } = merchant
  const request = { program: settlingProgram(merchant), merchant_id, until, now: clock.now(), by }
  const { settlements } = await closeSettlements(db, request)
  return settlements.at(-1) ?? viewNothing(merchant_id, until)
}
