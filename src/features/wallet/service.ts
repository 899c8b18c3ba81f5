import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Phone } from '../../domain/phone.ts'
import { type MicroSarPerPoint, NO_POINTS, type Points } from '../../domain/points.ts'
import { listPrograms } from '../merchants/programs.ts'
import {
  type Balance,
  findBalanceBefore,
  findMovements,
  findOpenHolds,
  findProgramById,
  findWalletOf,
  type Movement,
  type OpenHold,
  type ProgramView,
  sumPendingOf,
} from './queries.ts'

export type { Movement, OpenHold, ProgramView }

/** What a customer sees of the wallet. Decisions §1, "wallet". */
export interface WalletView {
  readonly name: string | null
  readonly phone: Phone
  /** What can be spent; below 0 after a refund of points that were spent (decisions §8). */
  readonly available: Points
  readonly held: Points
  readonly holds: readonly OpenHold[]
  readonly micro_sar_per_point: MicroSarPerPoint
}

/** Movements, the newest first; `older` is what to ask for those before them, null where there are none. */
export interface History {
  readonly movements: readonly Movement[]
  readonly older: number | null
}

/** Movements of a time, the oldest first; the opening balance and they come to the closing one. */
export interface Statement {
  readonly opening: Points
  readonly movements: readonly Movement[]
  readonly closing: Points
}

/** The program of this id, or the deployment's first; null when there is none. */
export type ReadProgram = (program_id: number | null) => Promise<ProgramView | null>

/** The points that wait for a phone until its customer joins. */
export type ReadWaiting = (program_id: number, phone: Phone) => Promise<Points>

export type ReadWallet = (program_id: number, customer_id: Uuid) => Promise<WalletView>

/** `before` is the `older` of a page. */
export type ReadHistory = (
  program_id: number,
  customer_id: Uuid,
  page: { readonly before: number | null; readonly limit: number },
) => Promise<History>

/** From an instant, up to another and without it; null for more movements than a statement has. */
export type ReadStatement = (
  program_id: number,
  customer_id: Uuid,
  time: { readonly from: Date; readonly to: Date },
) => Promise<Statement | null>

export interface WalletService {
  readonly readProgram: ReadProgram
  readonly readWaiting: ReadWaiting
  readonly readWallet: ReadWallet
  readonly readHistory: ReadHistory
  readonly readStatement: ReadStatement
}

/** The most movements of one statement. */
const max_statement_movements = 2_000

const none: Balance = { version: 0, balance: NO_POINTS }

/** Reads wallets; changes nothing. */
export function createWalletService(db: Database): WalletService {
  return {
    async readProgram(program_id) {
      if (program_id === null) return (await listPrograms(db))[0] ?? null
      return (await db.one(findProgramById(program_id))) ?? null
    },
    async readWaiting(program_id, phone) {
      return (await db.one(sumPendingOf(program_id, phone)))?.points ?? NO_POINTS
    },
    async readWallet(program_id, customer_id) {
      const key = { program_id, customer_id }
      const row = await db.one(findWalletOf(key))
      if (row === undefined) throw new Error('a customer is there and has no wallet')
      const { posted, held, ...view } = row
      const holds = held === NO_POINTS ? [] : await db.run(findOpenHolds(key))
      return { ...view, held, holds, available: availablePoints({ posted, held }) }
    },
    async readHistory(program_id, customer_id, { before, limit }) {
      const span = { after: 0, until: before === null ? Number.MAX_SAFE_INTEGER : before - 1 }
      const found = await db.run(findMovements({ program_id, customer_id }, span, limit + 1))
      const movements = found.slice(0, limit)
      return { movements, older: found.length > limit ? (movements.at(-1)?.version ?? null) : null }
    },
    readStatement: (program_id, customer_id, time) => readStatement(db, { program_id, customer_id }, time),
  }
}

/**
 * A clock that was set back makes times that do not grow with the versions; cut by versions, a statement adds up all the
 * same, also while points come and go.
 */
async function readStatement(
  db: Database,
  key: { readonly program_id: number; readonly customer_id: Uuid },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Statement | null> {
  const opening = (await db.one(findBalanceBefore(key, from))) ?? none
  const closing = (await db.one(findBalanceBefore(key, to))) ?? none
  const span = { after: opening.version, until: closing.version }
  const movements = await db.run(findMovements(key, span, max_statement_movements + 1))
  if (movements.length > max_statement_movements) return null
  return { opening: opening.balance, movements: movements.toReversed(), closing: closing.balance }
}
