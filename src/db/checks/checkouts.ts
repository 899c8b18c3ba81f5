import { type Check, check } from './check.ts'

/** What holds between checkouts, the orders they are for, and the money that providers collect. */
export const checkoutChecks: readonly Check[] = [
  check(
    'checkout_hold',
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
    `select o.order_uuid as id, 'nobody has confirmed the ' || o.total_points || ' points chosen for it' as detail
     from checkout_session s
     join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.order_status = 'new'
     where s.program_id = $1 and s.confirmed_at is null and (o.total_points <> 0 or o.redeemed_halalas <> 0)`,
  ),
  check(
    'checkout_end',
    `select o.order_uuid as id, 'it is ' || o.order_status || ' and its checkout is still open' as detail
     from checkout_session s
     join orders o on o.program_id = $1 and o.order_uuid = s.order_uuid and o.order_status <> 'new'
     where s.program_id = $1 and s.state = 'open'`,
  ),
  check(
    'payment_under_way',
    `select p.payment_uuid as id, 'it is under way for ' || p.order_uuid || ', which waits for no payment' as detail
     from order_payment p
     join orders o on o.program_id = $1 and o.order_uuid = p.order_uuid
     left join checkout_session s on s.program_id = $1 and s.order_uuid = p.order_uuid
     where p.program_id = $1 and p.state = 'created'
     and (o.order_status <> 'new' or s.release_at is null or s.collector is distinct from 'provider')`,
  ),
  check(
    'payment_taken',
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
    `select p.payment_uuid as id, 'its money is to go back, and nobody is told to give it back' as detail
     from order_payment p
     where p.program_id = $1 and p.state = 'surplus' and not exists (
       select from payment_task t
       where t.program_id = $1 and t.payment_uuid = p.payment_uuid and t.kind = 'give_back' and t.state <> 'done'
     )`,
  ),
]
