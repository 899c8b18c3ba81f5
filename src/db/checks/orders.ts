import { readableJson } from '../readable-json.ts'
import { type Check, check, rowsOf } from './check.ts'
import { withinWallet } from './ledger.ts'

/** SQL for the points that transfers of some kinds moved in the wallet, by order. */
const movedBy = (moving: readonly string[]): string => `select t.order_uuid,
    coalesce(sum(e.amount) filter (where t.kind = 'earn'), 0) as earned,
    coalesce(sum(-e.amount) filter (where t.kind = 'post'), 0) as posted,
    coalesce(sum(-e.amount) filter (where t.kind = 'reverse'), 0) as reversed,
    coalesce(sum(e.amount) filter (where t.kind = 'return'), 0) as returned
  from transfer t
  join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id
  join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind = 'customer'
  where t.program_id = $1 and t.order_uuid is not null and t.kind in (${moving.map((kind) => `'${kind}'`).join(', ')})
  group by t.order_uuid`

/** The kind of transfer behind each sum. */
const kinds = { earned: 'earn', posted: 'post', reversed: 'reverse', returned: 'return' } as const

/** Makes a check that compares a column of each order with the points that its transfers moved. */
function compare(name: string, said: string, found: keyof typeof kinds, where = 'true'): Check {
  return check(
    name,
    rowsOf('orders'),
    `select o.order_uuid as id, '${said} is ' || o.${said} || ' and its transfers moved ' || coalesce(m.${found}, 0) as detail
     from orders o left join (${movedBy([kinds[found]])}) m on m.order_uuid = o.order_uuid
     where o.program_id = $1 and ${where} and o.${said} <> coalesce(m.${found}, 0)`,
  )
}

/** Rules of orders, their transfers and their events. */
export const orderChecks: readonly Check[] = [
  compare('order_earned_points', 'earned_points', 'earned'),
  compare('order_reversed_points', 'reversed_points', 'reversed'),
  compare('order_returned_points', 'returned_points', 'returned'),
  compare('order_total_points', 'total_points', 'earned', 'o.type = 1'),
  compare('order_redeemed_points', 'total_points', 'posted', 'o.type = 2 and o.paid_at is not null'),
  check(
    'order_refunds',
    rowsOf('orders'),
    `select o.order_uuid as id, 'refunded, reversed and returned are ' || o.refunded_halalas || ', ' || o.reversed_points
       || ' and ' || o.returned_points || ', and its refunds come to ' || coalesce(r.refunded, 0) || ', '
       || coalesce(r.reversed, 0) || ' and ' || coalesce(r.returned, 0) as detail
     from orders o left join (
       select order_uuid, sum(refund_halalas) as refunded, sum(reversed_points) as reversed,
         sum(returned_points) as returned
       from order_refund where program_id = $1 group by order_uuid
     ) r on r.order_uuid = o.order_uuid
     where o.program_id = $1 and (o.refunded_halalas <> coalesce(r.refunded, 0)
       or o.reversed_points <> coalesce(r.reversed, 0) or o.returned_points <> coalesce(r.returned, 0))`,
  ),
  check(
    'refund_without_transfer',
    rowsOf('order_refund'),
    `select r.refund_uuid as id, 'no transfer (' || moved.kind || ') moved its ' || moved.points || ' points' as detail
     from order_refund r
     cross join lateral (values ('reverse', r.reversed_points), ('return', r.returned_points)) moved (kind, points)
     where r.program_id = $1 and moved.points <> 0 and not exists (
       select from transfer t where t.program_id = $1 and t.reference = moved.kind || ':' || r.refund_uuid
     )`,
  ),
  check(
    'transfer_of_no_refund',
    rowsOf('transfer'),
    `select t.transfer_id as id, 'a transfer (' || t.kind || ') of a refund that its order does not have' as detail
     from transfer t where t.program_id = $1 and t.kind in ('reverse', 'return') and not exists (
       select from order_refund r
       join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.line = 1
       where r.program_id = $1 and r.order_uuid = t.order_uuid and t.reference = t.kind || ':' || r.refund_uuid
       and e.amount = case t.kind when 'reverse' then r.reversed_points else r.returned_points end
     )`,
  ),
  check(
    'order_unpaid_points',
    rowsOf('orders'),
    `select o.order_uuid as id, 'it is ' || o.order_status || ' and its transfers posted ' || m.posted
       || ' and earned ' || m.earned as detail
     from orders o join (${movedBy(['earn', 'post'])}) m on m.order_uuid = o.order_uuid
     where o.program_id = $1 and o.paid_at is null and (m.posted <> 0 or m.earned <> 0)`,
  ),
  check(
    'order_paid_at',
    rowsOf('orders'),
    `select o.order_uuid as id, 'it was paid at ' || o.paid_at || ', and a transfer (' || t.kind || ') of its payment is of ' || t.created_at
       as detail
     from transfer t join orders o on o.program_id = $1 and o.order_uuid = t.order_uuid
     where t.program_id = $1 and t.kind in ('earn', 'post') and o.paid_at <> t.created_at`,
  ),
  // A refund gives points back at the value of those that it undoes. Older versions recorded none.
  check(
    'order_value',
    rowsOf('orders'),
    `select t.transfer_id as id, 'a point (' || t.kind || ') is worth ' || e.micro_sar_per_point || ', and for its order ' || t.order_uuid || ' '
       || worth.value as detail
     from transfer t
     join orders o on o.program_id = $1 and o.order_uuid = t.order_uuid
     join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.line = 1
     left join transfer c on t.kind = 'reverse' and c.program_id = $1 and c.reference = 'earn:' || t.order_uuid
     left join entry earned on earned.program_id = $1 and earned.transfer_id = c.transfer_id and earned.line = 1
     cross join lateral (
       select case t.kind when 'reverse' then earned.micro_sar_per_point else o.micro_sar_per_point end as value
     ) worth
     where t.program_id = $1 and t.kind in ('post', 'return', 'reverse') and e.micro_sar_per_point <> worth.value`,
  ),
  check(
    'transfer_without_order',
    rowsOf('transfer'),
    `select t.transfer_id as id, 'a transfer (' || t.kind || ') for the order ' || t.order_uuid || ', which is not there' as detail
     from transfer t where t.program_id = $1 and t.order_uuid is not null
     and not exists (select from orders o where o.program_id = $1 and o.order_uuid = t.order_uuid)`,
  ),
  check(
    'transfer_of_others',
    rowsOf('orders'),
    `select t.transfer_id as id, 'line ' || e.line || ' is not of the customer or the merchant of the order '
       || t.order_uuid as detail
     from transfer t
     join orders o on o.program_id = $1 and o.order_uuid = t.order_uuid
     join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id
     join account a on a.program_id = $1 and a.account_id = e.account_id
     left join account m on m.program_id = $1 and m.account_id = o.customer_id
     where t.program_id = $1 and (
       -- Orders of a merged wallet move points in the one that it was merged into. Who proved another phone after taking a choice back leaves a hold that was released; see hold_of_others.
       (a.kind = 'customer' and t.kind not in (${withinWallet})
         and coalesce(a.merged_into, a.account_id) is distinct from coalesce(m.merged_into, o.customer_id))
       or (a.kind = 'merchant' and a.merchant_id is distinct from o.merchant_id)
     )`,
  ),
  check(
    'order_event',
    rowsOf('orders'),
    `with wanted as (
       select order_uuid, 'approved' as name, 'approved' as other from orders where program_id = $1 and type = 1
       union
       select order_uuid, case when order_status like '%refunded' then 'refunded' else order_status end,
         case when order_status like '%refunded' then 'auto_refunded' else order_status end
       from orders where program_id = $1 and order_status <> 'new'
     )
     select w.order_uuid as id, 'it has no event ' || w.name as detail from wanted w
     where w.order_uuid >= $2::uuid and not exists (
       select from event e where e.program_id = $1 and e.order_uuid = w.order_uuid and e.name in (w.name, w.other)
     )`,
  ),
  check(
    'event_repeated',
    rowsOf('event'),
    `select order_uuid as id, 'it has ' || count(*) || ' events ' || name as detail from event
     where program_id = $1 and name in ('approved', 'authorized', 'captured', 'cancelled', 'completed', 'auto_refunded')
     group by order_uuid, name having count(*) > 1`,
  ),
  check(
    'event_without_order',
    rowsOf('event'),
    `select e.event_id as id, 'an event ' || e.name || ' of an order that this merchant does not have' as detail
     from event e where e.program_id = $1 and e.name <> 'test' and not exists (
       select from orders o where o.program_id = $1 and o.order_uuid = e.order_uuid and o.merchant_id = e.merchant_id
     )`,
  ),
  check(
    'event_payload',
    rowsOf('event'),
    `select e.event_id as id, 'it tells of ' || coalesce(p.payload ->> 'total_points', 'no') || ' points of the order '
       || coalesce(p.payload ->> 'id', 'nothing') || ', which has ' || o.total_points as detail
     from event e join orders o on o.program_id = $1 and o.order_uuid = e.order_uuid
     cross join lateral (
       select ${readableJson('e.payload')} as payload
     ) p
     where e.program_id = $1 and e.name in ('approved', 'captured', 'refunded') and (
       p.payload ->> 'id' is distinct from o.order_uuid::text
       or (p.payload ->> 'total_points')::numeric is distinct from o.total_points
     )`,
  ),
  check(
    'pending_earning',
    rowsOf('pending_earning'),
    `select p.pending_uuid as id, case when p.order_uuid is null
         then 'it waits, and there is an order of its number'
         else 'it became an order that is not there or not the same' end as detail
     from pending_earning p
     left join orders o on o.program_id = $1 and o.type = 1 and o.merchant_id = p.merchant_id
       and o.source = p.source and o.order_number = p.order_number
     where p.program_id = $1 and (
       (p.order_uuid is null and o.order_uuid is not null)
       or (p.order_uuid is not null and (
         o.order_uuid is distinct from p.order_uuid or o.customer_id is distinct from p.customer_id
         or o.total_points is distinct from p.total_points or o.total_halalas is distinct from p.total_halalas
       ))
     )`,
  ),
]

/** Rules of checkouts, their orders, and the payments that providers collect. */
export const checkoutChecks: readonly Check[] = [
  check(
    'checkout_hold',
    rowsOf('checkout_session'),
    `select o.order_uuid as id, 'it has chosen ' || o.total_points || ' points and holds ' || coalesce(h.points, 0)
       || case when s.release_at is null then ', without a time to let them go' else '' end as detail
     from checkout_session s
     join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.order_status = 'new'
     left join hold h on h.program_id = $1 and h.order_uuid = s.order_uuid and h.state = 'open'
     where s.program_id = $1
     and coalesce(h.points, 0) <> case when s.release_at is null then 0 else o.total_points end`,
  ),
  check(
    'checkout_choice',
    rowsOf('checkout_session'),
    `select o.order_uuid as id, 'nobody has confirmed the ' || o.total_points || ' points chosen for it' as detail
     from checkout_session s
     join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.order_status = 'new'
     where s.program_id = $1 and s.confirmed_at is null and (o.total_points <> 0 or o.redeemed_halalas <> 0)`,
  ),
  check(
    'checkout_end',
    rowsOf('checkout_session'),
    `select o.order_uuid as id, 'it is ' || o.order_status || ' and its checkout is still open' as detail
     from checkout_session s
     join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.order_status <> 'new'
     where s.program_id = $1 and s.state = 'open'`,
  ),
  check(
    'payment_under_way',
    rowsOf('order_payment'),
    `select p.payment_uuid as id, 'it is under way for ' || p.order_uuid || ', which waits for no payment' as detail
     from order_payment p
     join orders o on o.program_id = $1 and o.order_uuid = p.order_uuid
     left join checkout_session s on s.program_id = $1 and s.order_uuid = p.order_uuid
     where p.program_id = $1 and p.state = 'created'
     and (o.order_status <> 'new' or s.release_at is null or s.collector is distinct from 'provider')`,
  ),
  check(
    'payment_taken',
    rowsOf('order_payment'),
    `select p.payment_uuid as id, 'it is ' || p.state || ' with ' || p.amount_halalas || ' halalas for ' || p.order_uuid
       || ', which is ' || o.order_status || ' and had ' || o.total_halalas - o.redeemed_halalas || ' to pay' as detail
     from order_payment p join orders o on o.program_id = $1 and o.order_uuid = p.order_uuid
     where p.program_id = $1 and p.state in ('paid', 'authorized') and (
       p.amount_halalas <> o.total_halalas - o.redeemed_halalas or o.order_status = 'new'
       or (p.state = 'paid' and o.paid_at is null)
     )`,
  ),
  check(
    'payment_surplus',
    rowsOf('order_payment'),
    `select p.payment_uuid as id, 'its money is to go back, and nobody is told to give it back' as detail
     from order_payment p
     where p.program_id = $1 and p.state = 'surplus' and not exists (
       select from payment_task t
       where t.program_id = $1 and t.payment_uuid = p.payment_uuid and t.kind = 'give_back' and t.state <> 'done'
     )`,
  ),
]
