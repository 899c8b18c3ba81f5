import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import {
  type MoneySum,
  type PointKind,
  type PointSum,
  type Position,
  type ProgramFees,
  positionOf,
  type Tie,
} from '../../domain/settlement.ts'
import { type AccountPeriod, findAccounts } from '../merchants/boundary-queries.ts'
import {
  countMoreOrders,
  type ExcludedEntry,
  findExcluded,
  findOutstanding,
  type MoneyRow,
  type Period,
  type PointRow,
  sumMoney,
  sumOldPoints,
  sumPoints,
} from './sum-queries.ts'

/** A program as its settlements need it. */
export interface SettlingProgram extends ProgramFees {
  readonly program_id: number
  /** The value of a point for entries that record none: the program's first. */
  readonly first_value: MicroSarPerPoint
  /** A close needs a second person. */
  readonly needs_two?: boolean
}

/** A period of a merchant with what it comes to. */
export interface SummedPeriod extends Period {
  readonly orders: number
  readonly position: Position
  /** Nothing counts in it. */
  readonly is_empty: boolean
  /** Net points after the period, and of orders that are left out. */
  readonly later_points: bigint
}

/** Called with the merchants summed so far. */
export type OnSummed = (done: number) => void

/** The pause after each merchant, as a part of the time that it took: earnings have the rest of the database. */
const rest_share = 4
/** A server may end a transaction that says nothing for long. */
const longest_rest_ms = 250
const page_size = 1_000

/** All merchants of a program, or one, with their boundaries. */
export async function accountsOf(
  db: Queryable,
  program_id: number,
  only: number | undefined,
): Promise<AccountPeriod[]> {
  const accounts: AccountPeriod[] = []
  for (let after = 0; ; ) {
    const page = await db.run(findAccounts(program_id, { only: only ?? null, after, limit: page_size }))
    accounts.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < page_size) return accounts
    after = last.merchant_id
  }
}

/** Runs `work` on one snapshot of the database, which changes nothing. */
export function onSnapshot<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction((tx) => {
    void tx.run({ text: 'set transaction isolation level repeatable read, read only', values: [] })
    return work(tx)
  })
}

/**
 * Sums periods of a program's merchants, one after the other: its statements take milliseconds, and an earning that meets
 * one waits no longer.
 */
export async function sumPeriods(
  tx: Transaction,
  program: SettlingProgram,
  periods: readonly Period[],
  onSummed: OnSummed = () => {},
): Promise<SummedPeriod[]> {
  const { program_id } = program
  const summed: SummedPeriod[] = []
  for (const period of periods) {
    const started_ms = performance.now()
    const [points, excluded, money, orders] = await Promise.all([
      tx.run(sumPoints(program_id, period)),
      tx.run(findExcluded(program_id, period)),
      tx.run(sumMoney(program_id, period)),
      tx.run(countMoreOrders(program_id, period)),
    ])
    const old = points.some(({ kind }) => kind === null) ? await tx.run(sumOldPoints(program_id, period)) : []
    const found = { points: [...points, ...old], excluded, money, more: orders[0]?.more ?? 0 }
    summed.push(sumPeriod(program, period, found))
    onSummed(summed.length)
    const took_ms = performance.now() - started_ms
    if (summed.length < periods.length) await sleep(Math.min(took_ms * rest_share, longest_rest_ms))
  }
  return summed
}

interface Found {
  readonly points: readonly PointRow[]
  readonly excluded: readonly ExcludedEntry[]
  readonly money: readonly MoneyRow[]
  /** Orders that have no earning in the period, less those that have one and do not count. */
  readonly more: number
}

function sumPeriod(program: SettlingProgram, period: Period, { points, excluded, money, more }: Found): SummedPeriod {
  const [within, later] = [new PointSums(program.first_value), new PointSums(program.first_value)]
  for (const { kind, later: isLater, micro_sar_per_point: value, entries, points: some } of points)
    if (kind !== null) (isLater ? later : within).add({ kind, value, entries, points: BigInt(some) })
  for (const entry of excluded) moveExcluded(period, entry, { within, later })
  const sums = within.sums()
  const earnings = sums.reduce((sum, { kind, entries }) => sum + (kind === 'earn' ? entries : 0), 0)
  const orders = earnings + more
  const moneySums = money.filter((row) => !row.later).map(moneySumOf)
  const position = positionOf(sums, moneySums, program)
  const is_empty = orders === 0 && sums.length === 0 && moneySums.length === 0
  const later_points = positionOf(later.sums(), [], program).net_points
  return { ...period, orders, position, is_empty, later_points }
}

/** Counts an entry of an order that is or was left out when its order is taken in, not when it was written. */
function moveExcluded(
  { from, until }: Period,
  entry: ExcludedEntry,
  { within, later }: { readonly within: PointSums; readonly later: PointSums },
): void {
  const { kind, micro_sar_per_point: value, created_at, included_at } = entry
  const points = BigInt(entry.points)
  const written = created_at.getTime()
  if (from === null || written >= from.getTime())
    (written < until.getTime() ? within : later).add({ kind, value, entries: -1, points: -points })
  const counts = included_at === null ? Number.POSITIVE_INFINITY : Math.max(written, included_at.getTime())
  ;(counts < until.getTime() ? within : later).add({ kind, value, entries: 1, points })
}

function moneySumOf({ kind, entries, halalas }: MoneyRow): MoneySum {
  return { kind, entries, halalas: BigInt(halalas) }
}

interface Addend {
  readonly kind: PointKind
  readonly value: MicroSarPerPoint | null
  readonly entries: number
  readonly points: bigint
}

/** Sums by kind and value of a point. */
class PointSums {
  readonly #first_value: MicroSarPerPoint
  readonly #sums = new Map<string, PointSum>()

  constructor(first_value: MicroSarPerPoint) {
    this.#first_value = first_value
  }

  add({ kind, value, entries, points }: Addend): void {
    const micro_sar_per_point = value ?? this.#first_value
    const key = `${kind} ${micro_sar_per_point}`
    const sum = this.#sums.get(key) ?? { kind, micro_sar_per_point, entries: 0, points: 0n }
    this.#sums.set(key, { ...sum, entries: sum.entries + entries, points: sum.points + points })
  }

  sums(): PointSum[] {
    return [...this.#sums.values()].filter(({ entries }) => entries !== 0)
  }
}

/** Compares what all merchants of a program come to with what its wallets hold, on the snapshot of the sums. */
export async function tieOf(
  tx: Transaction,
  program_id: number,
  accounts: readonly AccountPeriod[],
  summed: readonly SummedPeriod[],
): Promise<Tie> {
  const found = await tx.one(findOutstanding(program_id))
  return {
    outstanding_points: BigInt(found?.outstanding ?? 0),
    adjusted_points: BigInt(found?.adjusted ?? 0),
    settled_points: accounts.reduce((sum, { settled_points }) => sum + BigInt(settled_points), 0n),
    open_points: summed.reduce((sum, { position, later_points }) => sum + position.net_points + later_points, 0n),
  }
}
