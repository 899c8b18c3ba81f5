import { postings } from '../../domain/ledger.ts'

/**
 * A fast query over a part of the ledger that covers several checks. It finds every violation of them, and may report a
 * false one. If it reports any, the checks that it covers find the exact places.
 */
export interface QuickCheck {
  /** The rows that it checks, for messages. */
  readonly name: string
  /** The checks that it covers. */
  readonly checks: readonly string[]
  /** The table and key that divide the ledger into parts: keys from `$2` up to, but not including, `$3`. */
  readonly table: string
  readonly key: string
  /**
   * `$1` is the program, `$2` and `$3` the part, `$4` the oldest order whose events still exist, `$5` and `$6` the part
   * with some seconds around it, which contains nearly all rows written together with those of the part. Columns: the
   * number of `transfers`, `entries` and `wallets` checked, and of `suspects`.
   */
  readonly sql: string
}

/** SQL condition for rows written at about the same time as the part. */
const around = (key: string): string => `${key} >= $5 and ${key} < $6`

/**
 * SQL that joins the order of `of` as `o`. Most orders were written at the same time and come from one range scan; each
 * of the others takes an index lookup.
 */
const joinOrder = (of: string, columns: readonly string[]): string => `
    left join orders near on near.program_id = $1 and near.order_uuid = ${of} and ${around('near.order_uuid')}
    left join lateral (
      select far.* from orders far
      where near.order_uuid is null and far.program_id = $1 and far.order_uuid = ${of}
        and (far.program_id, far.order_uuid) >= ($1, ${of}) limit 1
    ) far on true
    cross join lateral (
      select ${columns.map((column) => `coalesce(near.${column}, far.${column}) as ${column}`).join(', ')}
    ) o`

/** SQL condition for the rows of the part. */
const within = (key: string): string => `${key} >= $2 and ${key} < $3`

const isWallet = { available: true, held: true, merchant: false, program: false } as const

/** The expected entries of each kind of transfer. */
const shapes = Object.entries(postings)
  .map(([kind, { from, to, reference }]) => {
    const side = (name: keyof typeof isWallet) =>
      `${isWallet[name]}, '${name === 'held' ? 'held' : 'available'}', '${isWallet[name] ? 'customer' : name}'`
    return `('${kind}', ${side(from)}, ${side(to)}, '${reference}:')`
  })
  .join(', ')

/**
 * Transfers with their two entries, the owners of these, and their orders. `owner_without_account` checks the accounts
 * of merchants and the program. An entry with a version counts as one of a wallet; the check of wallets confirms that.
 */
export const transferCheck: QuickCheck = {
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

/** Entries: each has a transfer, and is one of its two lines. */
export const entryCheck: QuickCheck = {
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

/** Below this bound floating-point sums are exact, and faster. Larger amounts are left to the checks. */
const exact = '4503599627370496'

/** Wallets with their entries, in the order of versions. */
export const walletCheck: QuickCheck = {
  name: 'wallets',
  table: 'account',
  key: 'account_id',
  checks: [
    'wallet_posted',
    'wallet_held',
    'wallet_version',
    'entry_version',
    'entry_balance',
    'entry_of_no_wallet',
    'entry_without_account',
    'transfer_shape',
  ],
  sql: `
    select 0 as transfers, 0 as entries, count(*) filter (where a.kind = 'customer') as wallets,
      count(*) filter (where (case
        when a.kind = 'customer' then a.posted = coalesce(e.available + e.held, 0) and a.held = coalesce(e.held, 0)
          and a.version = coalesce(e.lines, 0) and e.wrong is not true and a.customer_id = a.account_id
        else a.kind is not null and e.lines is null
      end) is not true) as suspects
    from (select * from account a where a.program_id = $1 and ${within('a.account_id')}) a
    full join (
      select account_id, count(*) as lines, bool_or(wrong) as wrong,
        coalesce(sum(moved) filter (where bucket = 'available'), 0) as available,
        coalesce(sum(moved) filter (where bucket = 'held'), 0) as held
      from (
        select account_id, bucket, moved,
          account_version is distinct from row_number() over turns
            or balance_after is distinct from case bucket
              when 'held' then sum(case bucket when 'held' then moved else 0 end) over turns
              else sum(case bucket when 'held' then 0 else moved end) over turns end
            or abs(moved) >= ${exact} or abs(balance_after) >= ${exact} as wrong
        from (
          select account_id, account_version, bucket, amount::float8 as moved, balance_after from entry
          where program_id = $1 and ${within('account_id')} and account_version is not null
        ) moves
        window turns as (partition by account_id order by account_version rows unbounded preceding)
      ) numbered
      group by account_id
    ) e on e.account_id = a.account_id
    where $4::uuid is not null and $5::uuid < $6::uuid`,
}

/** Orders with their events and transfers. The check of transfers compares the points. */
export const orderCheck: QuickCheck = {
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

/**
 * SQL condition for a payload as the service writes it, up to `total_points`. Nothing before that comes from the
 * merchant.
 */
const asWritten = `left(e.said, 44) = '{"id":"' || o.order_uuid || '"' and strpos(e.said, ',"total_points":') > 0
        and strpos(e.said, ',"total_points":') = strpos(e.said, ',"total_points":' || o.total_points || ',')`

/** Events with their orders. A payload in any other form is parsed as JSON. */
export const eventCheck: QuickCheck = {
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
