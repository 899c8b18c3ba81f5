import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Clock } from '../../lib/clock.ts'
import { listPrograms } from '../merchants/programs.ts'
import { periodEnd, settlingProgramOf } from './program.ts'
import { type Closed, closeOrPropose } from './propose.ts'
import { previewSettlements, type SettlementAsk, type Settlements } from './service.ts'

/** What an operator asks to settle. */
export interface AskedSettlements {
  readonly program_id: number
  readonly merchant_id?: number | undefined
  /** The last day in Riyadh; now without it. */
  readonly until?: string | undefined
}

export interface DashboardSettling {
  readonly previewSettlements: (asked: AskedSettlements) => Promise<Settlements>
  readonly closeSettlements: (
    asked: AskedSettlements,
    by: Actor,
    beforeCommit: BeforeCommit<Closed> | undefined,
  ) => Promise<Closed>
}

/** Previews and closes as operators ask for it. Refuses a day that is not over. */
export function createDashboardSettling(db: Database, clock: Clock): DashboardSettling {
  const askOf = async ({ program_id, merchant_id, until }: AskedSettlements): Promise<SettlementAsk> => {
    const end = periodEnd(until, clock.now())
    if (end === null) throw new DomainError({ kind: 'validation', errors: [{ field: 'until', rule: 'in' }] })
    const row = (await listPrograms(db)).find((one) => one.program_id === program_id)
    if (row === undefined) throw new DomainError({ kind: 'program_not_found' })
    return { program: await settlingProgramOf(db, row), merchant_id, until: end }
  }
  return {
    previewSettlements: async (asked) => previewSettlements(db, await askOf(asked)),
    async closeSettlements(asked, by, beforeCommit) {
      const ask = await askOf(asked)
      const settled = await closeOrPropose(db, { ...ask, now: clock.now(), by })
      if (beforeCommit !== undefined) await db.transaction((tx) => beforeCommit(tx, settled))
      return settled
    },
  }
}
