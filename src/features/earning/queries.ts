import { type CompiledQuery, sql } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, preparedRows, rowsOfLists, type Statement } from '../../db/statement.ts'
import type { Earning, EarningSource, KnownCustomer, Repeat } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Points } from '../../domain/points.ts'
import type { Rates } from '../../domain/rates.ts'
import type { Boundary } from '../merchants/boundary-queries.ts'
import { ratesOf } from '../merchants/rate-queries.ts'
import { commonColumns, commonNames, commonParameters, type StoredRow } from '../orders/write-queries.ts'

/** A customer whose wallet is locked; the pending points are read later. */
export type FoundCustomer = Omit<KnownCustomer, 'waiting' | 'waiting_earnings'>

/** What a batch has locked: a merchant, or a customer. */
export type LockedRow =
  | (Boundary & { readonly customer_id: null })
  | (FoundCustomer & { readonly merchant_id: null; readonly closing_to: null })

const lockBatchText = preparedRows<LockedRow>(
  'earning.locks',
  (rows) => `with free as materialized (
     select l.merchant_id, l.closing_to, k.phone
     from ${rows('$2::bigint[], $3::text[]', 'k(merchant_id, phone)')}
     cross join lateral (
       select e.merchant_id, e.closing_to from earning_lock e
       where e.program_id = $1 and e.merchant_id = k.merchant_id and (e.program_id, e.merchant_id) >= ($1, k.merchant_id)
       for no key update skip locked
     ) l
   ), known as materialized (
     select c.* from (select distinct phone from free) free
     cross join lateral (
       select c.customer_id, c.phone, c.status, c.name is not null as named from customer c
       where c.program_id = $1 and c.phone = free.phone and (c.program_id, c.phone) >= ($1, free.phone) limit 1
     ) c
     order by c.customer_id
   )
   select merchant_id, closing_to, null::uuid as customer_id, null as phone, null as status, null as named,
     null::bigint as posted, null::bigint as held, null::bigint as version from free
   union all
   select null, null, known.*, a.posted, a.held, a.version from known
   cross join lateral (
     select a.posted, a.held, a.version from account a
     where a.program_id = $1 and a.account_id = known.customer_id and a.merged_into is null and a.erased_at is null
       and (a.program_id, a.account_id) >= ($1, known.customer_id) for no key update
   ) a`,
)

/**
 * Locks the merchants of a batch that are free, and gives them with their boundaries. Then locks the wallets of their
 * customers, in the order of ids, and gives those that exist, without those merged or erased meanwhile. If another
 * transaction has a merchant, the wallet is left alone: that transaction may have it too, and the answer 429 must not wait.
 * docs/spec/earning.md#lock
 *
 * A customer whom another transaction makes just before this one gets the merchant is not seen. Then the insert of the same
 * phone fails, and the batch is decided again.
 */
export function lockBatch(program_id: number, batch: readonly Earning[]): Statement<LockedRow> {
  const sorted = batch.toSorted((a, b) => a.merchant.merchant_id - b.merchant.merchant_id)
  return lockBatchText(
    program_id,
    sorted.map(({ merchant }) => merchant.merchant_id),
    sorted.map(({ phone }) => phone),
  )
}

const findRepeatsText = preparedRows<Repeat>(
  'earning.repeats',
  (rows) => `select o.merchant_id, o.source, o.order_number, o.created_at, o.order_uuid, o.order_uuid as request_uuid
   from ${rows('$2::bigint[], $3::text[], $4::text[]', 'k(merchant_id, source, order_number)')}
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.merchant_id = k.merchant_id and o.source = k.source
       and o.order_number = k.order_number and o.type = 1
       and (o.program_id, o.merchant_id, o.source, o.order_number) >= ($1, k.merchant_id, k.source, k.order_number)
     limit 1
   ) o
   union all
   select p.merchant_id, p.source, p.order_number, p.created_at, p.order_uuid, p.pending_uuid
   from ${rows('$2::bigint[], $3::text[], $4::text[]', 'k(merchant_id, source, order_number)')}
   cross join lateral (
     select p.* from pending_earning p
     where p.program_id = $1 and p.merchant_id = k.merchant_id and p.source = k.source
       and p.order_number = k.order_number
       and (p.program_id, p.merchant_id, p.source, p.order_number) >= ($1, k.merchant_id, k.source, k.order_number)
     limit 1
   ) p`,
)

/**
 * Orders and pending earnings with the same order numbers, from one snapshot. An order that was a pending earning comes as
 * both.
 */
export function findRepeats(program_id: number, batch: readonly Earning[]): Statement<Repeat> {
  return findRepeatsText(
    program_id,
    batch.map(({ merchant }) => merchant.merchant_id),
    batch.map(({ source }) => source),
    batch.map(({ order_number }) => order_number),
  )
}

const lockInvitedText = prepared<{ customer_id: Uuid }>(
  'earning.invited',
  `select c.customer_id from ${rowsOfLists('$2::uuid[]', 'k(customer_id)')}
   cross join lateral (
     select c.customer_id from customer c
     where c.program_id = $1 and c.customer_id = k.customer_id and c.status = 'invited'
       and (c.program_id, c.customer_id) >= ($1, k.customer_id) for no key update
   ) c`,
)

/** Which of these customers are still invited. Locks them, so they stay invited until the transaction ends. */
export function lockInvited(program_id: number, ids: readonly Uuid[]): Statement<{ customer_id: Uuid }> {
  return lockInvitedText(program_id, [...ids].sort())
}

const insertPendingText = prepared<StoredRow>(
  'earning.pending',
  `insert into pending_earning (program_id, created_at, pending_uuid, ${commonNames}, points_per_sar_e4)
   select $1::bigint, $2, p.* from unnest(${commonParameters}, $16::bigint[]) as p(pending_uuid, ${commonNames}, points_per_sar_e4)
   returning pending_uuid as request_uuid, id, created_at`,
)

/** Writes pending earnings, with the points at the current rate. docs/spec/earning.md#pending-activation */
export function insertPending(
  program_id: number,
  now: Date,
  pending: readonly { readonly earning: Earning; readonly customer_id: Uuid }[],
): Statement<StoredRow> {
  const rates = pending.map(({ earning }) => earning.merchant.points_per_sar_e4)
  return insertPendingText(program_id, now, ...commonColumns(pending), rates)
}

const insertRatingsText = prepared<never>(
  'earning.ratings',
  `insert into order_rating (program_id, created_at, order_uuid, product_id, product_name, rating, comment)
   select $1::bigint, $2, r.* from unnest($3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[])
     as r(order_uuid, product_id, product_name, rating, comment)`,
)

/** Keeps the contents of ratings for audit; skips purchases. */
export function insertRatings(program_id: number, now: Date, earnings: readonly Earning[]): Statement<never> {
  const rated = earnings.flatMap(({ order_uuid, audit }) => (audit === null ? [] : [{ order_uuid, ...audit }]))
  return insertRatingsText(
    program_id,
    now,
    rated.map(({ order_uuid }) => order_uuid),
    rated.map(({ product_id }) => product_id),
    rated.map(({ product_name }) => product_name),
    rated.map(({ rating }) => rating),
    rated.map(({ comment }) => comment),
  )
}

const findWrittenText = prepared<StoredRow>(
  'earning.written',
  `select o.order_uuid as request_uuid, o.id, o.reference_number, o.created_at, o.total_points
   from ${rowsOfLists('$2::uuid[]', 'k(request_uuid)')}
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.order_uuid = k.request_uuid and (o.program_id, o.order_uuid) >= ($1, k.request_uuid)
     limit 1
   ) o
   union all
   select p.pending_uuid, p.id, null, p.created_at, p.total_points
   from ${rowsOfLists('$2::uuid[]', 'k(request_uuid)')}
   cross join lateral (
     select p.* from pending_earning p
     where p.program_id = $1 and p.pending_uuid = k.request_uuid
       and (p.program_id, p.pending_uuid) >= ($1, k.request_uuid)
     limit 1
   ) p where p.order_uuid is null`,
)

/** The rows that an earlier try of these earnings has committed, by the earnings' own ids. */
export function findWritten(program_id: number, earnings: readonly Earning[]): Statement<StoredRow> {
  return findWrittenText(
    program_id,
    earnings.map(({ order_uuid }) => order_uuid),
  )
}

/** A pending earning, with the account of its merchant. */
export interface PendingRow {
  readonly pending_uuid: Uuid
  readonly merchant_id: number
  readonly merchant_account_id: Uuid
  /** Of the program. */
  readonly rates: Rates
  readonly source: EarningSource
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
}

/** The pending earnings of a customer, the oldest first. */
export function findPendingOf(program_id: number, customer_id: Uuid): CompiledQuery<PendingRow> {
  return builder
    .selectFrom('pending_earning as p')
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 'p.program_id').onRef('m.merchant_id', '=', 'p.merchant_id'),
    )
    .select([
      'p.pending_uuid',
      'p.merchant_id',
      'm.account_id as merchant_account_id',
      sql.raw<Rates>(ratesOf('m.program_id')).as('rates'),
      'p.source',
      'p.order_number',
      'p.total_halalas',
      'p.total_points',
      'p.metadata',
    ])
    .where('p.program_id', '=', program_id)
    .where('p.customer_id', '=', customer_id)
    .where('p.order_uuid', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.pending_uuid')
    .$castTo<PendingRow>()
    .compile()
}

/** Marks pending earnings of a customer as turned into orders. */
export function endPending(program_id: number, customer_id: Uuid, uuids: readonly Uuid[]): Statement<never> {
  return {
    text: `update pending_earning set order_uuid = pending_uuid
      where program_id = $1 and customer_id = $2 and pending_uuid = any($3::uuid[]) and order_uuid is null`,
    values: [program_id, customer_id, uuids],
  }
}
