import { createHash } from 'node:crypto'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { DomainError } from '../../domain/failures.ts'
import { lockToClose, raiseBoundaries } from '../merchants/boundary-queries.ts'
import { lockProgram } from '../merchants/program-queries.ts'
import type { ProposalRow } from '../proposals/queries.ts'
import { areFacts, type ProposalExecutor, propose } from '../proposals/service.ts'
import { beginRun, runOf } from './begin-run.ts'
import { type CloseRequest, closeSettlements, type Settlements, settleClosed } from './service.ts'
import { accountsOf } from './sums.ts'

interface ProposedClose {
  /** The end of the periods, which is not in them. */
  readonly until: string
  readonly merchant_id?: number
}

interface Proposing {
  readonly program_id: number
  readonly merchant_id?: number | undefined
  readonly until: Date
  readonly by: Actor
  readonly now: Date
}

/**
 * Proposes to close periods, where a program closes with two people, in the caller's transaction.
 * docs/spec/two-people.md#settlements
 */
export async function proposeClose(tx: Transaction, asked: Proposing): Promise<ProposalRow> {
  const { program_id, merchant_id, until, by, now } = asked
  const payload: ProposedClose = {
    until: until.toISOString(),
    ...(merchant_id === undefined ? {} : { merchant_id }),
  }
  const facts = await factsOf(tx, program_id, merchant_id)
  return propose(tx, { program_id, kind: 'settlement.close', payload, facts, by, now })
}

/**
 * Where the open periods begin, and the fees: a close of any of the merchants, or another fee, makes the proposal stale. Locks
 * the program before it reads: another confirmation may have been waited for.
 */
async function factsOf(tx: Transaction, program_id: number, merchant_id: number | undefined) {
  const program = await tx.one(lockProgram(program_id))
  const accounts = await accountsOf(tx, program_id, merchant_id)
  if (program === undefined) throw new Error('a program has disappeared')
  const closed = accounts.flatMap(({ merchant_id: id, closing_to }) =>
    closing_to === null ? [] : [{ id, closing_to }],
  )
  const ends = closed.map(({ closing_to }) => closing_to.toISOString())
  const { fee_earn_bp, fee_redeem_bp, fee_vat_bp } = program
  return {
    closed_to: ends.reduce<string | null>((last, end) => (last === null || end > last ? end : last), null),
    // However many merchants there are, the facts stay small.
    closed_periods: createHash('sha256').update(JSON.stringify(closed)).digest('base64url'),
    ...{ fee_earn_bp, fee_redeem_bp, fee_vat_bp },
  }
}

/** Closes the periods in the transaction that records the confirmation, and asks a worker to settle them. */
export const closeExecutor: ProposalExecutor = {
  facts: (tx, { program_id, payload }) => factsOf(tx, program_id, (payload as ProposedClose).merchant_id),
  async execute(tx, { program_id, payload, facts, proposed_by }, { by }) {
    const { merchant_id, until: end } = payload as ProposedClose
    const until = new Date(end)
    const ids = (await accountsOf(tx, program_id, merchant_id)).map((one) => one.merchant_id)
    const locked = (await tx.run(lockToClose(program_id, ids, until, 'wait'))).map((one) => one.merchant_id)
    // A close that began before the program asked for two people may have ended periods before these locks.
    if (!areFacts(await factsOf(tx, program_id, merchant_id), facts)) throw new DomainError({ kind: 'proposal_stale' })
    if (locked.length > 0) void tx.run(raiseBoundaries(program_id, locked, until))
    await beginRun(tx, runOf({ program_id, kind: 'close', merchant_id, until_at: until, by: { ...by, proposed_by } }))
  },
}

/** What a close has settled, or the proposal that waits for a second person instead. */
export interface Closed extends Settlements {
  readonly proposal: ProposalRow | null
}

/** Closes and settles; or settles what is closed already, and proposes the rest, where the program has two people close. */
export async function closeOrPropose(db: Database, request: CloseRequest & { readonly by: Actor }): Promise<Closed> {
  if (request.program.needs_two !== true) return { ...(await closeSettlements(db, request)), proposal: null }
  const earlier = await settleClosed(db, request)
  const { program, merchant_id, until, by, now } = request
  const asked = { program_id: program.program_id, merchant_id, until, by, now }
  return { ...earlier, proposal: await db.transaction((tx) => proposeClose(tx, asked)) }
}
