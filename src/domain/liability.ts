/**
 * What a program owes its customers at the end of a day, and how old it is. Sums over many wallets have no bound, so they
 * are bigints. docs/spec/liability.md
 */

import { addDays, type Day, dayOf, type Month, monthOf, startOfDay } from './day.ts'
import type { MicroSarPerPoint } from './points.ts'
import { before, minute_ms } from './spans.ts'

/** The month `months` later, or earlier if below 0. */
export function addMonths(month: Month, months: number): Month {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months
  const year = String(Math.floor(count / 12)).padStart(4, '0')
  return `${year}-${String((count % 12) + 1).padStart(2, '0')}-01` as Month
}

/** Transactions end within this time. Once it has passed after an instant, the ledger before that instant is final. */
const ledger_grace_ms = minute_ms

/**
 * The instant up to which a report of a day counts: the end of the day, or a minute ago if that is earlier. Its numbers are
 * final if it is the end of the day. Null for a day that has not begun. docs/spec/liability.md#day
 */
export function boundaryOf(day: Day, now: Date): { readonly until: Date; readonly is_final: boolean } | null {
  if (day > dayOf(now)) return null
  const end = startOfDay(addDays(day, 1))
  const settled = before(now, ledger_grace_ms)
  return end <= settled ? { until: end, is_final: true } : { until: settled, is_final: false }
}

/** Points that a wallet got in a month, all of one value. */
export interface Lot {
  readonly month: Month
  readonly micro_sar_per_point: MicroSarPerPoint
  /** Earned or credited, less what refunds took back of the same orders. */
  readonly kept_points: bigint
  /** Came back in this month from refunded redemptions. */
  readonly returned_points: bigint
}

export interface LotLeft extends Lot {
  readonly left_points: bigint
}

/**
 * Takes the balance of a wallet (posted points) and its lots, oldest first; gives what is left of each. Points are used
 * oldest first, so the newest are left; a returned point was never used, and a reversed one never issued. A wallet below
 * zero has none left. `before`: what was left of earlier lots, of this wallet and of those merged into it, when these lots
 * began. docs/spec/liability.md#age
 */
export function leftOf(posted: bigint, lots: readonly Lot[], before: readonly LotLeft[] = []): readonly LotLeft[] {
  let rest = posted > 0n ? posted : 0n
  const take = (most: bigint): bigint => {
    const taken = most < rest ? most : rest
    if (taken <= 0n) return 0n
    rest -= taken
    return taken
  }
  const all = before.length === 0 ? lots.map((lot) => ({ ...lot, free: lot.kept_points })) : joined(before, lots)
  const left = all.map(() => 0n)
  const fill = (bound: (lot: LotFree) => bigint): void => {
    for (const [n, lot] of [...all.entries()].reverse()) left[n] = (left[n] ?? 0n) + take(bound(lot) - (left[n] ?? 0n))
  }
  fill(({ free }) => free)
  // More came back than was used since: it had been used before a merge,
  fill(({ kept_points }) => kept_points)
  // or in a wallet that was empty when it was merged.
  fill(({ kept_points, returned_points }) => (kept_points > 0n ? kept_points : 0n) + returned_points)
  return all.map(({ free: _, ...lot }, n) => ({ ...lot, left_points: left[n] ?? 0n }))
}

/** A lot with the points that can be left if no redeemed points come back. */
type LotFree = Lot & { readonly free: bigint }

/** Adds lots to what was left before, by month and value, oldest first. */
function joined(before: readonly LotLeft[], lots: readonly Lot[]): readonly LotFree[] {
  const all = new Map<string, LotFree>()
  for (const lot of [
    ...before.map(({ left_points, ...one }) => ({ ...one, free: left_points })),
    ...lots.map((one) => ({ ...one, free: one.kept_points })),
  ]) {
    const key = `${lot.month} ${lot.micro_sar_per_point}`
    const { kept_points, returned_points, free } = all.get(key) ?? { kept_points: 0n, returned_points: 0n, free: 0n }
    all.set(key, {
      ...lot,
      kept_points: kept_points + lot.kept_points,
      returned_points: returned_points + lot.returned_points,
      free: free + lot.free,
    })
  }
  return [...all.values()].sort((one, other) => (one.month < other.month ? -1 : Number(one.month > other.month)))
}

/** The history of a wallet from its beginning, or from a merge into it, up to the next one. */
export interface Stretch {
  /** What the merge moved, and what was left of the lots of the wallet that was given up. */
  readonly merged_points: bigint
  readonly merged: readonly LotLeft[]
  /** What its other entries come to. */
  readonly moved_points: bigint
  /** Oldest first. */
  readonly lots: readonly Lot[]
}

/** Gives what is left of the lots of a wallet, with those that merges brought. A merge changes neither. */
export function leftAfter(stretches: readonly Stretch[]): readonly LotLeft[] {
  let posted = 0n
  let left: readonly LotLeft[] = []
  for (const { merged_points, merged, moved_points, lots } of stretches) {
    posted += merged_points + moved_points
    left = leftOf(posted, lots, [...left, ...merged])
  }
  return left
}

/** A wallet at the end of a day. */
export interface WalletThen {
  readonly posted: bigint
  readonly held: bigint
  /** Oldest first. A wallet that was given up keeps its lots: a merge issues nothing. */
  readonly lots: readonly Lot[]
  /** What is left of these lots and of those that came with a merge. For a wallet without a merge, `leftOf` gives it. */
  readonly left?: readonly LotLeft[] | undefined
}

/** Sums over wallets. */
export interface WalletSums {
  readonly wallets: number
  readonly wallets_below_zero: number
  /** Of the wallets above zero. */
  readonly owed_points: bigint
  /** Of the wallets below zero, as a positive number: their customers owe it to the program. */
  readonly receivable_points: bigint
  /** Held for open orders; they are part of the owed points. */
  readonly held_points: bigint
  readonly months: readonly MonthLeft[]
}

/** What is left of the points of a month. */
export interface MonthLeft {
  readonly month: Month
  readonly kept_points: bigint
  readonly left_points: bigint
  /** The value of what is left, at the rates that were recorded when it was issued. */
  readonly left_micro_sar: bigint
}

/** Adds wallets up. However they are cut into parts, the sums of the parts are the same. */
export function sumWallets(wallets: readonly WalletThen[]): WalletSums {
  const months = new Map<Month, MonthLeft>()
  for (const { posted, lots, left = leftOf(posted, lots) } of wallets) {
    for (const { month, kept_points } of lots) months.set(month, addTo(months.get(month), { month, kept_points }))
    for (const lot of left) months.set(lot.month, addTo(months.get(lot.month), leftIn(lot)))
  }
  const sum = (of: (wallet: WalletThen) => bigint): bigint => wallets.reduce((total, wallet) => total + of(wallet), 0n)
  return {
    wallets: wallets.length,
    wallets_below_zero: wallets.filter(({ posted }) => posted < 0n).length,
    owed_points: sum(({ posted }) => (posted > 0n ? posted : 0n)),
    receivable_points: sum(({ posted }) => (posted < 0n ? -posted : 0n)),
    held_points: sum(({ held }) => held),
    months: [...months.values()],
  }
}

function leftIn({ month, left_points, micro_sar_per_point }: LotLeft): Partial<MonthLeft> & Pick<MonthLeft, 'month'> {
  return { month, left_points, left_micro_sar: left_points * BigInt(micro_sar_per_point) }
}

/** Sums may be below 0 in between: after a merge, a refund can belong to another wallet than its order. */
function addTo(sum: MonthLeft | undefined, more: Partial<MonthLeft> & Pick<MonthLeft, 'month'>): MonthLeft {
  return {
    month: more.month,
    kept_points: (sum?.kept_points ?? 0n) + (more.kept_points ?? 0n),
    left_points: (sum?.left_points ?? 0n) + (more.left_points ?? 0n),
    left_micro_sar: (sum?.left_micro_sar ?? 0n) + (more.left_micro_sar ?? 0n),
  }
}

/** What moved in a month, as positive numbers; `adjusted_points` may be below zero. */
export const flows = [
  'issued_points',
  'returned_points',
  'redeemed_points',
  'reversed_points',
  'adjusted_points',
] as const

export type Flows = Readonly<Record<(typeof flows)[number], bigint>>

/** The flow of a transfer's kind, and whether it adds to what is outstanding. Kinds that are not here are adjustments. */
const flowOf: Readonly<Record<string, readonly [flow: keyof Flows, sign: 1n | -1n]>> = {
  earn: ['issued_points', 1n],
  return: ['returned_points', 1n],
  post: ['redeemed_points', -1n],
  reverse: ['reversed_points', -1n],
}

const NO_FLOWS: Flows = {
  issued_points: 0n,
  returned_points: 0n,
  redeemed_points: 0n,
  reversed_points: 0n,
  adjusted_points: 0n,
}

/** Takes what transfers of a kind added to the wallets (below zero: took from them); gives it as a flow. */
export function flowsOf(kind: string, added_points: bigint): Flows {
  const [flow, sign] = flowOf[kind] ?? ['adjusted_points', 1n]
  return { ...NO_FLOWS, [flow]: sign * added_points }
}

/** What flows add to the outstanding points. */
export function netOf(flow: Flows): bigint {
  const { issued_points, returned_points, redeemed_points, reversed_points, adjusted_points } = flow
  return issued_points + returned_points - redeemed_points - reversed_points + adjusted_points
}

/** A month of a report, as stored. */
export type ReportMonth = Flows & MonthLeft

/** A month of a report, with the points outstanding at its end. */
export type MonthOfReport = ReportMonth & { readonly outstanding_points: bigint }

export const NO_SUMS = { ...NO_FLOWS, kept_points: 0n, left_points: 0n, left_micro_sar: 0n } as const satisfies Omit<
  ReportMonth,
  'month'
>
/** What the months of a report add up. */
export const monthSums = [...flows, 'kept_points', 'left_points', 'left_micro_sar'] as const

/** Adds months up; gives the sums without a month. */
export function sumMonths(months: readonly ReportMonth[]): Omit<ReportMonth, 'month'> {
  const sums: Record<(typeof monthSums)[number], bigint> = { ...NO_SUMS }
  for (const month of months) for (const name of monthSums) sums[name] += month[name]
  return sums
}

/**
 * Takes the months of a report in order, without the empty ones; gives every month from the first to that of `day`, with the
 * points outstanding at its end.
 */
export function everyMonth(months: readonly ReportMonth[], day: Day): readonly MonthOfReport[] {
  const found = new Map(months.map((month) => [month.month, month]))
  const last = monthOf(day)
  const all: MonthOfReport[] = []
  let outstanding_points = 0n
  for (let month = months[0]?.month ?? last; month <= last; month = addMonths(month, 1)) {
    const one = found.get(month) ?? { ...NO_SUMS, month }
    outstanding_points += netOf(one)
    all.push({ ...one, outstanding_points })
  }
  return all
}

/** Points that were issued long ago and are still there. */
export interface Breakage {
  /** The last month that counts: all of its points are older. Null if there is none. */
  readonly until_month: Month | null
  readonly kept_points: bigint
  readonly left_points: bigint
}

/**
 * Takes the months of a report of a day; gives what was issued longer than `age_months` months ago, and what is left of it.
 * Points do not expire: this is the basis of an estimate, and no income. docs/spec/liability.md#breakage
 */
export function breakageOf(months: readonly ReportMonth[], day: Day, age_months: number): Breakage {
  const tomorrow = addDays(day, 1)
  const old = months.filter(({ month }) => addMonths(month, age_months + 1) <= tomorrow)
  const { kept_points, left_points } = sumMonths(old)
  return { until_month: old.at(-1)?.month ?? null, kept_points, left_points }
}

/** A share in hundredths of a percent, rounded down; null of nothing. */
export function shareOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * 10_000n) / whole) / 10_000
}
