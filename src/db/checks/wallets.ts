import { type Check, check, rowsOf } from './check.ts'

/** Rules of wallets and their entries. */
export const walletChecks: readonly Check[] = [
  check(
    'wallet_posted',
    rowsOf('account'),
    `select a.account_id as id, 'posted is ' || a.posted || ' and its entries sum to ' || coalesce(e.total, 0) as detail
     from account a
     left join (select account_id, sum(amount) as total from entry where program_id = $1 group by account_id) e
       on e.account_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.posted is distinct from coalesce(e.total, 0)`,
  ),
  check(
    'wallet_held',
    rowsOf('account'),
    `select a.account_id as id, 'held is ' || a.held || ' and its held entries sum to ' || coalesce(e.total, 0) as detail
     from account a
     left join (
       select account_id, sum(amount) as total from entry where program_id = $1 and bucket = 'held' group by account_id
     ) e on e.account_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.held is distinct from coalesce(e.total, 0)`,
  ),
  check(
    'wallet_version',
    rowsOf('account'),
    `select a.account_id as id, 'its version is ' || a.version || ' and it has ' || coalesce(e.lines, 0) || ' entries' as detail
     from account a
     left join (select account_id, count(*) as lines from entry where program_id = $1 group by account_id) e
       on e.account_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.version is distinct from coalesce(e.lines, 0)`,
  ),
  check(
    'entry_version',
    rowsOf('entry'),
    `select transfer_id as id, 'line ' || line || ' has version ' || coalesce(account_version::text, 'none')
       || ' of the account ' || account_id || ', where ' || place || ' comes next' as detail
     from (
       select e.transfer_id, e.line, e.account_id, e.account_version,
         row_number() over (partition by e.account_id order by e.account_version) as place
       from entry e join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind = 'customer'
       where e.program_id = $1
     ) numbered
     where account_version is distinct from place`,
  ),
  check(
    'entry_balance',
    rowsOf('entry'),
    `select transfer_id as id, 'line ' || line || ' says ' || coalesce(balance_after::text, 'nothing')
       || ' ' || bucket || ' afterwards, and the entries up to it sum to ' || running as detail
     from (
       select e.transfer_id, e.line, e.bucket, e.balance_after,
         sum(e.amount) over (partition by e.account_id, e.bucket order by e.account_version) as running
       from entry e join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind = 'customer'
       where e.program_id = $1
     ) summed
     where balance_after is distinct from running`,
  ),
  check(
    'entry_kind',
    rowsOf('entry'),
    `select e.transfer_id as id, 'line ' || e.line || ' says that it is of a transfer (' || e.kind || ') and it is of one ('
       || t.kind || ')' as detail
     from entry e join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
     where e.program_id = $1 and e.kind <> t.kind`,
  ),
  check(
    'entry_of_no_wallet',
    rowsOf('entry'),
    `select e.transfer_id as id, 'line ' || e.line || ' carries a balance, but its account is no wallet' as detail
     from entry e join account a on a.program_id = $1 and a.account_id = e.account_id and a.kind <> 'customer'
     where e.program_id = $1 and (e.balance_after is not null or e.account_version is not null)`,
  ),
  check(
    'customer_without_wallet',
    rowsOf('customer'),
    `select c.customer_id as id, 'a customer without a wallet' as detail from customer c
     where c.program_id = $1 and not exists (
       select from account a where a.program_id = $1 and a.account_id = c.customer_id and a.kind = 'customer'
     )`,
  ),
  check(
    'wallet_without_customer',
    rowsOf('account'),
    `select a.account_id as id, 'a wallet without a customer' as detail from account a
     where a.program_id = $1 and a.kind = 'customer'
     and not exists (select from customer c where c.program_id = $1 and c.customer_id = a.customer_id)`,
  ),
  // Both tables record it, so that a transaction that waited for a wallet need not read its customer again.
  check(
    'wallet_erased',
    rowsOf('customer'),
    `select a.account_id as id, 'it was closed by an erasure at ' || coalesce(a.erased_at::text, 'no time') || ', and its customer was erased at '
       || coalesce(c.erased_at::text, 'none') as detail
     from account a join customer c on c.program_id = $1 and c.customer_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.erased_at is distinct from c.erased_at`,
  ),
  check(
    'wallet_merged',
    rowsOf('account'),
    `select a.account_id as id, 'it was merged into ' || a.merged_into || case
         when m.account_id is null then ', which is no wallet'
         when m.merged_into is not null then ', which was merged into ' || m.merged_into
         else ', and has ' || a.posted || ' points' end as detail
     from account a
     left join account m on m.program_id = $1 and m.account_id = a.merged_into and m.kind = 'customer'
     where a.program_id = $1 and a.merged_into is not null
       and (m.account_id is null or m.merged_into is not null or a.posted <> 0 or a.held <> 0)
     union all
     -- The two transfers of a merge name each other, and that out of the wallet that was given up has the lower id.
     select a.account_id, 'it was merged into ' || a.merged_into || ', and its points moved to ' || other.account_id
     from account a
     join entry e on e.program_id = $1 and e.account_id = a.account_id and e.kind = 'adjust'
     join transfer o on o.program_id = $1 and o.reference = 'adjust:' || e.transfer_id and o.transfer_id > e.transfer_id
     join entry moved on moved.program_id = $1 and moved.transfer_id = o.transfer_id and moved.account_version is not null
     join account other on other.program_id = $1 and other.account_id = moved.account_id
     where a.program_id = $1 and a.merged_into <> coalesce(other.merged_into, other.account_id)`,
  ),
  check(
    'owner_without_account',
    rowsOf('program'),
    `select o.account_id as id, o.owner || ' has no account in the ledger' as detail from (
       select account_id, 'the program' as owner, null::bigint as merchant_id, 'program' as kind from program
       where program_id = $1
       union all
       select account_id, 'the merchant ' || merchant_id, merchant_id, 'merchant' from merchant where program_id = $1
     ) o
     where not exists (
       select from account a where a.program_id = $1 and a.account_id = o.account_id and a.kind = o.kind
       and a.merchant_id is not distinct from o.merchant_id
     )`,
  ),
]

/** Rules of holds. A hold ends exactly once. */
export const holdChecks: readonly Check[] = [
  check(
    'wallet_open_holds',
    rowsOf('account'),
    `select a.account_id as id, 'held is ' || a.held || ' and its open holds sum to ' || coalesce(h.total, 0) as detail
     from account a
     left join (
       select account_id, sum(points) as total from hold where program_id = $1 and state = 'open' group by account_id
     ) h on h.account_id = a.account_id
     where a.program_id = $1 and a.kind = 'customer' and a.held is distinct from coalesce(h.total, 0)`,
  ),
  check(
    'hold_begin',
    rowsOf('hold'),
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
    rowsOf('hold'),
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
    rowsOf('transfer'),
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
    rowsOf('hold'),
    `select h.hold_id as id, 'it is ' || h.state || ', of another wallet than that of the customer of ' || h.order_uuid as detail
     from hold h join orders o on o.program_id = $1 and o.order_uuid = h.order_uuid
     left join account a on a.program_id = $1 and a.account_id = h.account_id
     left join account m on m.program_id = $1 and m.account_id = o.customer_id
     where h.program_id = $1 and h.state <> 'released'
     and coalesce(a.merged_into, h.account_id) is distinct from coalesce(m.merged_into, o.customer_id)`,
  ),
]
