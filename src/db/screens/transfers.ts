import { postings } from '../../domain/ledger.ts'
import { joinOrder, type Screen, within } from './screen.ts'

const isWallet = { available: true, held: true, merchant: false, program: false } as const

/** What each kind's two entries have to be: of a wallet or not, and which bucket. */
const shapes = Object.entries(postings)
  .map(([kind, { from, to, reference }]) => {
    const side = (name: keyof typeof isWallet) =>
      `${isWallet[name]}, '${name === 'held' ? 'held' : 'available'}', '${isWallet[name] ? 'customer' : name}'`
    return `('${kind}', ${side(from)}, ${side(to)}, '${reference}:')`
  })
  .join(', ')

/**
 * Transfers with their two entries, whose these are, and their orders. That merchants and the program have their accounts
 * is seen by a rule of its own. An entry with a version
 * counts as a wallet's: that it is one is seen by the screen of wallets.
 */
export const transferScreen: Screen = {
  name: 'transfers',
  table: 'transfer',
  key: 'transfer_id',
  checks: [
    'transfer_sum',
    'transfer_without_entries',
    'entry_without_account',
    'transfer_shape',
    'transfer_reference',
    'entry_of_no_wallet',
    'entry_version',
    'entry_balance',
    'transfer_without_order',
    'transfer_of_others',
    'order_earned_points',
    'order_total_points',
    'order_unpaid_points',
  ],
  sql: `
    with shape (kind, from_wallet, from_bucket, from_kind, to_wallet, to_bucket, to_kind, reference) as (values ${shapes}),
    owner as materialized (
      select account_id, 'merchant' as kind, merchant_id from merchant where program_id = $1
      union all select account_id, 'program', null from program where program_id = $1
    )
    select count(*) as transfers, 0 as entries, 0 as wallets, count(*) filter (where (
      from_line.amount + to_line.amount = 0 and (t.kind = 'adjust' or to_line.amount > 0)
      and (from_line.account_version is not null) = s.from_wallet and from_line.bucket = s.from_bucket
      and (to_line.account_version is not null) = s.to_wallet and to_line.bucket = s.to_bucket
      and (from_line.account_version is null) = (from_line.balance_after is null)
      and (to_line.account_version is null) = (to_line.balance_after is null)
      and (s.from_wallet or from_owner.kind = s.from_kind) and (s.to_wallet or to_owner.kind = s.to_kind)
      and t.reference = s.reference || case when t.kind = 'earn' then t.order_uuid::text else right(t.reference, 36) end
      and (t.kind = 'earn' or right(t.reference, 36) ~ '^[0-9a-f-]{36}$')
      and case when t.order_uuid is null then t.kind = 'adjust' else o.order_uuid is not null
        and (not s.from_wallet or t.kind in ('hold', 'release') or from_line.account_id = o.customer_id)
        and (not s.to_wallet or t.kind in ('hold', 'release') or to_line.account_id = o.customer_id)
        and (from_owner.kind is distinct from 'merchant' or from_owner.merchant_id = o.merchant_id)
        and (to_owner.kind is distinct from 'merchant' or to_owner.merchant_id = o.merchant_id)
        and (t.kind <> 'post' or o.paid_at is not null)
        and (t.kind <> 'earn' or (to_line.amount = o.earned_points and o.paid_at is not null
          and (o.type <> 1 or to_line.amount = o.total_points)))
      end) is not true) as suspects
    from transfer t
    left join shape s on s.kind = t.kind
    left join entry from_line on from_line.program_id = $1 and from_line.transfer_id = t.transfer_id and from_line.line = 0
      and from_line.transfer_id >= $2 and from_line.transfer_id < $3
    left join entry to_line on to_line.program_id = $1 and to_line.transfer_id = t.transfer_id and to_line.line = 1
      and to_line.transfer_id >= $2 and to_line.transfer_id < $3
    left join owner from_owner on from_owner.account_id = from_line.account_id
    left join owner to_owner on to_owner.account_id = to_line.account_id
    ${joinOrder('t.order_uuid', [
      'order_uuid',
      'type',
      'customer_id',
      'merchant_id',
      'earned_points',
      'total_points',
      'paid_at',
    ])}
    where t.program_id = $1 and ${within('t.transfer_id')} and $4::uuid is not null`,
}

/** Entries by themselves: each has its transfer, on one of its two lines. */
export const entryScreen: Screen = {
  name: 'entries',
  table: 'transfer',
  key: 'transfer_id',
  checks: ['entry_without_transfer', 'transfer_shape', 'transfer_sum'],
  sql: `
    select 0 as transfers, count(*) as entries, 0 as wallets,
      count(*) filter (where e.line not in (0, 1) or t.transfer_id is null) as suspects
    from entry e
    left join transfer t on t.program_id = $1 and t.transfer_id = e.transfer_id and ${within('t.transfer_id')}
    where e.program_id = $1 and ${within('e.transfer_id')} and $4::uuid is not null and $5::uuid < $6::uuid`,
}
