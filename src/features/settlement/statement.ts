import type { Database } from '../../db/pool.ts'
import { DomainError } from '../../domain/failures.ts'
import { first_uuid, parseUuid, type Uuid } from '../../domain/ids.ts'
import { MICRO_SAR_PER_HALALA, type MicroSarPerPoint, toSarPerPoint } from '../../domain/points.ts'
import { type LineKind, type MoneyKind, owedSign, type PointKind } from '../../domain/settlement.ts'
import { readPages } from '../../lib/csv.ts'
import { type ExactNumber, exactNumber } from '../../lib/exact-number.ts'
import { findFirstRate } from '../merchants/rate-queries.ts'
import {
  findEntries,
  findLines,
  findPayments,
  findSettlement,
  findSettlements,
  findTakenIn,
  type LineRow,
  type SettlementRow,
  type StatementRow,
} from './read-queries.ts'
import { type SettlementView, sarOf } from './view.ts'

/** A sum of a settlement: what the merchant owes, below 0 what it gets. SAR with up to six decimals. */
export interface LineView {
  readonly kind: LineKind
  readonly sar_per_point: number | null
  readonly entries: number
  readonly points: ExactNumber
  readonly amount: ExactNumber
}

/** A closed settlement with its merchant. */
export interface ClosedSettlement extends SettlementView {
  readonly settlement_id: Uuid
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  readonly program_name: string
  readonly closed_at: string
}

/** One entry or payment of a statement. */
export interface StatementLine {
  readonly at: string
  /** The transfer or the payment that is recorded. */
  readonly id: Uuid
  readonly kind: PointKind | MoneyKind
  readonly order_uuid: Uuid | null
  readonly order_number: string | null
  readonly reference_number: string | null
  readonly points: number
  readonly sar_per_point: number | null
  readonly amount: ExactNumber
}

/** Where a reader is in a statement: its part, and the last line of it. */
export interface StatementPlace {
  readonly part: number
  readonly at: Date | null
  readonly id: Uuid
}

export const beginning: StatementPlace = { part: 0, at: null, id: first_uuid }

/** Entries, payments, and what was taken in from before, one part after the other. */
const parts = [findEntries, findPayments, findTakenIn] as const

/** A line with the place behind it. */
export interface PlacedLine {
  readonly line: StatementLine
  readonly place: StatementPlace
}

/** Whose settlements: a program's, or one merchant's. */
export interface SettlementOwner {
  readonly program_id: number
  readonly merchant_id?: number | undefined
}

export interface SettlementPages {
  /** The newest first; one more than `limit` where there are more. */
  readonly list: (
    owner: SettlementOwner,
    page: { readonly before: Uuid | undefined; readonly limit: number },
  ) => Promise<ClosedSettlement[]>
  /** Refuses with `not_found`. */
  readonly read: (
    owner: SettlementOwner,
    settlement_id: Uuid,
  ) => Promise<ClosedSettlement & { readonly lines: readonly LineView[] }>
  /** Lines of the statement after a place; fewer than `limit` only at its end. Refuses with `not_found`. */
  readonly lines: (
    owner: SettlementOwner,
    settlement_id: Uuid,
    after: StatementPlace,
    limit: number,
  ) => Promise<PlacedLine[]>
}

export function createSettlementPages(db: Database): SettlementPages {
  const rowOf = async ({ program_id, merchant_id }: SettlementOwner, settlement_id: Uuid) => {
    const row = await db.one(findSettlement(program_id, settlement_id, merchant_id ?? null))
    if (row === undefined) throw new DomainError({ kind: 'not_found' })
    return row
  }
  return {
    async list({ program_id, merchant_id }, { before, limit }) {
      const rows = await db.run(
        findSettlements(program_id, { merchant_id: merchant_id ?? null, before, limit: limit + 1 }),
      )
      return rows.map(viewClosed)
    },
    async read(owner, settlement_id) {
      const row = await rowOf(owner, settlement_id)
      const lines = await db.run(findLines(owner.program_id, settlement_id))
      return { ...viewClosed(row), lines: lines.map(viewLine) }
    },
    async lines(owner, settlement_id, after, limit) {
      const row = await rowOf(owner, settlement_id)
      const first = await db.one(findFirstRate(owner.program_id))
      return linesOf(db, { row, first_value: first?.micro_sar_per_point ?? null }, after, limit)
    },
  }
}

async function linesOf(
  db: Database,
  { row, first_value }: { readonly row: SettlementRow; readonly first_value: MicroSarPerPoint | null },
  after: StatementPlace,
  limit: number,
): Promise<PlacedLine[]> {
  const { program_id, merchant_id, account_id, from_at: from, until_at } = row
  // Settlements of older versions have no period, and so no statement.
  if (until_at === null) return []
  const lines: PlacedLine[] = []
  let place = after
  while (lines.length < limit && place.part < parts.length) {
    const find = parts[place.part]
    const some = limit - lines.length
    const stretch = { program_id, merchant_id, account_id, from, until: until_at, after: place, limit: some }
    const rows = find === undefined ? [] : await db.run(find(stretch))
    for (const found of rows) {
      place = { part: place.part, at: found.at, id: found.id }
      if (!found.left_out) lines.push({ line: viewEntry(found, first_value), place })
    }
    if (rows.length < some) place = { ...beginning, part: place.part + 1 }
  }
  return lines
}

/** All lines of a statement, page by page. */
export function allLines(pages: SettlementPages, owner: SettlementOwner, settlement_id: Uuid, most: number) {
  return readPages<PlacedLine>(most, (last, limit) =>
    pages.lines(owner, settlement_id, last?.place ?? beginning, limit),
  )
}

/** A place as a cursor, and back; null for a text that is none. */
export function placeText({ part, at, id }: StatementPlace): string {
  return `${part}.${at?.getTime() ?? ''}.${id}`
}

export function readPlace(text: string): StatementPlace | null {
  const [, part, at_ms, uuid = ''] = /^([0-2])\.(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? []
  const id = parseUuid(uuid)
  return part === undefined || id === null ? null : { part: Number(part), at: new Date(Number(at_ms)), id }
}

function viewClosed(row: SettlementRow): ClosedSettlement {
  const { settlement_id, merchant_id, merchant_name, merchant_name_ar, orders } = row
  return {
    ...{ settlement_id, merchant_id, merchant_name, merchant_name_ar, program_name: row.program_name, orders },
    net_points: exactNumber(BigInt(row.net_points), 0),
    net_amount: sarOf(row.net_halalas),
    money_amount: sarOf(row.money_halalas),
    fee_amount: sarOf(row.fee_halalas),
    vat_amount: sarOf(row.vat_halalas),
    due_amount: sarOf(row.due_halalas ?? row.net_halalas),
    from: row.from_at?.toISOString() ?? null,
    until: (row.until_at ?? row.created_at).toISOString(),
    closed_at: row.created_at.toISOString(),
  }
}

function viewLine({ kind, micro_sar_per_point, entries, points, micro_sar }: LineRow): LineView {
  const sar_per_point = micro_sar_per_point === null ? null : toSarPerPoint(micro_sar_per_point)
  return {
    kind,
    sar_per_point,
    entries,
    points: exactNumber(BigInt(points), 0),
    amount: exactNumber(BigInt(micro_sar), 6),
  }
}

function viewEntry(row: StatementRow, first_value: MicroSarPerPoint | null): StatementLine {
  const { at, id, kind, order_uuid, order_number, reference_number } = row
  const sign = owedSign(kind)
  const value = row.halalas > 0 ? null : (row.micro_sar_per_point ?? first_value)
  const micro =
    row.halalas > 0 ? BigInt(row.halalas) * BigInt(MICRO_SAR_PER_HALALA) : BigInt(row.points) * BigInt(value ?? 0)
  return {
    ...{ at: at.toISOString(), id, kind, order_uuid, order_number, reference_number },
    points: sign * row.points + 0,
    sar_per_point: value === null ? null : toSarPerPoint(value),
    amount: exactNumber(BigInt(sign) * micro, 6),
  }
}
