import { isBucket, kindsWithinWallet, postings, type Side, type TransferKind } from '../../domain/ledger.ts'
import { rowsOf } from './check.ts'
import { around, few_keys, inKeyOrder, quickCheck, within } from './quick.ts'

const kinds = Object.keys(postings) as TransferKind[]

/** The lowest amount that its column can hold: PostgreSQL fails where it should be negated. */
const lowest = '-9223372036854775808'

/** SQL that chooses a condition by the kind of the transfer. */
const byKind = (condition: (kind: TransferKind) => readonly string[]): string =>
  `case t.kind ${kinds.map((kind) => `when '${kind}' then ${condition(kind).join(' and ')}`).join(' ')} end`

/** SQL for what the entries and the reference of each kind of transfer have in common. */
const shape = byKind((kind) => {
  const { from, to, reference } = postings[kind]
  const line = (name: 'from_line' | 'to_line', side: Side): string[] => [
    `${name}.bucket = '${side === 'held' ? 'held' : 'available'}'`,
    `${name}.account_version is ${isBucket(side) ? 'not null' : 'null'}`,
    `${name}.balance_after is ${isBucket(side) ? 'not null' : 'null'}`,
    // A merchant's account may book it later.
    `${name}.created_at ${side === 'merchant' ? '>=' : '='} t.created_at`,
    ...(side === 'program' ? [`${name}.account_id = (select account_id from program where program_id = $1)`] : []),
  ]
  return [
    ...line('from_line', from),
    ...line('to_line', to),
    ...(kind === 'adjust' ? [] : ['to_line.amount > 0']),
    ...(kindsWithinWallet.includes(kind) ? ['from_line.account_id = to_line.account_id'] : []),
    ...(kind === 'earn'
      ? [`t.reference = '${reference}:' || t.order_uuid`]
      : [`left(t.reference, -36) = '${reference}:'`, `right(t.reference, 36) ~ '^[0-9a-f-]{36}$'`]),
  ]
})

/** SQL for whether a wallet is that of the customer of an order `o`, or one of the same person after a merge. */
const isOfCustomer = (account: string, o: string): string => `(${account} = ${o}.customer_id or (
          select coalesce(a.merged_into, a.account_id) = coalesce(c.merged_into, c.account_id)
          from account a join account c on c.program_id = $1 and c.account_id = ${o}.customer_id
          where a.program_id = $1 and a.account_id = ${account} limit 1
        ))`

/** SQL for the uuid that ends a transfer's reference, or null. */
const cause = `case when right(t.reference, 36) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then right(t.reference, 36)::uuid end`

/** SQL for whether the transfer's refund is one of its order, and has these points. */
const ofRefund = (points: 'reversed_points' | 'returned_points'): string => `(
          select r.order_uuid = t.order_uuid and r.${points} = to_line.amount from order_refund r
          where r.program_id = $1 and r.refund_uuid = ${cause} limit 1
        )`

/** SQL for whether the hold of a transfer names it. */
const ofHold = (column: 'hold_transfer_id' | 'end_transfer_id'): string => `(
          select h.${column} = t.transfer_id from hold h
          where h.program_id = $1 and h.hold_id = ${cause} limit 1
        )`

/** SQL for the value of a point with which the transfer's order earned. A join would read all entries. */
const earned_value = `(
          select (
            select e.micro_sar_per_point from entry e
            where e.program_id = $1 and e.transfer_id = c.transfer_id and e.line = 1 limit 1
          ) from transfer c where c.program_id = $1 and c.reference = 'earn:' || t.order_uuid limit 1
        )`

/** SQL for whether the transfer records this value of a point. Older versions recorded none. */
const isWorth = (value: string): string => `(to_line.micro_sar_per_point <> ${value}) is not true`

/** SQL for whether a transfer fits its order `o`, whose merchant is `m`. */
const fitsOrder = (o: string, m: string): string =>
  byKind((kind) => {
    const { from, to } = postings[kind]
    const ofOwner = (name: 'from_line' | 'to_line', side: Side): string[] => {
      if (side === 'merchant') return [`${name}.account_id = ${m}.account_id`]
      if (side === 'program' || kindsWithinWallet.includes(kind)) return []
      return [isOfCustomer(`${name}.account_id`, o)]
    }
    return [
      `${o}.order_uuid is not null`,
      ...(kind === 'earn'
        ? [
            `to_line.amount = ${o}.earned_points`,
            `${o}.paid_at = t.created_at`,
            `(${o}.type <> 1 or to_line.amount = ${o}.total_points)`,
          ]
        : []),
      ...ofOwner('from_line', from),
      ...ofOwner('to_line', to),
      ...(kind === 'post' ? [`${o}.paid_at = t.created_at`] : []),
      ...(kind === 'post' || kind === 'return' ? [isWorth(`${o}.micro_sar_per_point`)] : []),
      ...(kind === 'reverse' ? [isWorth(earned_value)] : []),
      ...(kind === 'hold' ? [ofHold('hold_transfer_id')] : []),
      ...(kind === 'post' || kind === 'release' ? [ofHold('end_transfer_id')] : []),
      ...(kind === 'reverse' ? [ofRefund('reversed_points')] : []),
      ...(kind === 'return' ? [ofRefund('returned_points')] : []),
    ]
  })

/**
 * Transfers with their two entries, the owners of these, their orders, holds and refunds. `owner_without_account` checks the
 * accounts of merchants and the program. An entry with a version counts as one of a wallet; the check of wallets confirms
 * that. It counts correct transfers, so a transfer that lacks an entry is noticed.
 */
export const transferCheck = quickCheck({
  name: 'transfers',
  table: 'transfer',
  subjects: rowsOf('transfer', 'entry'),
  key: 'transfer_id',
  part_size: few_keys,
  // Transfers and entries lie in the order of their keys. To merge them takes little more than half the time of hash tables.
  settings: inKeyOrder,
  checks: [
    'transfer_sum',
    'transfer_without_entries',
    'entry_without_transfer',
    'entry_without_account',
    'transfer_shape',
    'transfer_reference',
    'transfer_of_two_wallets',
    'entry_of_no_wallet',
    'entry_version',
    'entry_balance',
    'entry_kind',
    'entry_time',
    'entry_value',
    'order_value',
    'order_paid_at',
    'transfer_without_order',
    'transfer_of_others',
    'order_earned_points',
    'order_total_points',
    'order_reversed_points',
    'order_returned_points',
    'transfer_of_no_refund',
    'transfer_of_no_hold',
    'order_unpaid_points',
  ],
  // Most orders were written together with their transfers, and come from one range scan. The others take a lookup each.
  sql: `
    with part as materialized (
      select count(*) as entries from entry where program_id = $1 and ${within('transfer_id')}
    )
    select transfers, entries, 0 as wallets, transfers - sound + abs(entries - 2 * transfers) as suspects
    from part, (select count(*) as transfers, count(*) filter (where
      coalesce(from_line.kind = t.kind and to_line.kind = t.kind, from_line.kind is null and to_line.kind is null)
      and case when from_line.amount > ${lowest} then to_line.amount = -from_line.amount end
      and from_line.micro_sar_per_point is not distinct from to_line.micro_sar_per_point and ${shape}
      and case when t.order_uuid is null then t.kind = 'adjust'
        when near.order_uuid is not null then ${fitsOrder('near', 'm')}
        else (
          select ${fitsOrder('far', 'owner')} from orders far
          left join merchant owner on owner.program_id = $1 and owner.merchant_id = far.merchant_id
          where far.program_id = $1 and far.order_uuid = t.order_uuid limit 1
        ) end) as sound
    from transfer t
    left join entry from_line on from_line.program_id = $1 and from_line.transfer_id = t.transfer_id and from_line.line = 0
      and ${within('from_line.transfer_id')}
    left join entry to_line on to_line.program_id = $1 and to_line.transfer_id = t.transfer_id and to_line.line = 1
      and ${within('to_line.transfer_id')}
    left join orders near on near.program_id = $1 and near.order_uuid = t.order_uuid and ${around('near.order_uuid')}
    left join merchant m on m.program_id = $1 and m.merchant_id = near.merchant_id
    where t.program_id = $1 and ${within('t.transfer_id')} and $4::uuid is not null) checked`,
})

/** Below this bound floating-point sums are exact, and faster. Larger amounts are left to the checks. */
const exact = '4503599627370496'

/** Wallets with their entries, in the order of versions. */
export const walletCheck = quickCheck({
  name: 'wallets',
  table: 'account',
  subjects: rowsOf('account', 'entry'),
  key: 'account_id',
  // Every part reads nearly all pages of entries, so there are few parts.
  part_size: 250_000,
  // The entries of a wallet are on pages all over the table. The index has them in the wanted order, but one page at a time for
  // each entry, which takes four times as long as reading page by page and sorting.
  settings: ['set local enable_indexscan = off'],
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
            or abs(moved) >= ${exact} or balance_after not between -${exact} and ${exact} as wrong
        from (
          select account_id, account_version, bucket, amount::float8 as moved, balance_after from entry
          where program_id = $1 and ${within('account_id')} and account_version is not null
        ) moves
        window turns as (partition by account_id order by account_version rows unbounded preceding)
      ) numbered
      group by account_id
    ) e on e.account_id = a.account_id
    where $4::uuid is not null and $5::uuid < $6::uuid`,
})
