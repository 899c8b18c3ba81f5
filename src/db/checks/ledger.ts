import { kindsWithinWallet, postings } from '../../domain/ledger.ts'
import { type Check, check, rowsOf } from './check.ts'

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
