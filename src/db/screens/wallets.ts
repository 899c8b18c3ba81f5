import { type Screen, within } from './screen.ts'

/** Up to here floating point adds whole numbers exactly, and faster; what is larger is left to the rules to add. */
const exact = '4503599627370496'

/** Wallets with their entries, in the order of their versions. */
export const walletScreen: Screen = {
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
