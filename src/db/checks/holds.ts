import { type Check, check } from './check.ts'

/** What holds for points reserved by checkouts and authorised orders. A hold ends exactly once. */
export const holdChecks: readonly Check[] = [
  check(
    'wallet_open_holds',
    `select a.account_id as id, 'held is ' || a.held || ' and its open holds sum to ' || coalesce(h.total, 0) as detail
     from account a
     left join (
       select account_id, sum(points) as total from hold where program_id = $1 and state = 'open' group by account_id
     ) h on h.account_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.held is distinct from coalesce(h.total, 0)`,
  ),
  check(
    'hold_begin',
    `select h.hold_id as id, 'it does not rest on a transfer that held its ' || h.points || ' points' as detail
     from hold h where h.program_id = $1 and not exists (
       select from transfer t
       join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.bucket = 'held'
       where t.program_id = $1 and t.transfer_id = h.hold_transfer_id and t.kind = 'hold'
       and t.reference = 'hold:' || h.hold_id and t.order_uuid = h.order_uuid
       and e.account_id = h.account_id and e.amount = h.points
     )`,
  ),
  check(
    'hold_end',
    `select h.hold_id as id, 'it is ' || h.state || ' without the transfer that ended it so' as detail
     from hold h where h.program_id = $1 and h.state <> 'open' and not exists (
       select from transfer t
       join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id and e.bucket = 'held'
       where t.program_id = $1 and t.transfer_id = h.end_transfer_id
       and t.kind = case h.state when 'posted' then 'post' else 'release' end
       and t.reference = 'hold-end:' || h.hold_id and t.order_uuid = h.order_uuid
       and e.account_id = h.account_id and e.amount = -h.points
     )`,
  ),
  check(
    'transfer_of_no_hold',
    `select t.transfer_id as id, 'a transfer (' || t.kind || ') of a hold that does not name it' as detail
     from transfer t where t.program_id = $1 and (
       (t.kind = 'hold' and not exists (
         select from hold h where h.program_id = $1 and 'hold:' || h.hold_id = t.reference
         and h.hold_transfer_id = t.transfer_id))
       or (t.kind in ('post', 'release') and not exists (
         select from hold h where h.program_id = $1 and 'hold-end:' || h.hold_id = t.reference
         and h.end_transfer_id = t.transfer_id))
     )`,
  ),
  check(
    'hold_of_others',
    `select h.hold_id as id, 'it is ' || h.state || ', of another wallet than that of the customer of ' || h.order_uuid as detail
     from hold h join orders o on o.program_id = $1 and o.order_uuid = h.order_uuid
     where h.program_id = $1 and h.state <> 'released' and h.account_id is distinct from o.customer_id`,
  ),
]
