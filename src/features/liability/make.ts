import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Month } from '../../domain/day.ts'
import { first_uuid, last_uuid, type Uuid } from '../../domain/ids.ts'
import {
  flows,
  flowsOf,
  type Lot,
  type LotLeft,
  NO_SUMS,
  netOf,
  type ReportMonth,
  sumMonths,
  sumWallets,
  type WalletThen,
} from '../../domain/liability.ts'
import type { ProgramSteps } from '../../lib/step-loop.ts'
import {
  addToMonths,
  type FlowRow,
  findEndOfLedger,
  findLots,
  findWallets,
  type LotRow,
  sumLedger,
} from './count-queries.ts'
import { leftAfterMerges, readLot } from './merged.ts'
import {
  addWallets,
  completeReport,
  findMonths,
  findProgramsToReport,
  findReport,
  lockNextReport,
  type Progress,
  type ReportRow,
  updateProgress,
} from './queries.ts'
import { readMonth } from './view.ts'

/** Rows of one step: the transaction is short, and the event loop is free again soon. */
export interface PartSizes {
  readonly transfers: number
  readonly wallets: number
  /** Fewer wallets if they have more entries than these; at least one. */
  readonly entries: number
}
const default_part: PartSizes = { transfers: 5_000, wallets: 500, entries: 2_500 }

export interface MakeParts {
  readonly db: Database
  readonly part?: PartSizes
  /** Called for a report whose sums do not agree. */
  readonly onDifference?: (of: { readonly program_id: number; readonly day: string }) => void
}

/** Makes the reports that were asked for, in parts: one at a time of each program. Any number of workers may run it. */
export function createMake({ db, part = default_part, onDifference }: MakeParts): ProgramSteps {
  return {
    programs: async () => (await db.run(findProgramsToReport())).map(({ program_id }) => program_id),
    async step(program_id) {
      const { done, differs } = await db.transaction(async (tx) => {
        const report = await tx.one(lockNextReport(program_id))
        if (report === undefined) return { done: false, differs: undefined }
        const ties = await (report.step === 'ledger' ? readLedger(tx, report, part) : readWallets(tx, report, part))
        return { done: true, differs: ties === false ? report : undefined }
      })
      if (differs !== undefined) onDifference?.({ program_id, day: differs.day })
      return done
    },
  }
}

/** Reads transfers in the order of their ids: what merchants and the program gave, by month. */
async function readLedger(tx: Transaction, report: ReportRow, { transfers }: PartSizes): Promise<undefined> {
  const { program_id, until } = report
  const from = report.after_id ?? first_uuid
  const end = (await tx.one(findEndOfLedger(program_id, from, transfers - 1)))?.transfer_id
  const rows = await tx.run(sumLedger(program_id, from, end ?? last_uuid, until))
  const months = monthsOf(rows)
  if (months.length > 0) void tx.run(addToMonths(report, months))
  const wallet_entries = rows.reduce((sum, row) => sum + row.wallet_entries, report.wallet_entries)
  const next: Progress =
    end === undefined
      ? { step: 'wallets', after_id: first_uuid, wallet_entries, entries_read: 0 }
      : { step: 'ledger', after_id: end, wallet_entries, entries_read: wallet_entries }
  void tx.run(updateProgress(report, next, new Date()))
}

function monthsOf(rows: readonly FlowRow[]): readonly ReportMonth[] {
  const months = new Map<Month, ReportMonth>()
  for (const { month, kind, added_points } of rows) {
    const added = { ...NO_SUMS, ...flowsOf(kind, BigInt(added_points)), month }
    const before = months.get(month)
    months.set(month, { ...sumMonths(before === undefined ? [added] : [before, added]), month })
  }
  return [...months.values()].filter((month) => flows.some((name) => month[name] !== 0n))
}

/** Reads wallets in the order of their ids, and how old their points are. Gives whether all sums agree, after the last wallet. */
async function readWallets(tx: Transaction, report: ReportRow, part: PartSizes): Promise<boolean | undefined> {
  const { program_id, until, first_micro_sar_per_point } = report
  const found = await tx.run(findWallets(program_id, report.after_id ?? first_uuid, part.wallets))
  const taken = upTo(part.entries, found)
  const ids = taken.map(({ account_id }) => account_id)
  const rows = taken.length === 0 ? [] : await tx.run(findLots(program_id, ids, until, first_micro_sar_per_point))
  const sums = sumWallets(walletsOf(rows, await leftAfterMerges(tx, report, rows)))
  const months = sums.months.map((month) => ({ ...NO_SUMS, ...month }))
  if (months.length > 0) void tx.run(addToMonths(report, months))
  void tx.run(addWallets(report, sums))
  const last = taken.at(-1)
  if (last === undefined || (taken.length === found.length && found.length < part.wallets)) return complete(tx, report)
  const entries_read = taken.reduce((sum, { version }) => sum + version, report.entries_read)
  const { wallet_entries } = report
  void tx.run(
    updateProgress(report, { step: 'wallets', after_id: last.account_id, wallet_entries, entries_read }, new Date()),
  )
  return undefined
}

/** The first wallets that together have at most so many entries; at least one. */
function upTo<Wallet extends { readonly version: number }>(
  most: number,
  wallets: readonly Wallet[],
): readonly Wallet[] {
  let entries = 0
  const end = wallets.findIndex(({ version }, n) => {
    entries += version
    return n > 0 && entries > most
  })
  return end === -1 ? wallets : wallets.slice(0, end)
}

function walletsOf(rows: readonly LotRow[], left: ReadonlyMap<Uuid, readonly LotLeft[]>): readonly WalletThen[] {
  const wallets = new Map<Uuid, { posted: bigint; held: bigint; readonly lots: Lot[] }>()
  for (const { account_id, ...row } of rows) {
    const wallet = wallets.get(account_id) ?? { posted: 0n, held: 0n, lots: [] }
    wallets.set(account_id, wallet)
    wallet.posted += BigInt(row.posted_points)
    wallet.held += BigInt(row.held_points)
    wallet.lots.push(readLot(row))
  }
  return [...wallets].map(([account_id, wallet]) => ({ ...wallet, left: left.get(account_id) }))
}

/** Points that left the accounts of merchants and the program must be in the wallets, and in one of their months. */
async function complete(tx: Transaction, report: ReportRow): Promise<boolean> {
  const [row, rows] = await Promise.all([tx.one(findReport(report)), tx.run(findMonths(report))])
  if (row === undefined) throw new Error('a report has disappeared')
  const sums = sumMonths(rows.map(readMonth))
  const owed = BigInt(row.owed_points)
  const ties = netOf(sums) === owed - BigInt(row.receivable_points) && sums.left_points === owed
  void tx.run(completeReport(report, ties, new Date()))
  return ties
}
