import { moneyKinds, pointKinds } from '../../domain/settlement.ts'
import { type Check, check, rowsOf } from './check.ts'

const listOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
const points = listOf(pointKinds)
const money = listOf(moneyKinds)

/** SQL for the number of the period in which something counts: the nth begins at the nth instant of `a.cuts`. */
const placeOf = (at: string): string => `width_bucket(${at}, a.cuts)`

/** SQL for whether a merchant with the boundary `l` has been settled. */
const isSettled = '(l.settled_to is not null or l.settled_points <> 0)'

/**
 * SQL for settled merchants `a` with the instants at which their periods begin and end. Settlements of older versions have
 * no period: what counts before the first one that has is theirs.
 */
const settled = `
  settled as materialized (
    select l.merchant_id, a.account_id, l.settled_to, l.settled_points, coalesce(s.cuts, '{infinity}') as cuts, coalesce(s.older, false) as older
    from earning_lock l
    join account a on a.program_id = $1 and a.kind = 'merchant' and a.merchant_id = l.merchant_id
    left join (
      select s.merchant_id, bool_or(s.until_at is null) as older, array_agg(distinct c.at order by c.at) filter (where c.at is not null) as cuts
      from settlement s
      cross join lateral (values (case when s.until_at is not null then coalesce(s.from_at, '-infinity') end), (s.until_at)) c(at)
      where s.program_id = $1 group by s.merchant_id
    ) s on s.merchant_id = l.merchant_id
    where l.program_id = $1 and ${isSettled}
  ), period as materialized (
    select s.settlement_id, s.merchant_id, s.orders, array_position(a.cuts, coalesce(s.from_at, '-infinity')) as place
    from settlement s join settled a on a.merchant_id = s.merchant_id
    where s.program_id = $1 and s.until_at is not null
  )`

/** SQL for what counts before each merchant's boundary, by period: an order left out counts when it was taken in. */
const counted = `
  excluded as materialized (
    select a.merchant_id, a.cuts, a.settled_to, e.kind, e.micro_sar_per_point, e.amount, e.created_at,
      greatest(e.created_at, coalesce(x.included_at, 'infinity')) as counts_at
    from settlement_exclusion x
    join settled a on a.merchant_id = x.merchant_id
    join transfer t on t.program_id = $1 and t.order_uuid = x.order_uuid
    join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.account_id = a.account_id and e.account_version is null
      and e.created_at < a.settled_to
    where x.program_id = $1
  ), counted as materialized (
    select merchant_id, place, kind, micro_sar_per_point, sum(entries) as entries, sum(points) as points, 0::numeric as halalas from (
      select a.merchant_id, ${placeOf('e.created_at')} as place, e.kind, e.micro_sar_per_point, count(*) as entries, -sum(e.amount) as points
      from settled a
      join entry e on e.program_id = $1 and e.account_id = a.account_id and e.account_version is null and e.created_at < a.settled_to
      group by 1, 2, 3, 4
      union all
      select a.merchant_id, ${placeOf('a.created_at')}, a.kind, a.micro_sar_per_point, -1, a.amount from excluded a
      union all
      select a.merchant_id, ${placeOf('a.counts_at')}, a.kind, a.micro_sar_per_point, 1, -a.amount from excluded a
      where a.counts_at < a.settled_to
    ) counted group by 1, 2, 3, 4 having sum(entries) <> 0 or sum(points) <> 0
    union all
    select a.merchant_id, ${placeOf('m.counts_at')}, m.kind, null, count(*), 0,
      sum(case m.kind when 'collected' then -m.amount_halalas else m.amount_halalas end)
    from settled a
    join (
      select m.merchant_id, m.kind, m.amount_halalas,
        case when x.order_uuid is null then m.booked_at else greatest(m.booked_at, coalesce(x.included_at, 'infinity')) end as counts_at
      from provider_money m
      left join settlement_exclusion x on x.program_id = $1 and x.order_uuid = m.order_uuid
      where m.program_id = $1
    ) m on m.merchant_id = a.merchant_id and m.counts_at < a.settled_to
    group by 1, 2, 3
  )`

/** SQL for whether an order `o` that counts at a time was refunded after its period: then that period contains it. */
const refundedAfter = (at: string): string => `exists (
      select from order_refund r where r.program_id = $1 and r.order_uuid = o.order_uuid and r.created_at >= a.cuts[${placeOf(at)} + 1]
    )`

/**
 * SQL for how many more orders count in a period than have an earning in it: as for a settlement, not to count all of them.
 * `late` are those that were refunded in full after the period and before its close, which older versions did not count.
 */
const more = `
  more as materialized (
    select a.merchant_id, ${placeOf('coalesce(o.booked_at, o.paid_at)')} as place,
      sum((o.earned_points = 0 and (counts.it or late.it))::integer - (o.earned_points > 0 and not (counts.it or late.it))::integer) as orders,
      sum((late.it and not counts.it)::integer) as late
    from settled a
    join orders o on o.program_id = $1 and o.merchant_id = a.merchant_id and coalesce(o.booked_at, o.paid_at) < a.settled_to
    cross join lateral (select o.order_status <> 'fully_refunded' or o.refunded_late as it) counts
    cross join lateral (select not counts.it and ${refundedAfter('coalesce(o.booked_at, o.paid_at)')} as it) late
    where o.paid_at is not null and (o.type = 2 or o.booked_at is not null or o.earned_points = 0)
    group by 1, 2
    union all
    select a.merchant_id, ${placeOf('o.paid_at')}, -sum((not late.it)::integer), sum(late.it::integer)
    from settled a
    join orders o on o.program_id = $1 and o.merchant_id = a.merchant_id and o.order_status = 'fully_refunded' and o.paid_at < a.settled_to
    cross join lateral (select ${refundedAfter('o.paid_at')} as it) late
    where o.type = 1 and o.booked_at is null and o.earned_points > 0 and not o.refunded_late
    group by 1, 2
  )`

/** SQL that compares the lines of settlements with what counts in their periods. Entries of older versions have no kind. */
const lines = `
    select s.settlement_id as id, 'its lines' || coalesce(' (' || s.kind || ')', '') || ' differ from what counts in its period by '
      || sum(s.entries) || ' entries, ' || sum(s.points) || ' points and ' || sum(s.micro_sar) || ' micro-SAR' as detail
    from (
      select s.settlement_id, s.micro_sar_per_point, s.entries, s.points, s.micro_sar,
        case when bool_or(s.kind is null) over (partition by s.settlement_id) then null else s.kind end as kind
      from (
        select p.settlement_id, c.kind, v.micro_sar_per_point, c.entries, c.points,
          coalesce(c.points * v.micro_sar_per_point, c.halalas * 10000) as micro_sar
        from counted c
        join period p on p.merchant_id = c.merchant_id and p.place = c.place
        cross join lateral (
          select case when c.kind in (${money}) then null else coalesce(c.micro_sar_per_point, (
            select r.micro_sar_per_point from program_rate r where r.program_id = $1 order by r.begins_on limit 1
          )) end as micro_sar_per_point
        ) v
        union all
        select l.settlement_id, l.kind, l.micro_sar_per_point, -l.entries, -l.points, -l.micro_sar
        from settlement_line l join period p on p.settlement_id = l.settlement_id
        where l.program_id = $1 and l.kind in (${points}, ${money})
      ) s
    ) s
    group by s.settlement_id, s.kind, s.micro_sar_per_point
    having sum(s.entries) <> 0 or sum(s.points) <> 0 or sum(s.micro_sar) <> 0`

/** Rules of settlements. Those of older versions have no period and no lines; they are in `settled_points` all the same. */
export const settlementChecks: readonly Check[] = [
  // In one statement, so that the entries of merchants are read once.
  check(
    'settled_entries',
    [`select from earning_lock l where l.program_id = $1 and ${isSettled}`],
    `with ${settled}, ${counted}, ${more}
     select a.account_id as id, 'settled are ' || a.settled_points || ' points, and its entries come to ' || coalesce(c.points, 0) as detail
     from settled a left join (select merchant_id, sum(points) as points from counted group by 1) c on c.merchant_id = a.merchant_id
     where a.settled_points <> coalesce(c.points, 0)
     union all
     select a.account_id, sum(c.entries) || ' entries before its boundary are in no settlement'
     from counted c join settled a on a.merchant_id = c.merchant_id
     where not (a.older and c.place = 0)
       and not exists (select from period p where p.merchant_id = c.merchant_id and p.place = c.place)
     group by a.account_id
     union all
     select a.account_id, o.orders || ' orders before its boundary are in no settlement'
     from (
       select merchant_id, place, sum(orders) as orders, sum(late) as late from more group by 1, 2
     ) o join settled a on a.merchant_id = o.merchant_id
     where o.orders > o.late and not (a.older and o.place = 0)
       and not exists (select from period p where p.merchant_id = o.merchant_id and p.place = o.place)
     union all
     ${lines}
     union all
     select p.settlement_id, 'it says ' || p.orders || ' orders, and ' || coalesce(earned.orders, 0) + coalesce(m.orders, 0) || ' count in its period'
     from period p
     left join (
       select merchant_id, place, sum(entries) filter (where kind = 'earn') as orders, bool_or(kind is null) as older from counted group by 1, 2
     ) earned on earned.merchant_id = p.merchant_id and earned.place = p.place
     left join (
       select merchant_id, place, sum(orders) as orders, sum(late) as late from more group by 1, 2
     ) m on m.merchant_id = p.merchant_id and m.place = p.place
     where earned.older is not true and p.orders <> coalesce(earned.orders, 0) + coalesce(m.orders, 0)
       and p.orders <> coalesce(earned.orders, 0) + coalesce(m.orders, 0) - coalesce(m.late, 0)`,
  ),
  check(
    'settlement_lines',
    rowsOf('settlement'),
    `select s.settlement_id as id, 'it says ' || s.net_points || ' points and ' || coalesce(s.due_halalas::text, 'no') || ' halalas, and its lines come to '
       || coalesce(l.points, 0) || ' and ' || coalesce(l.micro_sar, 0) || ' micro-SAR' as detail
     from settlement s
     left join (
       select settlement_id, sum(points) as points, sum(micro_sar) as micro_sar,
         coalesce(sum(micro_sar) filter (where kind in (${points}, 'rounding')), 0) as net,
         coalesce(sum(micro_sar) filter (where kind = 'rounding'), 0) as rounding,
         coalesce(sum(micro_sar) filter (where kind in (${money})), 0) as money,
         coalesce(sum(micro_sar) filter (where kind in ('fee_earn', 'fee_redeem')), 0) as fee,
         bool_or(kind in (${points}) and micro_sar is distinct from points * micro_sar_per_point) as wrong
       from settlement_line where program_id = $1 group by settlement_id
     ) l on l.settlement_id = s.settlement_id
     where s.program_id = $1 and s.until_at is not null and (
       -- An amount may be null in those of older versions alone.
       (s.net_points = coalesce(l.points, 0) and s.due_halalas * 10000 = coalesce(l.micro_sar, 0)
         and s.net_halalas * 10000 = coalesce(l.net, 0) and s.money_halalas * 10000 = coalesce(l.money, 0)
         and s.fee_halalas * 10000 = coalesce(l.fee, 0) and s.vat_halalas = round(s.fee_halalas * s.fee_vat_bp * 0.0001)
         and s.due_halalas = s.net_halalas + s.money_halalas + s.fee_halalas + s.vat_halalas) is not true
       or abs(l.rounding) > 5000 or l.wrong)`,
  ),
  check(
    'settlement_periods',
    rowsOf('settlement'),
    `select settlement_id as id, 'its period is not between those before and after it' as detail
     from (
       select s.settlement_id, s.from_at, s.until_at, l.settled_to,
         lag(s.until_at) over (partition by s.merchant_id order by s.until_at) as earlier
       from settlement s
       left join earning_lock l on l.program_id = $1 and l.merchant_id = s.merchant_id
       where s.program_id = $1 and s.until_at is not null
     ) s
     where s.until_at > coalesce(s.settled_to, '-infinity') or s.from_at >= s.until_at or s.from_at < s.earlier
       or (s.from_at is null and s.earlier is not null)`,
  ),
  check(
    'order_booked_at',
    rowsOf('orders'),
    `select o.order_uuid as id, 'it is ' || case when x.order_uuid is null then 'not ' else '' end
       || 'left out of settlements, and counts from ' || coalesce(o.booked_at, o.paid_at) as detail
     from orders o
     left join settlement_exclusion x on x.program_id = $1 and x.order_uuid = o.order_uuid and x.included_at is null
     where o.program_id = $1 and o.booked_at is not null and (x.order_uuid is not null) <> (o.booked_at = 'infinity')`,
  ),
  check(
    'provider_money',
    rowsOf('order_payment', 'provider_money'),
    `select coalesce(m.money_uuid, p.payment_uuid) as id, 'a provider collected ' || p.amount_halalas || ' halalas for ' || p.order_uuid || case
         when m.money_uuid is null then ', which are not recorded'
         when p.own_account then ' on an account of the merchant, and it is recorded as collected'
         else ', and recorded are ' || m.amount_halalas || ' for the merchant ' || m.merchant_id || ' at ' || m.created_at end as detail
     from order_payment p
     join orders o on o.program_id = $1 and o.order_uuid = p.order_uuid and o.paid_at is not null
     left join provider_money m on m.program_id = $1 and m.order_uuid = p.order_uuid and m.kind = 'collected'
     where p.program_id = $1 and p.state in ('paid', 'authorized') and case
       -- Older versions did not say whose account it was; the sandbox has none.
       when m.money_uuid is null then p.own_account is false or (p.own_account is null and p.provider = 'sandbox')
       else p.own_account is true or m.amount_halalas <> p.amount_halalas or m.merchant_id <> o.merchant_id or m.created_at <> o.paid_at end
     union all
     select coalesce(m.money_uuid, r.refund_uuid), 'a refund paid back ' || coalesce(r.provider_halalas, 0) || ' halalas, and recorded are '
       || coalesce(m.amount_halalas, 0)
     from (
       select r.refund_uuid, r.order_uuid, r.provider_halalas from order_refund r
       join provider_money c on c.program_id = $1 and c.order_uuid = r.order_uuid and c.kind = 'collected'
       where r.program_id = $1 and r.payment_uuid is not null and r.provider_halalas > 0
     ) r
     full join (select * from provider_money m where m.program_id = $1 and m.kind = 'paid_back') m on m.money_uuid = r.refund_uuid
     where (m.amount_halalas = r.provider_halalas and m.order_uuid = r.order_uuid) is not true
     union all
     select m.money_uuid, 'money (' || m.kind || ') of ' || m.order_uuid || ' counts for the merchant ' || m.merchant_id || ' from ' || m.booked_at
     from provider_money m
     left join orders o on o.program_id = $1 and o.order_uuid = m.order_uuid
     where m.program_id = $1 and (m.merchant_id is distinct from o.merchant_id or m.booked_at < m.created_at)
     union all
     select m.money_uuid, 'no payment of ' || m.order_uuid || ' has collected the ' || m.amount_halalas || ' halalas that are recorded'
     from provider_money m
     left join (
       select order_uuid, sum(amount_halalas) as amount_halalas from provider_money
       where program_id = $1 and kind <> 'collected' group by order_uuid
     ) gone on gone.order_uuid = m.order_uuid
     where m.program_id = $1 and m.kind = 'collected' and not exists (
       select from order_payment p
       where p.program_id = $1 and p.order_uuid = m.order_uuid and p.amount_halalas = m.amount_halalas
         -- Once all has gone back, the payment can have ended in another way.
         and (p.state in ('paid', 'authorized') or (p.state <> 'created' and gone.amount_halalas = m.amount_halalas))
     )
     union all
     select m.money_uuid, 'missing of ' || m.order_uuid || ' are ' || m.amount_halalas || ' halalas, and it was not reversed, or had another amount'
     from provider_money m
     where m.program_id = $1 and m.kind = 'missing' and not exists (
       select from provider_money c
       join order_refund r on r.program_id = $1 and r.refund_uuid = m.money_uuid and r.order_uuid = m.order_uuid
       where c.program_id = $1 and c.order_uuid = m.order_uuid and c.kind = 'collected' and c.amount_halalas = m.amount_halalas
     )`,
  ),
]
