import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import type { Clock } from '../../lib/clock.ts'
import { readProgram } from '../merchants/programs.ts'
import type { ProposalRow } from '../proposals/queries.ts'
import { beginRun, most_kept, runOf } from './begin-run.ts'
import { periodEnd } from './program.ts'
import { proposeClose } from './propose.ts'
import { findNamesOf } from './read-queries.ts'
import { findRuns, type RunKind, type RunRow } from './run-queries.ts'

/** What an operator asks for. */
export interface AskedRun {
  readonly program_id: number
  readonly kind: RunKind
  readonly merchant_id?: number | undefined
  /** The last day in Riyadh; now without it. */
  readonly until?: string | undefined
}

/** The run that has begun, or the proposal that waits for a second person instead. */
export interface Asked {
  readonly run: RunRow | null
  readonly proposal: ProposalRow | null
}

/** Operators ask for previews and closes in the dashboard; a worker does them: `run-job.ts`. */
export interface SettlementRuns {
  /** A program's runs, the newest first. */
  readonly list: (program_id: number) => Promise<readonly RunRow[]>
  /** @throws DomainError `validation` for a day that is not over, `merchant_not_found`, `settlement_running`, `proposals_full` */
  readonly ask: (asked: AskedRun, by: Actor, keep?: BeforeCommit<Asked>) => Promise<Asked>
}

export function createSettlementRuns(db: Database, clock: Clock): SettlementRuns {
  return {
    list: (program_id) => db.run(findRuns(program_id, most_kept)),
    async ask({ program_id, kind, merchant_id, until }, by, keep) {
      const now = clock.now()
      const until_at = periodEnd(until, now)
      if (until_at === null) return refuseFields({ field: 'until', rule: 'day_over' })
      const program = await readProgram(db, program_id)
      if (program === null) throw new DomainError({ kind: 'program_not_found' })
      if (merchant_id !== undefined && (await db.one(findNamesOf(program_id, [merchant_id]))) === undefined)
        throw new DomainError({ kind: 'merchant_not_found' })
      const proposes = kind === 'close' && program.two_person_settlements
      return db.transaction(async (tx) => {
        const asked: Asked = proposes
          ? { run: null, proposal: await proposeClose(tx, { program_id, merchant_id, until: until_at, by, now }) }
          : { run: await beginRun(tx, runOf({ program_id, kind, merchant_id, until_at, by })), proposal: null }
        await keep?.(tx, asked)
        return asked
      })
    },
  }
}
