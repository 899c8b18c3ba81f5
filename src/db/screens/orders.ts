import { around, joinOrder, type Screen, within } from './screen.ts'

/** Orders with their events, and the transfers that they must have caused; whether those agree, their own screen sees. */
export const orderScreen: Screen = {
  name: 'orders',
  table: 'orders',
  key: 'order_uuid',
  checks: [
    'order_earned_points',
    'order_total_points',
    'order_unpaid_points',
    'order_settlement',
    'order_event',
    'event_repeated',
  ],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets, count(*) filter (where
      e.most > 1
      or (o.type = 1 and o.total_points <> o.earned_points)
      or (o.earned_points <> 0) <> (t.transfer_id is not null)
      or (o.settlement_id is not null and s.settlement_id is null)
      or (o.order_uuid >= $4::uuid and (
        (o.type = 1 and e.approved is not true)
        or case when o.order_status = 'new' then false when o.order_status like '%refunded' then e.refunded is not true
          when o.order_status = 'approved' then e.approved is not true
          when o.order_status = 'authorized' then e.authorized is not true
          when o.order_status = 'captured' then e.captured is not true
          else e.cancelled is not true end
      ))) as suspects
    from (select * from orders o where o.program_id = $1 and ${within('o.order_uuid')}) o
    full join (
      select order_uuid, bool_or(name = 'approved') as approved, bool_or(name = 'authorized') as authorized,
        bool_or(name = 'captured') as captured, bool_or(name = 'cancelled') as cancelled,
        bool_or(name in ('refunded', 'auto_refunded')) as refunded, greatest(
          count(*) filter (where name = 'approved'), count(*) filter (where name = 'authorized'),
          count(*) filter (where name = 'captured'), count(*) filter (where name = 'cancelled'),
          count(*) filter (where name = 'completed'), count(*) filter (where name = 'auto_refunded')) as most
      from event where program_id = $1 and ${within('order_uuid')} group by order_uuid
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
    left join settlement s on s.program_id = $1 and s.settlement_id = o.settlement_id and s.merchant_id = o.merchant_id`,
}

/** As the service writes a payload: its first \`total_points\` is the order's, for nothing before it is the merchant's own. */
const asWritten = `left(e.said, 44) = '{"id":"' || o.order_uuid || '"' and strpos(e.said, ',"total_points":') > 0
        and strpos(e.said, ',"total_points":') = strpos(e.said, ',"total_points":' || o.total_points || ',')`

/** Events with their orders. What was not written in the service's own way is read as JSON. */
export const eventScreen: Screen = {
  name: 'events',
  table: 'event',
  key: 'event_id',
  checks: ['event_without_order', 'event_payload'],
  sql: `
    select 0 as transfers, 0 as entries, 0 as wallets, count(*) filter (where (
      o.merchant_id = e.merchant_id and case
        when e.name not in ('approved', 'captured', 'refunded') then true
        when ${asWritten} then true
        else (
          select p.payload ->> 'id' = o.order_uuid::text and (p.payload ->> 'total_points')::numeric = o.total_points
          from (select regexp_replace(e.said, '(\\\\\\\\)|\\\\u[0-9a-fA-F]{4}', '\\1', 'g')::json as payload) p
        ) end) is not true and e.name <> 'test') as suspects
    from (
      select order_uuid, merchant_id, name, payload::text as said from event
      where program_id = $1 and ${within('event_id')} offset 0
    ) e
    ${joinOrder('e.order_uuid', ['order_uuid', 'merchant_id', 'total_points'])}
    where $4::uuid is not null`,
}
