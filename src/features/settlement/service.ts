import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { Actor, Change } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import { type Tie, ties } from '../../domain/settlement.ts'
import { after } from '../../domain/spans.ts'
import { CliError } from '../../lib/errors.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  type AccountPeriod,
  lockToClose,
  lockToSettle,
  moveSettled,
  raiseBoundaries,
} from '../merchants/boundary-queries.ts'
import { insertNotice } from './notice-queries.ts'
import { insertLines, insertSettlement } from './queries.ts'
import type { Period } from './sum-queries.ts'
import { accountsOf, onSnapshot, type SettlingProgram, type SummedPeriod, sumPeriods, tieOf } from './sums.ts'
import { type SettlementView, viewPeriod } from './view.ts'

/** How far a preview or a close is. */
export interface SettlementProgress {
  readonly step: 'closing' | 'adding up' | 'settling'
  readonly done: number
  readonly of: number
}

export interface SettlementRequest {
  readonly program: SettlingProgram
  /** One merchant; all of the program by default. */
  readonly merchant_id?: number | undefined
  /** The end of the periods, which is not in them: at most `now` and a millisecond. */
  readonly until: Date
  readonly progress?: ((progress: SettlementProgress) => void) | undefined
}

/** A preview, or the result of a close. `tie` is null for one merchant. */
export interface Settlements {
  readonly settlements: readonly SettlementView[]
  readonly tie: Tie | null
}

/** The end of a period that includes everything up to an instant, and the instant itself. */
export function justAfter(now: Date): Date {
  return after(now, 1)
}

/** What a close of now would give. Writes nothing, locks nothing. docs/spec/settlement.md#preview */
export async function previewSettlements(db: Database, request: SettlementRequest): Promise<Settlements> {
  const { program, merchant_id, until } = request
  return onSnapshot(db, async (tx) => {
    const accounts = await accountsOf(tx, program.program_id, merchant_id)
    const periods = accounts.map((account) => periodOf(account, until))
    const summed = await sumPeriods(tx, program, periods, progressOf(request, 'adding up', periods.length))
    const tie = merchant_id === undefined ? await tieOf(tx, program.program_id, accounts, summed) : null
    const settlements = summed.filter(({ is_empty }) => !is_empty).map((period) => viewPeriod(null, period))
    return { settlements, tie }
  })
}

export interface CloseRequest extends SettlementRequest {
  readonly now: Date
  /** The person who closes, for the audit log: the second one where two people have to agree. */
  readonly by?: Actor | undefined
  /** Who proposed it, where two people have to agree. */
  readonly proposed_by?: string | undefined
  /** The run of the dashboard that closes. */
  readonly run_uuid?: Uuid
  /** Called with each settlement once it is committed. */
  readonly onSettled?: ((settlement: SettlementView) => void) | undefined
}

/** The sums of a program do not agree with its wallets: nothing was settled. */
class SettlementsDoNotTie extends CliError {
  readonly tie: Tie

  constructor(tie: Tie) {
    super(
      'The points of the merchants do not come to those of the wallets: run `nuqta ledger verify`. Nothing was settled.',
    )
    this.tie = tie
  }
}

/**
 * Closes the periods of merchants up to `until` and settles them, each in a transaction of its own. Periods without anything are
 * passed over. After an interruption, call it again: what an earlier call has closed is settled first.
 * docs/decisions/0034-settlement.md
 * @throws SettlementsDoNotTie, or a CliError where two people have to agree and one closes
 */
export async function closeSettlements(db: Database, request: CloseRequest): Promise<Settlements> {
  if (request.program.needs_two === true && request.proposed_by === undefined)
    throw new CliError('This program closes settlements with two people: nobody has proposed this one.')
  const earlier = await settleClosed(db, request)
  await closePeriods(db, request)
  const later = await settleClosed(db, request)
  const tie = later.tie ?? earlier.tie
  return {
    settlements: [...earlier.settlements, ...later.settlements],
    // An earlier call may have settled all.
    tie: tie === null && request.merchant_id === undefined ? (await sumClosed(db, request)).tie : tie,
  }
}

/** Boundaries moved by one transaction: it holds back earnings of these merchants, for milliseconds. */
const closed_at_once = 50

/** Closes periods: from then on nothing changes before `until`. Merchants with an earning under way come last, one by one. */
async function closePeriods(db: Database, request: CloseRequest): Promise<void> {
  const { program, merchant_id, until } = request
  const { program_id } = program
  const accounts = await accountsOf(db, program_id, merchant_id)
  const open = accounts.filter(({ closing_to }) => closing_to === null || closing_to < until)
  const busy: number[] = []
  const progress = progressOf(request, 'closing', open.length)
  for (let from = 0; from < open.length; from += closed_at_once) {
    const ids = open.slice(from, from + closed_at_once).map(({ merchant_id: id }) => id)
    const closed = await closeSome(db, program_id, ids, until, 'skip')
    busy.push(...ids.filter((id) => !closed.has(id)))
    progress(from + ids.length - busy.length)
  }
  for (const id of busy) await closeSome(db, program_id, [id], until, 'wait')
  progress(open.length)
}

function closeSome(
  db: Database,
  program_id: number,
  ids: readonly number[],
  until: Date,
  lock: 'skip' | 'wait',
): Promise<ReadonlySet<number>> {
  return db.transaction(async (tx) => {
    const locked = (await tx.run(lockToClose(program_id, ids, until, lock))).map(({ merchant_id }) => merchant_id)
    if (locked.length > 0) void tx.run(raiseBoundaries(program_id, locked, until))
    return new Set(locked)
  })
}

/** Settles all periods that are closed and not settled yet. One person may: whoever closed them was allowed to. */
export async function settleClosed(db: Database, request: CloseRequest): Promise<Settlements> {
  const { program, merchant_id } = request
  const { program_id } = program
  const known = await accountsOf(db, program_id, merchant_id)
  if (!known.some(isClosed)) return { settlements: [], tie: null }
  const { closed, tie } = await sumClosed(db, request)
  if (tie !== null && !ties(tie)) throw new SettlementsDoNotTie(tie)
  return { settlements: await settleAll(db, request, closed), tie }
}

/** Adds up the periods that are closed and not settled yet. The tie needs no such period: it is of all points of the program. */
function sumClosed(
  db: Database,
  request: SettlementRequest,
): Promise<{ readonly closed: readonly SummedPeriod[]; readonly tie: Tie | null }> {
  const { program, merchant_id } = request
  const { program_id } = program
  return onSnapshot(db, async (tx) => {
    const accounts = await accountsOf(tx, program_id, merchant_id)
    // The tie needs the points of all merchants, also of those with nothing to settle: theirs are all open.
    const periods = accounts.map((account) => periodOf(account, account.closing_to ?? beginning))
    const summed = await sumPeriods(tx, program, periods, progressOf(request, 'adding up', periods.length))
    const ending = new Set(accounts.filter(isClosed).map(({ merchant_id: id }) => id))
    const closed = summed.filter(({ merchant_id: id }) => ending.has(id))
    return { closed, tie: merchant_id === undefined ? await tieOf(tx, program_id, accounts, summed) : null }
  })
}

const beginning = new Date(0)

function isClosed({ closing_to, settled_to }: AccountPeriod): boolean {
  return closing_to !== null && (settled_to === null || settled_to < closing_to)
}

function periodOf({ merchant_id, account_id, settled_to }: AccountPeriod, until: Date): Period {
  return { merchant_id, account_id, from: settled_to, until }
}

async function settleAll(
  db: Database,
  request: CloseRequest,
  periods: readonly SummedPeriod[],
): Promise<SettlementView[]> {
  const progress = progressOf(request, 'settling', periods.length)
  const settlements: SettlementView[] = []
  for (const [index, period] of periods.entries()) {
    const settlement = await settle(db, request, period)
    if (settlement !== null) {
      settlements.push(settlement)
      request.onSettled?.(settlement)
    }
    progress(index + 1)
  }
  return settlements
}

/** Another close has settled the period. */
class SettledMeanwhile extends Error {}

/** Gives the settlement of a closed period; null if there is nothing in it, or another close was faster. */
async function settle(db: Database, request: CloseRequest, period: SummedPeriod): Promise<SettlementView | null> {
  const { program } = request
  const { program_id } = program
  const { merchant_id, is_empty, position } = period
  const settlement_id = newUuid()
  const view = viewPeriod(settlement_id, period)
  const settled = db.transaction(async (tx) => {
    if (!is_empty) {
      void tx.run(insertSettlement(program, settlement_id, period, request))
      void tx.run(insertLines(program_id, settlement_id, position.lines))
      void tx.run(insertNotice(program_id, settlement_id, new Date()))
      audit(tx, request.by, [changeOf(request, settlement_id, view)])
    }
    // Lock last: earnings that meet this lock are refused, so hold it briefly.
    void tx.run(lockToSettle(program_id, merchant_id))
    const moved = await tx.one(moveSettled({ program_id, merchant_id }, { ...period, net_points: position.net_points }))
    if (moved === undefined) throw new SettledMeanwhile('another close has settled this period')
    return is_empty ? null : view
  })
  return settled.catch((error: unknown) => {
    if (error instanceof SettledMeanwhile) return null
    throw error
  })
}

function changeOf({ program, proposed_by }: CloseRequest, settlement_id: Uuid, view: SettlementView): Change {
  const { settlement_id: _, ...settled } = view
  return {
    program_id: program.program_id,
    merchant_id: view.merchant_id,
    action: 'settlement.close',
    object: `settlement:${settlement_id}`,
    before: null,
    after: { ...settled, ...(proposed_by === undefined ? {} : { proposed_by }) },
  }
}

function progressOf({ progress }: SettlementRequest, step: SettlementProgress['step'], of: number) {
  return (done: number): void => progress?.({ step, done, of })
}
