import { around, type QuickCheck, within } from './quick.ts'

/** SQL that looks up the transfer of a refund `r` by its reference. */
const transferOfRefund = (kind: 'reverse' | 'return'): string => `
      select true as found from transfer t where t.program_id = $1 and t.reference = '${kind}:' || r.refund_uuid
        and (t.program_id, t.reference) >= ($1, '${kind}:' || r.refund_uuid) limit 1`

/**
 * A number for each name of an event. Those in `once` are powers of two, whose sum equals their union unless one repeats.
 */
const events = {
  approved: 1,
  authorized: 2,
  captured: 4,
  cancelled: 8,
  completed: 16,
  auto_refunded: 32,
  refunded: 64,
} as const
const repeatable: ReadonlySet<string> = new Set(['refunded'])
const eventNumbers = Object.entries(events)
  .map(([name, number]) => `('${name}', ${number}, ${repeatable.has(name) ? 0 : number})`)
  .join(', ')
const has = (...names: readonly (keyof typeof events)[]): string =>
  `bit_or(e.number) & ${names.reduce((sum, name) => sum | events[name], 0)} <> 0`

/**
 * SQL condition for a payload as the service writes it, up to `total_points`. Nothing before that comes from the
 * merchant.
 */
const asWritten = `left(e.said, 44) = '{"id":"' || o.order_uuid || '"' and strpos(e.said, ',"total_points":') > 0
          and strpos(e.said, ',"total_points":') = strpos(e.said, ',"total_points":' || o.total_points || ',')`

const orderColumns = `o.order_uuid, o.type, o.order_status, o.total_points, o.earned_points,
      o.refunded_halalas, o.reversed_points, o.returned_points`

/**
 * Orders with their events, refunds and transfers. The check of transfers compares the points. A payload in any other
 * form than the service's is parsed as JSON.
 */
export const orderCheck: QuickCheck = {
  name: 'orders',
  table: 'orders',
  key: 'order_uuid',
  checks: [
    'order_earned_points',
    'order_total_points',
    'order_unpaid_points',
    'order_refunds',
    'order_reversed_points',
    'order_returned_points',
    'order_event',
    'event_repeated',
    'event_without_order',
    'event_payload',
  ],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets, count(*) filter (where sound is not true) as suspects
    from (select
      bool_and(e.said is null or coalesce(o.merchant_id = e.merchant_id and case
        when e.name not in ('approved', 'captured', 'refunded') then true
        when ${asWritten} then true
        else (
          select p.payload ->> 'id' = o.order_uuid::text and (p.payload ->> 'total_points')::numeric = o.total_points
          from (select regexp_replace(e.said, '(\\\\\\\\)|\\\\u[0-9a-fA-F]{4}', '\\1', 'g')::json as payload) p
        ) end, false))
      and coalesce(sum(e.once) = bit_or(e.once), true)
      and (o.type <> 1 or o.total_points = o.earned_points)
      and (o.earned_points <> 0) = (t.transfer_id is not null)
      and o.refunded_halalas = coalesce(r.refunded, 0)
      and o.reversed_points = coalesce(r.reversed, 0) and o.returned_points = coalesce(r.returned, 0)
      and (o.order_uuid < $4::uuid or ((o.type <> 1 or ${has('approved')})
        and case when o.order_status = 'new' then true
          when o.order_status like '%refunded' then ${has('refunded', 'auto_refunded')}
          when o.order_status = 'approved' then ${has('approved')}
          when o.order_status = 'authorized' then ${has('authorized')}
          when o.order_status = 'captured' then ${has('captured')}
          else ${has('cancelled')} end)) as sound
    from (select * from orders o where o.program_id = $1 and ${within('o.order_uuid')}) o
    full join (
      select e.order_uuid, e.merchant_id, e.name, e.said, k.number, k.once
      from (
        select order_uuid, merchant_id, name, payload::text as said from event
        where program_id = $1 and ${within('order_uuid')} and name <> 'test' offset 0
      ) e
      left join (values ${eventNumbers}) k (name, number, once) on k.name = e.name
    ) e on e.order_uuid = o.order_uuid
    left join transfer near on near.program_id = $1 and near.order_uuid = o.order_uuid and near.kind = 'earn'
      and ${around('near.transfer_id')}
    left join lateral (
      select far.transfer_id from transfer far
      where near.transfer_id is null and o.earned_points <> 0 and far.program_id = $1
        and far.reference = 'earn:' || o.order_uuid and (far.program_id, far.reference) >= ($1, 'earn:' || o.order_uuid)
      limit 1
    ) far on true
    cross join lateral (select coalesce(near.transfer_id, far.transfer_id) as transfer_id) t
    left join (
      select order_uuid, sum(refund_halalas) as refunded, sum(reversed_points) as reversed,
        sum(returned_points) as returned
      from order_refund where program_id = $1 and ${within('order_uuid')} group by order_uuid
    ) r on r.order_uuid = o.order_uuid
    group by ${orderColumns}, t.transfer_id, r.refunded, r.reversed, r.returned) checked`,
}

/** Refunds with their transfers. The check of transfers compares the points, the check of orders the sums. */
export const refundCheck: QuickCheck = {
  name: 'refunds',
  table: 'order_refund',
  key: 'refund_uuid',
  checks: ['order_reversed_points', 'order_returned_points', 'refund_without_transfer'],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets, count(*) filter (where
      (r.reversed_points <> 0 and reversed.found is null) or (r.returned_points <> 0 and returned.found is null)
    ) as suspects
    from order_refund r
    left join lateral (${transferOfRefund('reverse')}) reversed on true
    left join lateral (${transferOfRefund('return')}) returned on true
    where r.program_id = $1 and ${within('r.refund_uuid')} and $4::uuid is not null and $5::uuid < $6::uuid`,
}
