import { prepared, type Statement } from '../../db/statement.ts'
import { last_uuid, type Uuid } from '../../domain/ids.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import type { LineKind, MoneyKind, PointKind } from '../../domain/settlement.ts'
import { entriesOfOrder } from './sum-queries.ts'

/** A closed settlement. Sums are texts: they may exceed a bigint. Amounts are null in those of older versions. */
export interface SettlementRow {
  readonly program_id: number
  readonly settlement_id: Uuid
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  /** The operator of the program, or the name of the program itself. */
  readonly program_name: string
  readonly orders: number
  readonly net_points: string
  readonly net_halalas: string
  readonly money_halalas: string | null
  readonly fee_halalas: string | null
  readonly vat_halalas: string | null
  readonly due_halalas: string | null
  readonly fee_vat_bp: number | null
  readonly from_at: Date | null
  readonly until_at: Date | null
  readonly created_at: Date
}

const columns = `s.program_id, s.settlement_id, s.merchant_id, m.account_id, m.name as merchant_name, m.name_ar as merchant_name_ar,
  s.orders, s.net_points, s.net_halalas, s.money_halalas, s.fee_halalas, s.vat_halalas, s.due_halalas, s.fee_vat_bp, s.from_at,
  s.until_at, s.created_at, coalesce(p.operator_name, p.name) as program_name`

/** Settlements of a program, or of one merchant, the newest first, older than `before`. */
export function findSettlements(
  program_id: number,
  {
    merchant_id,
    before,
    limit,
  }: { readonly merchant_id: number | null; readonly before: Uuid | undefined; readonly limit: number },
): Statement<SettlementRow> {
  return {
    text: `select ${columns} from ${merchant_id === null ? settlementsOfAll : settlementsOfOne} s
      join merchant m on m.program_id = $1 and m.merchant_id = s.merchant_id
      join program p on p.program_id = $1
      where s.settlement_id < $2 order by s.settlement_id desc limit $3`,
    values: [program_id, before ?? last_uuid, limit, ...(merchant_id === null ? [] : [merchant_id])],
  }
}

const settlementsOfAll = '(select * from settlement where program_id = $1)'
/** One merchant has few: its index finds them, rather than a walk through those of all. */
const settlementsOfOne = `(
        select * from settlement where program_id = $1 and merchant_id = $4 and (program_id, merchant_id) >= ($1, $4) offset 0
      )`

/** A settlement of a program, or of one merchant. */
export function findSettlement(
  program_id: number,
  settlement_id: Uuid,
  merchant_id: number | null = null,
): Statement<SettlementRow> {
  return {
    text: `select ${columns} from settlement s
      join merchant m on m.program_id = $1 and m.merchant_id = s.merchant_id
      join program p on p.program_id = $1
      where s.program_id = $1 and s.settlement_id = $2 and ($3::bigint is null or s.merchant_id = $3)`,
    values: [program_id, settlement_id, merchant_id],
  }
}

/** A sum of a settlement. Texts may exceed a bigint. */
export interface LineRow {
  readonly kind: LineKind
  readonly micro_sar_per_point: MicroSarPerPoint | null
  readonly entries: number
  readonly points: string
  readonly micro_sar: string
}

export function findLines(program_id: number, settlement_id: Uuid): Statement<LineRow> {
  return {
    text: `select kind, micro_sar_per_point, entries, points, micro_sar from settlement_line
      where program_id = $1 and settlement_id = $2 order by line`,
    values: [program_id, settlement_id],
  }
}

/** An entry or a payment that a settlement adds up, with its order. `left_out`: it does not count in this one. */
export interface StatementRow {
  readonly at: Date
  readonly id: Uuid
  readonly kind: PointKind | MoneyKind
  readonly order_uuid: Uuid | null
  readonly order_number: string | null
  readonly reference_number: string | null
  /** Never below 0. */
  readonly points: number
  readonly micro_sar_per_point: MicroSarPerPoint | null
  readonly halalas: number
  readonly left_out: boolean
}

/** The period of a settlement, and a place in it: what follows is after the place. */
export interface Stretch {
  readonly program_id: number
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly from: Date | null
  readonly until: Date
  readonly after: { readonly at: Date | null; readonly id: Uuid }
  readonly limit: number
}

const orderOf = (order_uuid: string): string => `
   left join lateral (
     select o.order_number, o.reference_number from orders o where o.program_id = $1 and o.order_uuid = ${order_uuid}
       and (o.program_id, o.order_uuid) >= ($1, ${order_uuid}) limit 1
   ) o on true`
const outOf = (order_uuid: string): string => `
   left join lateral (
     select true as left_out from settlement_exclusion x where x.program_id = $1 and x.order_uuid = ${order_uuid}
       and (x.program_id, x.order_uuid) >= ($1, ${order_uuid}) and (x.included_at is null or x.included_at >= $4) limit 1
   ) x on true`

const entriesText = prepared<StatementRow>(
  'settlement.entries',
  `select e.created_at as at, e.transfer_id as id, t.kind, t.order_uuid, o.order_number, o.reference_number, abs(e.amount) as points,
     e.micro_sar_per_point, 0 as halalas, coalesce(x.left_out, false) as left_out
   from (
     select e.created_at, e.transfer_id, e.amount, e.micro_sar_per_point from entry e
     where e.program_id = $1 and e.account_id = $2 and e.account_version is null
       and e.created_at >= coalesce($5::timestamptz, $3::timestamptz, '-infinity') and e.created_at < $4
       and (e.created_at, e.transfer_id) > (coalesce($5::timestamptz, '-infinity'), $6::uuid)
     order by e.created_at, e.transfer_id limit $7
   ) e
   cross join lateral (
     select t.kind, t.order_uuid from transfer t where t.program_id = $1 and t.transfer_id = e.transfer_id
       and (t.program_id, t.transfer_id) >= ($1, e.transfer_id) limit 1
   ) t ${orderOf('t.order_uuid')} ${outOf('t.order_uuid')}
   order by e.created_at, e.transfer_id`,
)

/** Entries of a period. */
export function findEntries({ program_id, account_id, from, until, after, limit }: Stretch): Statement<StatementRow> {
  return entriesText(program_id, account_id, from, until, after.at, after.id, limit)
}

const moneyText = prepared<StatementRow>(
  'settlement.payments',
  `select m.booked_at as at, m.money_uuid as id, m.kind, m.order_uuid, o.order_number, o.reference_number, 0 as points,
     null::bigint as micro_sar_per_point, m.amount_halalas as halalas, coalesce(x.left_out, false) as left_out
   from (
     select m.booked_at, m.money_uuid, m.kind, m.order_uuid, m.amount_halalas from provider_money m
     where m.program_id = $1 and m.merchant_id = $2 and m.booked_at >= coalesce($5::timestamptz, $3::timestamptz, '-infinity') and m.booked_at < $4
       and (m.booked_at, m.money_uuid) > (coalesce($5::timestamptz, '-infinity'), $6::uuid)
     order by m.booked_at, m.money_uuid limit $7
   ) m ${orderOf('m.order_uuid')} ${outOf('m.order_uuid')}
   order by m.booked_at, m.money_uuid`,
)

/** Provider money of a period. */
export function findPayments({ program_id, merchant_id, from, until, after, limit }: Stretch): Statement<StatementRow> {
  return moneyText(program_id, merchant_id, from, until, after.at, after.id, limit)
}

const takenInText = prepared<StatementRow>(
  'settlement.taken_in',
  `select x.included_at as at, e.id, e.kind, x.order_uuid, o.order_number, o.reference_number, e.points, e.micro_sar_per_point,
     e.halalas, false as left_out
   from (select $2::bigint as merchant_id, $8::uuid as account_id) p
   cross join lateral (
     select x.order_uuid, x.included_at from settlement_exclusion x
     where x.program_id = $1 and x.merchant_id = p.merchant_id and x.included_at >= coalesce($3::timestamptz, '-infinity') and x.included_at < $4
     offset 0
   ) x
   cross join lateral (
     select e.transfer_id as id, e.kind, abs(e.amount) as points, e.micro_sar_per_point, 0 as halalas, e.created_at
     from (${entriesOfOrder}) e
     union all
     select m.money_uuid, m.kind, 0, null, m.amount_halalas, m.booked_at from provider_money m
     where m.program_id = $1 and m.order_uuid = x.order_uuid and (m.program_id, m.order_uuid) >= ($1, x.order_uuid)
   ) e ${orderOf('x.order_uuid')}
   where e.created_at < coalesce($3::timestamptz, '-infinity') and (x.included_at, e.id) > (coalesce($5::timestamptz, '-infinity'), $6::uuid)
   order by x.included_at, e.id limit $7`,
)

/** What was written before the period, of orders that were left out and taken in within it. */
export function findTakenIn(stretch: Stretch): Statement<StatementRow> {
  const { program_id, merchant_id, account_id, from, until, after, limit } = stretch
  return takenInText(program_id, merchant_id, from, until, after.at, after.id, limit, account_id)
}

/** The merchant of an order. */
export function findOrderMerchant(program_id: number, order_uuid: Uuid): Statement<{ readonly merchant_id: number }> {
  return {
    text: 'select merchant_id from orders where program_id = $1 and order_uuid = $2',
    values: [program_id, order_uuid],
  }
}

/** The names of some merchants. */
export function findNamesOf(
  program_id: number,
  merchant_ids: readonly number[],
): Statement<{ readonly merchant_id: number; readonly name: string; readonly name_ar: string | null }> {
  return {
    text: 'select merchant_id, name, name_ar from merchant where program_id = $1 and merchant_id = any($2::bigint[])',
    values: [program_id, merchant_ids],
  }
}
