import { first_uuid, last_uuid, type Uuid, uuidBefore, uuidV7Floor, uuidV7Time } from '../domain/ids.ts'
import { inParallel } from '../lib/in-parallel.ts'
import { type About, type Check, subjectsOf } from './checks/check.ts'
import { dailyFigureChecks } from './checks/daily-figures.ts'
import { entryChecks } from './checks/ledger.ts'
import { liabilityChecks } from './checks/liability.ts'
import { checkoutChecks, orderChecks } from './checks/orders.ts'
import type { QuickCheck, QuickCount } from './checks/quick.ts'
import { transferCheck, walletCheck } from './checks/quick-ledger.ts'
import { orderCheck, refundCheck } from './checks/quick-orders.ts'
import { settlementChecks } from './checks/settlement.ts'
import { holdChecks, walletChecks } from './checks/wallets.ts'
import type { Database, Queryable } from './pool.ts'
import { allPrograms } from './programs.ts'

/** Every rule that `verifyLedger` checks. */
export const checks: readonly Check[] = [
  ...entryChecks,
  ...walletChecks,
  ...holdChecks,
  ...orderChecks,
  ...checkoutChecks,
  ...settlementChecks,
]

const figureChecks: readonly Check[] = [...dailyFigureChecks, ...liabilityChecks]
const quickChecks: readonly QuickCheck[] = [transferCheck, walletCheck, orderCheck, refundCheck]
const findSubjects = subjectsOf([...checks, ...figureChecks, ...quickChecks])
const covered = new Set(quickChecks.flatMap((quick) => quick.checks))

/** One violation of a rule of the ledger. */
export interface Difference {
  readonly program_id: number
  /** The name of the rule. */
  readonly check: string
  /** The id of the transfer, account, hold, order or event. */
  readonly id: string
  readonly detail: string
}

export interface Verification {
  readonly transfers: number
  readonly entries: number
  readonly wallets: number
  readonly differences: readonly Difference[]
}

/** The rows checked so far. */
export type Verified = Omit<Verification, 'differences'>

/** A transaction has no transactions of its own. */
type Source = Queryable & Partial<Pick<Database, 'transaction'>>

/** The most differences reported per rule and program. */
const most_differences = 1_000
/** Connections that check at the same time where nothing runs beside it, each with one process of PostgreSQL. */
export const default_workers = 2

/** What to verify, and how. */
export interface VerifyOptions {
  /** Called after each part with the rows checked so far, and what they are: `rules` at the end is what no part covers. */
  readonly progress?: (verified: Verified, step: string) => void
  /** Ends it between two statements, with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Those to check; by default all. */
  readonly programs?: readonly number[] | undefined
  /** How many connections check at the same time: fewer leave more of the processors to the service. */
  readonly workers?: number
  /** Also compare the daily figures of merchants and the reports of liability, which reads every order and entry once more. */
  readonly figures?: boolean
}

interface Scope {
  readonly program_id: number
  readonly signal: AbortSignal | undefined
  readonly oldest: Uuid
  readonly workers: number
  readonly asked: readonly Check[]
}

/**
 * Recomputes the ledger from its entries and compares sums, versions, balances, wallets, holds, orders and events. It
 * only reads and takes no locks, so it can run beside the service. Quick checks read the large tables in parts, each in
 * its own snapshot: a rule compares only rows written in one transaction, so no part sees half of them. If a part looks
 * wrong, the exact checks run over the whole program to find the violations.
 * @returns the rows checked, and the violations
 */
export async function verifyLedger(
  db: Source,
  { progress = () => {}, programs, workers = default_workers, figures = false, signal }: VerifyOptions = {},
): Promise<Verification> {
  const oldest = await oldestEvents(db)
  const totals = { transfers: 0, entries: 0, wallets: 0 }
  const differences: Difference[] = []
  for (const program_id of programs ?? (await db.run(allPrograms())).map((program) => program.program_id)) {
    const present = new Set((await db.run(findSubjects(program_id))).map(({ subject }) => subject))
    const isNeeded = ({ subjects }: About): boolean => subjects.some((subject) => present.has(subject))
    const asked = (figures ? [...checks, ...figureChecks] : checks).filter(isNeeded)
    const scope = { program_id, oldest, workers, signal, asked }
    const suspected = new Map<QuickCheck, Uuid>()
    await inParallel(workers, partsOf(db, program_id, quickChecks.filter(isNeeded)), async ({ quick, from, to }) => {
      signal?.throwIfAborted()
      const found = await runQuickCheck(db, quick, { ...scope, from, to })
      totals.transfers += found.transfers
      totals.entries += found.entries
      totals.wallets += found.wallets
      if (found.suspects > 0) suspected.set(quick, from)
      progress(totals, quick.name)
    })
    progress(totals, 'rules')
    differences.push(...(await nameDifferences(db, scope, suspected)))
  }
  return { ...totals, differences }
}

interface Part {
  readonly quick: QuickCheck
  readonly from: Uuid
  readonly to: Uuid
}

/**
 * Gives the parts of a program's tables, with an equal number of keys. No key lies between two parts, before the first or
 * after the last.
 */
async function* partsOf(db: Source, program_id: number, asked: readonly QuickCheck[]): AsyncGenerator<Part> {
  for (const quick of asked) {
    for (let from: Uuid | undefined = first_uuid; from !== undefined; ) {
      const next: { key: Uuid } | undefined = await db.one(quick.endOfPart(program_id, from, quick.part_size))
      yield { quick, from, to: next === undefined ? last_uuid : uuidBefore(next.key) }
      from = next?.key
    }
  }
}

async function runQuickCheck(
  db: Source,
  { count, settings }: QuickCheck,
  { program_id, oldest, from, to }: Omit<Scope, 'workers' | 'asked' | 'signal'> & Omit<Part, 'quick'>,
): Promise<QuickCount> {
  const statement = count(program_id, from, to, oldest, ...around(from, to))
  // Settings only change how fast it is.
  const found =
    settings === undefined || db.transaction === undefined
      ? await db.one(statement)
      : await db.transaction((tx) => tx.one(statement), { settings })
  return found ?? { transfers: 0, entries: 0, wallets: 0, suspects: 0 }
}

/** Rows of one transaction get their ids within this time. */
const transaction_ms = 5_000

/** Extends a part, whose keys are times, to the rows written at about the same time. */
function around(from: Uuid, to: Uuid): readonly [from: Uuid, to: Uuid] {
  return [
    uuidV7Floor(uuidV7Time(from) - transaction_ms),
    to === last_uuid ? last_uuid : uuidV7Floor(Math.min(2 ** 48 - 1, uuidV7Time(to) + transaction_ms)),
  ]
}

/** Runs the checks that no quick check covers, and those whose quick check found suspects. */
async function nameDifferences(
  db: Source,
  scope: Scope,
  suspected: ReadonlyMap<QuickCheck, Uuid>,
): Promise<readonly Difference[]> {
  const doubted = new Set([...suspected.keys()].flatMap((quick) => quick.checks))
  const differences: Difference[] = []
  const ask = async (wanted: (name: string) => boolean): Promise<void> => {
    const asked = scope.asked.filter(({ name }) => wanted(name))
    const found = new Map<Check, readonly Difference[]>()
    await inParallel(scope.workers, asked.values(), async (check) => {
      scope.signal?.throwIfAborted()
      found.set(check, await runCheck(db, check, scope))
    })
    differences.push(...asked.flatMap((check) => found.get(check) ?? []))
  }
  await ask((name) => !covered.has(name))
  // The quick checks assume that the accounts of merchants exist.
  if (differences.some(({ check }) => check === 'owner_without_account')) doubted.add('entry_without_account')
  await ask((name) => doubted.has(name))
  const named = new Set(differences.map(({ check }) => check))
  for (const [quick, id] of suspected) {
    if (quick.checks.some((name) => named.has(name))) continue
    const detail = `something is wrong with the ${quick.name} from here on, which no rule can name`
    differences.push({ program_id: scope.program_id, check: quick.name, id, detail })
  }
  return differences
}

async function runCheck(db: Source, check: Check, { program_id, oldest }: Scope): Promise<Difference[]> {
  // Every check gets both values, used or not.
  const rows = await db.run<{ id: string; detail: string }>({
    text: `select id::text as id, detail from (${check.sql}) found
      where $2::uuid is not null order by id, detail limit ${most_differences}`,
    values: [program_id, oldest],
  })
  return rows.map(({ id, detail }) => ({ program_id, check: check.name, id, detail }))
}

/** Gives the lowest id of the oldest month whose events still exist. The events of older orders are gone. */
async function oldestEvents(db: Source): Promise<Uuid> {
  const partition = await db.one<{ name: string | null }>({
    text: `select min(c.relname) as name from pg_catalog.pg_inherits i
      join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass('event') and c.relname ~ '^event_[0-9]{4}_[0-9]{2}$'`,
    values: [],
  })
  const month = /^event_(\d{4})_(\d{2})$/.exec(partition?.name ?? '')
  return uuidV7Floor(month === null ? 0 : Date.UTC(Number(month[1]), Number(month[2]) - 1, 1))
}
