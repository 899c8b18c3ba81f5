import type { Database } from '../../db/pool.ts'
import { dayOf } from '../../domain/day.ts'
import type { Uuid } from '../../domain/ids.ts'
import { availablePoints } from '../../domain/ledger.ts'
import type { Phone } from '../../domain/phone.ts'
import { type MicroSarPerPoint, NO_POINTS, type Points } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { terms } from '../../domain/terms.ts'
import type { Clock } from '../../lib/clock.ts'
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
  type ProgramFound,
  sumPendingOf,
} from './queries.ts'

/** A program with the version of its terms in force. */
export interface ProgramView extends Omit<ProgramFound, 'own_terms'> {
  readonly terms_version: string
}

/** A wallet as its customer sees it. docs/spec/terms.md#wallet */
export interface WalletView {
  readonly name: string | null
  readonly phone: Phone
  /** Below 0 after a refund of spent points. docs/spec/points-and-money.md#negative-wallet */
  readonly available: Points
  readonly held: Points
  readonly holds: readonly OpenHold[]
  readonly micro_sar_per_point: MicroSarPerPoint
}

/** A page of movements, the newest first. `older` is the cursor of the next page; null on the last. */
export interface History {
  readonly movements: readonly Movement[]
  readonly older: number | null
}

/** The movements of a period, the oldest first. The opening balance and the movements add up to the closing balance. */
export interface Statement {
  readonly opening: Points
  readonly movements: readonly Movement[]
  readonly closing: Points
}

/** Gives the program with this id, or the deployment's first one for null; null if there is none. */
export type ReadProgram = (program_id: number | null) => Promise<ProgramView | null>

/** Gives the points that the customer of a phone gets on joining. */
export type ReadWaiting = (program_id: number, phone: Phone) => Promise<Points>

/** Null once the customer is erased. */
export type ReadWallet = (program_id: number, customer_id: Uuid) => Promise<WalletView | null>

/** `before` is the `older` of a page; null for the first. */
export type ReadHistory = (
  program_id: number,
  customer_id: Uuid,
  page: { readonly before: number | null; readonly limit: number },
) => Promise<History>

/** From `from` up to, but without, `to`. Null if there are too many movements. */
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
export function createWalletService(db: Database, clock: Clock): WalletService {
  return {
    async readProgram(program_id) {
      const wanted = program_id ?? (await listPrograms(db))[0]?.program_id
      const found = wanted === undefined ? undefined : await db.one(findProgramById(wanted, dayOf(clock.now())))
      return found === undefined ? null : { ...found, terms_version: found.own_terms ?? terms.version }
    },
    async readWaiting(program_id, phone) {
      return (await db.one(sumPendingOf(program_id, phone)))?.points ?? NO_POINTS
    },
    async readWallet(program_id, customer_id) {
      const key = { program_id, customer_id }
      const row = await db.one(findWalletOf(key))
      if (row === undefined) throw new Error('a customer has no wallet')
      const { posted, held, rates, name, phone } = row
      if (phone === null) return null
      const micro_sar_per_point = rateAt(rates, clock.now())
      const holds = held === NO_POINTS ? [] : await db.run(findOpenHolds(key))
      return { name, phone, held, holds, micro_sar_per_point, available: availablePoints({ posted, held }) }
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
 * Cuts by versions, not by times: after a clock was set back the times do not grow with the versions, but the statement
 * still adds up, even while points move.
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
