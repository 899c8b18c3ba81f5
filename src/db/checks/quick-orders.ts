import { readableJson } from '../readable-json.ts'
import { rowsOf } from './check.ts'
import { few_keys, inKeyOrder, quickCheck, within } from './quick.ts'

/** SQL that looks up the transfer of a refund `r` by its reference. */
const transferOfRefund = (kind: 'reverse' | 'return'): string => `
      select true as found from transfer t where t.program_id = $1 and t.reference = '${kind}:' || r.refund_uuid limit 1`

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
const names = Object.keys(events) as (keyof typeof events)[]
const numberOf = (name: keyof typeof events): string => `when '${name}' then ${events[name]}`
const number = `case name ${names.map(numberOf).join(' ')} end`
const once = `case when name in (${[...repeatable].map((name) => `'${name}'`).join(', ')}) then 0 else number end`
const has = (...names: readonly (keyof typeof events)[]): string =>
  `e.names & ${names.reduce((sum, name) => sum | events[name], 0)} <> 0`

/** Names of events whose payload says the order's points. */
const speaking = `('approved', 'captured', 'refunded')`

/**
 * SQL for what a payload says, in the form that the service writes. Nothing before `total_points` comes from the
 * merchant.
 */
const begins = `said like '{"id":"' || order_uuid || '"%'`
const says = `split_part(split_part(said, ',"total_points":', 2), ',', 1) collate "C"`

/** SQL condition that parses the payloads of an order `o`: for those in any other form than the service's. */
const parsed = `(
        select bool_and((p.payload ->> 'id' = o.order_uuid::text
          and (p.payload ->> 'total_points')::numeric = o.total_points) is true)
        from event f cross join lateral (
          select ${readableJson('f.payload')} as payload
        ) p
        where f.program_id = $1 and f.order_uuid = o.order_uuid and f.name in ${speaking})`

/** SQL for whether an order `o` says that nothing of it was refunded. */
const isUnrefunded = `o.refunded_halalas = 0 and o.reversed_points = 0 and o.returned_points = 0`

/**
 * Orders with their events, refunds, transfers and exclusions from settlements. The check of transfers finds those of earnings
 * that do not fit their order, so here it is enough to count them: their references have the order of the orders' keys. The
 * check of refunds looks for those of orders that say they have none. A payload that does not begin as the service writes
 * it is parsed as JSON. One that names a member twice, as the service never does, counts by the first: JSON takes the last.
 */
export const orderCheck = quickCheck({
  name: 'orders',
  table: 'orders',
  subjects: rowsOf('orders', 'event'),
  key: 'order_uuid',
  part_size: few_keys,
  // Orders and events lie in the order of their keys: to sort the events of a part costs little, and less than hash tables.
  settings: [...inKeyOrder, 'set local enable_hashagg = off'],
  checks: [
    'order_earned_points',
    'order_total_points',
    'order_unpaid_points',
    'order_refunds',
    'order_reversed_points',
    'order_returned_points',
    'order_booked_at',
    'order_event',
    'event_repeated',
    'event_without_order',
    'event_payload',
  ],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets,
      count(*) filter (where sound is not true) + abs(count(*) filter (where earned) - (
        select count(*) from transfer
        where program_id = $1 and reference between 'earn:' || $2::uuid and 'earn:' || $3::uuid
      )) as suspects
    from (select o.earned_points <> 0 as earned,
      coalesce(e.first_merchant = o.merchant_id and e.last_merchant = o.merchant_id, e.order_uuid is null)
      and (e.least is null or (e.least = o.total_points::text and e.most = e.least) or ${parsed})
      and coalesce(e.once_sum = e.once_bits, true)
      and (o.type <> 1 or o.total_points = o.earned_points)
      and case when o.booked_at is null then true else (o.booked_at = 'infinity') = coalesce((
          select x.included_at is null from settlement_exclusion x
          where x.program_id = $1 and x.order_uuid = o.order_uuid limit 1
        ), false) end
      and case when ${isUnrefunded} then true else (
          select o.refunded_halalas = coalesce(sum(r.refund_halalas), 0) and o.reversed_points = coalesce(sum(r.reversed_points), 0)
            and o.returned_points = coalesce(sum(r.returned_points), 0)
          from order_refund r where r.program_id = $1 and r.order_uuid = o.order_uuid
        ) end
      and (o.order_uuid < $4::uuid or ((o.type <> 1 or ${has('approved')})
        and case when o.order_status = 'approved' then ${has('approved')}
          when o.order_status = 'new' then true
          when o.order_status like '%refunded' then ${has('refunded', 'auto_refunded')}
          when o.order_status = 'authorized' then ${has('authorized')}
          when o.order_status = 'captured' then ${has('captured')}
          else ${has('cancelled')} end)) as sound
    from (select * from orders o where o.program_id = $1 and ${within('o.order_uuid')}) o
    full join (
      select order_uuid, min(merchant_id) as first_merchant, max(merchant_id) as last_merchant,
        bit_or(number) as names, sum(once) as once_sum, bit_or(once) as once_bits,
        min(points) as least, max(points) as most
      from (
        select order_uuid, merchant_id, number, ${once} as once,
          case when name not in ${speaking} then null when ${begins} then ${says} else '' end as points
        from (
          select order_uuid, merchant_id, name, ${number} as number, payload::text as said from event
          where program_id = $1 and ${within('order_uuid')} and name <> 'test' offset 0
        ) told offset 0
      ) told
      group by order_uuid
    ) e on e.order_uuid = o.order_uuid
    where $5::uuid < $6::uuid) checked`,
})

/** Refunds with their transfers and orders. The check of transfers compares the points, the check of orders the sums. */
export const refundCheck = quickCheck({
  name: 'refunds',
  table: 'order_refund',
  subjects: rowsOf('order_refund'),
  key: 'refund_uuid',
  part_size: few_keys,
  checks: ['order_refunds', 'order_reversed_points', 'order_returned_points', 'refund_without_transfer'],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets, count(*) filter (where
      (r.reversed_points <> 0 and reversed.found is null) or (r.returned_points <> 0 and returned.found is null)
        or ((r.refund_halalas > 0 or r.reversed_points > 0 or r.returned_points > 0) and owner.refunded is not true)
    ) as suspects
    from order_refund r
    left join lateral (
      select not (${isUnrefunded}) as refunded from orders o where o.program_id = $1 and o.order_uuid = r.order_uuid limit 1
    ) owner on true
    left join lateral (${transferOfRefund('reverse')}) reversed on true
    left join lateral (${transferOfRefund('return')}) returned on true
    where r.program_id = $1 and ${within('r.refund_uuid')} and $4::uuid is not null and $5::uuid < $6::uuid`,
})
