import { type Check, check } from './ledger.ts'

/** Rules of settlements. Those of older versions have no period and no lines; they are in `settled_points` all the same. */
export const settlementChecks: readonly Check[] = [
  check(
    'settled_points',
    `select a.account_id as id, 'settled are ' || l.settled_points || ' points, and its entries come to '
       || coalesce(c.points, 0) - coalesce(x.points, 0) as detail
     from earning_lock l
     join account a on a.program_id = $1 and a.kind = 'merchant' and a.merchant_id = l.merchant_id
     left join lateral (
       select -sum(e.amount) as points from entry e
       where e.program_id = $1 and e.account_id = a.account_id and e.account_version is null and e.created_at < l.settled_to
     ) c on true
     left join (
       select x.merchant_id, -sum(e.amount) as points
       from settlement_exclusion x
       join earning_lock l on l.program_id = $1 and l.merchant_id = x.merchant_id
       join transfer t on t.program_id = $1 and t.order_uuid = x.order_uuid
       join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.account_version is null and e.created_at < l.settled_to
       where x.program_id = $1 and (x.included_at is null or x.included_at >= l.settled_to)
       group by x.merchant_id
     ) x on x.merchant_id = l.merchant_id
     where l.program_id = $1 and l.settled_points <> coalesce(c.points, 0) - coalesce(x.points, 0)`,
  ),
  check(
    'settlement_lines',
    `select s.settlement_id as id, 'it says ' || s.net_points || ' points and ' || s.due_halalas || ' halalas, and its lines come to '
       || coalesce(l.points, 0) || ' and ' || coalesce(l.micro_sar, 0) || ' micro-SAR' as detail
     from settlement s
     left join (
       select settlement_id, sum(points) as points, sum(micro_sar) as micro_sar from settlement_line
       where program_id = $1 group by settlement_id
     ) l on l.settlement_id = s.settlement_id
     where s.program_id = $1 and s.until_at is not null
       and (s.net_points <> coalesce(l.points, 0) or s.due_halalas * 10000 <> coalesce(l.micro_sar, 0)
         or s.due_halalas <> s.net_halalas + s.money_halalas + s.fee_halalas + s.vat_halalas)`,
  ),
  check(
    'settlement_periods',
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
    `select o.order_uuid as id, 'it is ' || case when x.order_uuid is null then 'not ' else '' end
       || 'left out of settlements, and counts from ' || coalesce(o.booked_at, o.paid_at) as detail
     from orders o
     left join settlement_exclusion x on x.program_id = $1 and x.order_uuid = o.order_uuid and x.included_at is null
     where o.program_id = $1 and o.booked_at is not null and (x.order_uuid is not null) <> (o.booked_at = 'infinity')`,
  ),
]
