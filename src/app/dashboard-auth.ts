import type { Database } from '../db/pool.ts'
import { loadMerchantOf } from '../features/merchants/merchant.ts'
import { readProgram } from '../features/merchants/programs.ts'
import { readSession, readStanding, requireRecent } from '../features/staff/sessions.ts'
import type { DashboardAuth } from '../http/dashboard/auth.ts'

/** How the dashboard knows people and merchants. Sessions follow the machine's clock. */
export function createDashboardAuth(db: Database, public_url: string): DashboardAuth {
  return {
    readSession: (token) => readSession(db, token, new Date()),
    requireRecent: (session) => requireRecent({ db, now: new Date() }, session),
    readStanding,
    loadMerchant: (merchant_id, program_id) => loadMerchantOf(db, merchant_id, program_id),
    loadProgram: (program_id) => readProgram(db, program_id),
    origin: new URL(public_url).origin,
  }
}
