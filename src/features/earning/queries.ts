import { prepared, type Statement } from '../../db/statement.ts'
import type { Earning, KnownCustomer, NewCustomer, Repeat } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Points } from '../../domain/points.ts'

/** The lock of the merchant that `k` names, unless another has it. */
const lockOf = `select e.merchant_id from earning_lock e
     where e.program_id = $1 and e.merchant_id = k.merchant_id and (e.program_id, e.merchant_id) >= ($1, k.merchant_id)
     for no key update skip locked`

const lockMerchantsText = prepared<{ merchant_id: number }>(
  'earning.lock',
  `select l.merchant_id from unnest($2::bigint[]) as k(merchant_id)
   cross join lateral (${lockOf}) l`,
)

/** Locks the merchants that are free, until the transaction ends, and gives those. */
export function lockMerchants(program_id: number, batch: readonly Earning[]): Statement<{ merchant_id: number }> {
  return lockMerchantsText(
    program_id,
    batch.map(({ merchant }) => merchant.merchant_id).sort((a, b) => a - b),
  )
}

/** A customer with the wallet locked; what waits is not known yet. */
export type FoundCustomer = Omit<KnownCustomer, 'waiting'>

const lockCustomersText = prepared<FoundCustomer>(
  'earning.customers',
  `with known as materialized (
     select c.* from (
       select distinct k.phone from unnest($2::bigint[], $3::text[]) as k(merchant_id, phone)
       cross join lateral (${lockOf}) l
     ) free
     cross join lateral (
       select c.customer_id, c.phone, c.status, c.name is not null as named from customer c
       where c.program_id = $1 and c.phone = free.phone and (c.program_id, c.phone) >= ($1, free.phone) limit 1
     ) c
     order by c.customer_id)
   select known.*, a.posted, a.held, a.version from known
   cross join lateral (
     select a.posted, a.held, a.version from account a
     where a.program_id = $1 and a.account_id = known.customer_id
       and (a.program_id, a.account_id) >= ($1, known.customer_id) for no key update
   ) a`,
)

/**
 * The customers of these earnings, their wallets locked in the order of their ids. Those of merchants who are locked
 * elsewhere are left out: the lock's holder may have the wallet too, and whoever finds the lock held must not wait.
 */
export function lockCustomers(program_id: number, batch: readonly Earning[]): Statement<FoundCustomer> {
  return lockCustomersText(
    program_id,
    batch.map(({ merchant }) => merchant.merchant_id),
    batch.map(({ phone }) => phone),
  )
}

const findRepeatsText = prepared<Repeat>(
  'earning.repeats',
  `select o.merchant_id, o.source, o.order_number, o.created_at, o.order_uuid, o.order_uuid as request_uuid
   from unnest($2::bigint[], $3::text[], $4::text[]) as k(merchant_id, source, order_number)
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.merchant_id = k.merchant_id and o.source = k.source
       and o.order_number = k.order_number and o.type = 1
       and (o.program_id, o.merchant_id, o.source, o.order_number) >= ($1, k.merchant_id, k.source, k.order_number)
     limit 1
   ) o
   union all
   select p.merchant_id, p.source, p.order_number, p.created_at, p.order_uuid, p.pending_uuid
   from unnest($2::bigint[], $3::text[], $4::text[]) as k(merchant_id, source, order_number)
   cross join lateral (
     select p.* from pending_earning p
     where p.program_id = $1 and p.merchant_id = k.merchant_id and p.source = k.source
       and p.order_number = k.order_number
       and (p.program_id, p.merchant_id, p.source, p.order_number) >= ($1, k.merchant_id, k.source, k.order_number)
     limit 1
   ) p where p.order_uuid is null`,
)

/** Orders and pending earnings that already carry the order numbers of these earnings; one snapshot sees both. */
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
  `select c.customer_id from unnest($2::uuid[]) as k(customer_id)
   cross join lateral (
     select c.customer_id from customer c
     where c.program_id = $1 and c.customer_id = k.customer_id and c.status = 'invited'
       and (c.program_id, c.customer_id) >= ($1, k.customer_id) for no key update
   ) c`,
)

/** Those of these customers who are still invited; they stay so until the transaction ends. */
export function lockInvited(program_id: number, ids: readonly Uuid[]): Statement<{ customer_id: Uuid }> {
  return lockInvitedText(program_id, [...ids].sort())
}

const sumWaitingText = prepared<{ customer_id: Uuid; points: Points }>(
  'earning.waiting',
  `select k.customer_id, least(sum(p.total_points), ${Number.MAX_SAFE_INTEGER})::bigint as points
   from (select distinct n.customer_id from unnest($2::uuid[]) as n(customer_id) limit cardinality($2)) k
   cross join lateral (
     select p.total_points from pending_earning p
     where p.program_id = $1 and p.customer_id = k.customer_id and p.order_uuid is null
       and (p.program_id, p.customer_id) >= ($1, k.customer_id)
     offset 0
   ) p
   group by k.customer_id`,
)

/** The points that wait for these customers, whose wallets the caller has locked: none are added meanwhile. */
export function sumWaiting(program_id: number, ids: readonly Uuid[]): Statement<{ customer_id: Uuid; points: Points }> {
  return sumWaitingText(program_id, ids)
}

const insertCustomersText = prepared<never>(
  'earning.new_customers',
  `insert into customer (program_id, customer_id, phone, name, status, created_at, activated_at)
   select $1::bigint, c.customer_id, c.phone, c.name, c.status, $2, case when c.status = 'active' then $2::timestamptz end
   from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as c(customer_id, phone, name, status)
   order by c.phone`,
)

/** Makes customers. A phone that another transaction makes at the same moment is a unique violation: try again. */
export function insertCustomers(program_id: number, now: Date, customers: readonly NewCustomer[]): Statement<never> {
  return insertCustomersText(
    program_id,
    now,
    customers.map(({ customer_id }) => customer_id),
    customers.map(({ phone }) => phone),
    customers.map(({ name }) => name),
    customers.map(({ status }) => status),
  )
}

const nameCustomersText = prepared<never>(
  'earning.names',
  `insert into customer as c (program_id, customer_id, phone, name, status, created_at, activated_at)
   select $1::bigint, n.customer_id, c.phone, n.name, c.status, c.created_at, c.activated_at
   from unnest($2::uuid[], $3::text[]) as n(customer_id, name)
   cross join lateral (
     select c.* from customer c
     where c.program_id = $1 and c.customer_id = n.customer_id and (c.program_id, c.customer_id) >= ($1, n.customer_id)
     limit 1
   ) c
   on conflict (program_id, customer_id) do update set name = excluded.name where c.name is null`,
)

/** Gives a name to customers who have none. */
export function nameCustomers(program_id: number, ids: readonly Uuid[], names: readonly string[]): Statement<never> {
  return nameCustomersText(program_id, ids, names)
}

/** What both tables of earnings store alike. */
function commonColumns(earnings: readonly { readonly earning: Earning; readonly customer_id: Uuid }[]): unknown[] {
  return [
    earnings.map(({ earning }) => earning.order_uuid),
    earnings.map(({ earning }) => earning.merchant.merchant_id),
    earnings.map(({ customer_id }) => customer_id),
    earnings.map(({ earning }) => earning.source),
    earnings.map(({ earning }) => earning.order_number),
    earnings.map(({ earning }) => earning.total_halalas),
    earnings.map(({ earning }) => earning.points),
    earnings.map(({ earning }) => earning.shipping_halalas),
    earnings.map(({ earning }) => earning.tax_halalas),
    earnings.map(({ earning }) => earning.discount_halalas),
    earnings.map(({ earning }) => earning.shipping_address),
    earnings.map(({ earning }) => earning.items),
    earnings.map(({ earning }) => earning.metadata),
  ]
}

const commonParameters = `$3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
     $10::bigint[], $11::bigint[], $12::bigint[], $13::json[], $14::json[], $15::json[]`
const commonNames = `merchant_id, customer_id, source, order_number, total_halalas, total_points,
     shipping_halalas, tax_halalas, discount_halalas, shipping_address, items, metadata`

/** What stands for an accepted earning; a pending one has no reference number yet. */
export interface StoredRow {
  readonly request_uuid: Uuid
  readonly id: number
  readonly reference_number?: string | null
  readonly created_at: Date
  /** Only of what an earlier try has written. */
  readonly total_points?: Points
}

const insertOrdersText = prepared<StoredRow>(
  'earning.orders',
  `insert into orders (program_id, type, order_status, created_at, updated_at, paid_at, order_uuid, ${commonNames},
     reference_number, earned_points)
   select $1::bigint, 1, 'approved', $2, $2, $2, o.*, o.total_points
   from unnest(${commonParameters}, $16::text[]) as o(order_uuid, ${commonNames}, reference_number)
   returning order_uuid as request_uuid, id, reference_number, created_at`,
)

/** Writes the orders of awarded earnings, `approved` from the start; gives what the database made of them. */
export function insertOrders(
  program_id: number,
  now: Date,
  awards: readonly { readonly earning: Earning; readonly customer_id: Uuid; readonly reference_number: string }[],
): Statement<StoredRow> {
  const numbers = awards.map(({ reference_number }) => reference_number)
  return insertOrdersText(program_id, now, ...commonColumns(awards), numbers)
}

const insertPendingText = prepared<StoredRow>(
  'earning.pending',
  `insert into pending_earning (program_id, created_at, pending_uuid, ${commonNames}, points_per_sar_e4)
   select $1::bigint, $2, p.* from unnest(${commonParameters}, $16::bigint[]) as p(pending_uuid, ${commonNames}, points_per_sar_e4)
   returning pending_uuid as request_uuid, id, created_at`,
)

/** Writes earnings that wait for their customer's activation, at the rate of now (decisions §3). */
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

/** Keeps what was said in ratings, for audit; earnings that are none are passed over. */
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
   from unnest($2::uuid[]) as k(request_uuid)
   cross join lateral (
     select o.* from orders o
     where o.program_id = $1 and o.order_uuid = k.request_uuid and (o.program_id, o.order_uuid) >= ($1, k.request_uuid)
     limit 1
   ) o
   union all
   select p.pending_uuid, p.id, null, p.created_at, p.total_points
   from unnest($2::uuid[]) as k(request_uuid)
   cross join lateral (
     select p.* from pending_earning p
     where p.program_id = $1 and p.pending_uuid = k.request_uuid
       and (p.program_id, p.pending_uuid) >= ($1, k.request_uuid)
     limit 1
   ) p where p.order_uuid is null`,
)

/** Finds by their own identifiers what an earlier try of these earnings has committed. */
export function findWritten(program_id: number, earnings: readonly Earning[]): Statement<StoredRow> {
  return findWrittenText(
    program_id,
    earnings.map(({ order_uuid }) => order_uuid),
  )
}
