import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import { uuidV7Floor } from '../../domain/ids.ts'
import { minute_ms } from '../../domain/spans.ts'
import { grace_ms } from './count.ts'
import { type ComparedPeriod, figuresOf, type PeriodFigures } from './overview.ts'
import { findFreshness, findProgramDays, sumWallets, type WalletTotals } from './queries.ts'

export interface ProgramFigures extends PeriodFigures {
  readonly wallets: WalletTotals
}

export type ReadProgramFigures = (program_id: number, compared: ComparedPeriod) => Promise<ProgramFigures>

/** Adding up reads every wallet, so it is done once a minute, however many operators look. */
const wallets_for_ms = minute_ms
const most_programs = 200
const nobody: WalletTotals = { customers: 0, posted: '0', held: '0' }

/** Makes the function that gives the figures of a program: those of its merchants together, and what its customers hold. */
export function createReadProgramFigures(db: Database): ReadProgramFigures {
  const wallets = new LRUCache<number, Promise<WalletTotals>>({ max: most_programs, ttl: wallets_for_ms })
  const walletsOf = (program_id: number): Promise<WalletTotals> => {
    const known = wallets.get(program_id)
    if (known !== undefined) return known
    const asked = db.one(sumWallets(program_id)).then((row) => row ?? nobody)
    wallets.set(program_id, asked)
    // The next one asks again.
    asked.catch(() => wallets.delete(program_id))
    return asked
  }
  return async (program_id, { period, before }) => {
    const settled_ms = Date.now() - grace_ms
    const [rows, freshness, totals] = await Promise.all([
      db.run(findProgramDays(program_id, { from: before.from, to: period.to })),
      db.one(findFreshness(program_id, uuidV7Floor(settled_ms))),
      walletsOf(program_id),
    ])
    return { ...figuresOf({ rows, freshness, period, before, settled_ms }), wallets: totals }
  }
}
