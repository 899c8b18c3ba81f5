import { kindsWithinWallet, postings } from '../../domain/ledger.ts'
import { type About, rowsOf } from './subjects.ts'

/** One rule of the ledger, as a query that gives the violations. */
export interface Check extends About {
  readonly name: string
  /** `$1` is the program, `$2` the oldest order whose events still exist. Columns: `id`, `detail`. */
  readonly sql: string
}

/** Makes a check of a name, its subjects and a query. */
export function check(name: string, subjects: readonly string[], sql: string): Check {
  return { name, subjects, sql }
}

/** Account kind and bucket of each side of a posting, as stored. */
const sides = {
  available: ['customer', 'available'],
  held: ['customer', 'held'],
  merchant: ['merchant', 'available'],
  program: ['program', 'available'],
} as const

const shapes = Object.entries(postings)
  .map(([kind, { from, to, reference }]) => {
    const texts = [kind, ...sides[from], ...sides[to], reference]
    return `(${texts.map((text) => `'${text}'`).join(', ')})`
  })
  .join(', ')

/** SQL for the kinds of transfers whose points stay within one wallet. */
export const withinWallet = kindsWithinWallet.map((kind) => `'${kind}'`).join(', ')

/** Rules of transfers and entries. */
export const entryChecks: readonly Check[] = [
  check(
    'transfer_sum',
    rowsOf('entry'),
    `select transfer_id as id, 'its entries sum to ' || sum(amount) || ', not to 0' as detail
     from entry where program_id = $1 group by transfer_id having sum(amount) <> 0`,
  ),
  check(
    'transfer_without_entries',
    rowsOf('transfer'),
    `select t.transfer_id as id, 'a transfer (' || t.kind || ') without entries' as detail from transfer t
     where t.program_id = $1
     and not exists (select from entry e where e.program_id = $1 and e.transfer_id = t.transfer_id)`,
  ),
  check(
    'entry_without_transfer',
    rowsOf('entry'),
    `select e.transfer_id as id, 'line ' || e.line || ' of a transfer that is not there' as detail from entry e
     where e.program_id = $1
     and not exists (select from transfer t where t.program_id = $1 and t.transfer_id = e.transfer_id)`,
  ),
  check(
    'entry_without_account',
    rowsOf('entry'),
    `select e.transfer_id as id, 'line ' || e.line || ' is of the account ' || e.account_id || ', which is not there' as detail
     from entry e where e.program_id = $1
     and not exists (select from account a where a.program_id = $1 and a.account_id = e.account_id)`,
  ),
  check(
    'transfer_shape',
    rowsOf('transfer'),
    `with shape (kind, from_kind, from_bucket, to_kind, to_bucket, reference) as (values ${shapes}),
     sides as (
       select e.transfer_id, count(*) as lines,
         count(*) filter (where s.kind <> 'adjust' and e.amount > 0 and e.line = 0) as reversed,
         count(*) filter (where e.line = 0 and a.kind = s.from_kind and e.bucket = s.from_bucket) as from_right,
         count(*) filter (where e.line = 1 and a.kind = s.to_kind and e.bucket = s.to_bucket) as to_right
       from entry e
       join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
       join shape s on s.kind = t.kind
       left join account a on a.program_id = $1 and a.account_id = e.account_id
       where e.program_id = $1 group by e.transfer_id
     )
     select t.transfer_id as id, 'its entries are not those of a transfer of kind ' || t.kind as detail
     from transfer t join sides on sides.transfer_id = t.transfer_id
     where t.program_id = $1 and (lines <> 2 or reversed <> 0 or from_right <> 1 or to_right <> 1)`,
  ),
  check(
    'transfer_of_two_wallets',
    rowsOf('transfer'),
    `select t.transfer_id as id, 'a transfer (' || t.kind || ') from the wallet ' || e.account_id || ' to ' || other.account_id as detail
     from transfer t
     join entry e on e.program_id = $1 and e.transfer_id = t.transfer_id
     join entry other on other.program_id = $1 and other.transfer_id = e.transfer_id and other.line > e.line
     where t.program_id = $1 and t.kind in (${withinWallet}) and other.account_id <> e.account_id`,
  ),
  check(
    'entry_time',
    rowsOf('entry'),
    `select t.transfer_id as id, 'line ' || e.line || ' counts from ' || e.created_at || ', and it was made at ' || t.created_at as detail
     from entry e
     join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id
     left join account a on a.program_id = $1 and a.account_id = e.account_id
     -- A merchant's account may book it later.
     where e.program_id = $1 and e.created_at <> t.created_at
       and (a.kind is distinct from 'merchant' or e.created_at < t.created_at)`,
  ),
  check(
    'entry_value',
    rowsOf('entry'),
    `select e.transfer_id as id, 'a point is worth ' || coalesce(e.micro_sar_per_point::text, 'the first value') || ' in one line and '
       || coalesce(other.micro_sar_per_point::text, 'the first value') || ' in the other' as detail
     from entry e join entry other on other.program_id = $1 and other.transfer_id = e.transfer_id and other.line > e.line
     where e.program_id = $1 and other.micro_sar_per_point is distinct from e.micro_sar_per_point`,
  ),
  check(
    'transfer_reference',
    rowsOf('transfer'),
    `with shape (kind, from_kind, from_bucket, to_kind, to_bucket, reference) as (values ${shapes})
     select t.transfer_id as id, 'its reference ' || t.reference || ' is not that of its kind and cause' as detail
     from transfer t join shape s on s.kind = t.kind
     where t.program_id = $1 and (
       t.reference !~ ('^' || s.reference || ':[0-9a-f-]{36}$')
       or (t.kind = 'earn' and t.reference is distinct from 'earn:' || t.order_uuid)
       or (t.kind <> 'adjust' and t.order_uuid is null)
     )`,
  ),
]

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
       and (m.account_id is null or m.merged_into is not null or a.posted <> 0 or a.held <> 0)`,
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
