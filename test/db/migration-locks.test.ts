import { describe, expect, it } from 'vitest'
import { findLongLocks } from '../support/migration-locks.ts'
import { readTree } from '../support/tree.ts'

// A migration runs while the service does. A statement found here would hold back every request that needs its table, for
// as long as it takes to read or write all rows.

const migrations = readTree('migrations/*.sql').map(({ path, text }) => ({
  name: path.replace('migrations/', ''),
  sql: text,
}))

/** 2026-11-22 */
const first = 'older than the first release: no database had many rows when it ran'

/** Statements of migrations that cannot change any more, by their beginning. A new migration adds no row without a reason. */
const allowed: readonly (readonly [name: string, statement: string, why: string])[] = [
  ['0005_order_changes.sql', 'alter table orders add constraint orders_authorized_check', first],
  ['0005_order_changes.sql', 'alter table orders add constraint orders_redeemed_check', first],
  ['0005_order_changes.sql', 'create index hold_order_idx', first],
  ['0009_deliveries.sql', 'alter table event add constraint event_name_check', first],
  ['0010_hosted_checkout.sql', 'alter table checkout_session add constraint checkout_session_proven_check', first],
  ['0010_hosted_checkout.sql', 'alter table checkout_session add constraint checkout_session_confirmed_check', first],
  ['0010_hosted_checkout.sql', 'alter table checkout_session add constraint checkout_session_collector_check', first],
  ['0010_hosted_checkout.sql', 'create index checkout_session_release_idx', first],
  ['0010_hosted_checkout.sql', 'alter table order_payment add constraint order_payment_kind_check', first],
  ['0010_hosted_checkout.sql', 'alter table order_payment add constraint order_payment_state_check', first],
  ['0010_hosted_checkout.sql', 'create unique index order_payment_created_key', first],
  ['0010_hosted_checkout.sql', 'create index order_payment_reference_idx', first],
  ['0010_hosted_checkout.sql', 'create index order_payment_reconcile_idx', first],
  ['0011_abandoned_checkouts.sql', 'alter table checkout_session add constraint checkout_session_stored_check', first],
  ['0011_abandoned_checkouts.sql', 'update checkout_session s set stored_bytes', first],
  ['0011_abandoned_checkouts.sql', 'update checkout_session s set kept_at', first],
  ['0011_abandoned_checkouts.sql', 'create index checkout_session_abandoned_idx', first],
  ['0011_abandoned_checkouts.sql', 'create index order_refund_payment_idx', first],
  ['0011_abandoned_checkouts.sql', 'create index translation_created_idx', first],
  ['0013_signed_checkouts.sql', 'alter table checkout_session add constraint checkout_session_locale_check', first],
  ['0014_limits.sql', 'create index sms_queue_merchant_idx', first],
  ['0015_without_points.sql', 'alter table checkout_session add constraint checkout_session_confirmed_check', first],
  ['0015_without_points.sql', 'alter table checkout_session add constraint checkout_session_continued_check', first],
  ['0015_without_points.sql', 'alter table checkout_session add constraint checkout_session_joined_check', first],
  ['0015_without_points.sql', 'alter table settlement alter column net_points type', first],
  ['0015_without_points.sql', 'alter table settlement alter column net_halalas type', first],
  ['0016_lists_of_orders.sql', 'create index orders_merchant_idx', first],
  ['0016_lists_of_orders.sql', 'create index orders_customer_idx', first],
  ['0016_lists_of_orders.sql', 'create index orders_status_idx', first],
  ['0016_lists_of_orders.sql', 'create index orders_number_idx', first],
  ['0017_programs_at_work.sql', 'create unique index account_program_key', first],
  [
    '0029_settlement.sql',
    'update orders o set booked_at',
    'only orders paid before the last settlement of their merchant that are not in it',
  ],
  ['0029_settlement.sql', 'update orders set refunded_late', 'only orders reversed after they were settled'],
  ['0043_requested_erasures.sql', 'alter table settlement_notice add', 'a row for each settlement that was told'],
  ['0043_requested_erasures.sql', 'create index settlement_exclusion_open_idx', 'only orders that were in dispute'],
  ['0047_wallets_of_erased_customers.sql', 'update account a set erased_at', 'only wallets of erased customers'],
  ['0049_refused_tasks.sql', 'insert into reconciliation_finding', 'only payments of which a provider refused a task'],
]

describe('migrations', () => {
  it('lock no large table for long, except the listed ones', () => {
    const found = findLongLocks(migrations).map(({ name, statement, rule }) => {
      const listed = allowed.find(([where, begin]) => where === name && statement.startsWith(begin))
      return listed?.slice(0, 2) ?? [name, statement, rule]
    })
    expect(found).toEqual(allowed.map(([name, statement]) => [name, statement]))
  })

  it('are listed with a reason', () => {
    expect(allowed.filter(([, , why]) => why.length < 20)).toEqual([])
  })
})

const earlier = {
  name: '0001_first.sql',
  sql: `create table orders (a bigint not null); create table merchant (a bigint not null);
    alter table orders add constraint orders_b_check check (b is not null) not valid;`,
}
const validated = { name: '0002_second.sql', sql: 'alter table orders validate constraint orders_b_check' }

/** The rules that a later migration breaks. */
const broken = (sql: string): string[] =>
  findLongLocks([earlier, validated, { name: '0003_third.sql', sql }]).map(({ rule }) => rule.split(/[ :,]/)[0] ?? '')

describe('the search for locks', () => {
  it.each([
    ['alter table orders add column c timestamptz not null default now()', 'ADD'],
    ['alter table orders add column c uuid default gen_random_uuid(), add column d text', 'ADD'],
    ['alter table orders add c bigint generated always as identity', 'ADD'],
    ['alter table orders add column c bigint generated always as (a * 2) stored', 'ADD'],
    ['ALTER TABLE orders ALTER COLUMN a TYPE numeric', 'TYPE'],
    ['alter table only orders alter a set data type numeric', 'TYPE'],
    ['alter table orders alter column a set not null', 'SET'],
    ['alter table orders add constraint c check (a > 0)', 'ADD'],
    ["alter table orders add constraint c check (a <> 'not valid')", 'ADD'],
    ['alter table orders add constraint c foreign key (a) references merchant (a)', 'ADD'],
    ['alter table orders add constraint c unique (a)', 'a'],
    ['alter table orders add constraint c primary key (a)', 'a'],
    ['create index orders_a_idx on orders (a)', 'CREATE'],
    ['create unique index orders_a_key\n  on only orders (a) where a > 0', 'CREATE'],
    ['create index concurrently orders_a_idx on orders (a)', 'a'],
    [
      'drop index concurrently if exists i; create index concurrently i on orders (a); alter table merchant add b text',
      'a',
    ],
    ['create index concurrently event_a_idx on event (a)', 'an'],
    ['update orders set a = 1', 'writing'],
    ['update orders o set a = m.a from merchant m', 'writing'],
    ['delete from orders where a = 1', 'writing'],
    ['insert into orders select a from merchant', 'writing'],
    ['truncate orders', 'writing'],
    ['lock table orders in access exclusive mode', 'the'],
    ['cluster orders using orders_pkey', 'the'],
  ])('finds %s', (sql, rule) => {
    expect(broken(sql)).toEqual([rule])
  })

  it('finds a constraint that is validated where it is added', () => {
    const added = 'alter table orders add constraint c check (a > 0) not valid'
    expect(broken(`${added}; alter table orders validate constraint c;`)).toEqual(['VALIDATE'])
  })

  it.each([
    'alter table orders add column c text',
    "alter table orders add column c text not null default 'x'",
    "alter table orders add column c text[] not null default '{}'::text[], add column d bigint default -1",
    'alter table orders add column c boolean not null default false',
    'alter table orders add constraint c check (a > 0) not valid',
    'alter table orders add constraint c foreign key (a) references merchant (a) not valid',
    'alter table orders validate constraint made_earlier',
    'alter table orders add constraint c unique using index orders_a_key',
    'alter table orders alter column b set not null',
    'alter table orders drop constraint c, drop column a',
    'alter table orders alter column a set (n_distinct = 1)',
    'drop index concurrently if exists i; create unique index concurrently i on orders (a)',
    'create table note (a bigint); create index note_idx on note (a); insert into note select a from orders',
    'alter table merchant add constraint c check (a > 0); create index merchant_idx on merchant (a); update merchant set a = 1',
    '-- update orders set a = 1',
  ])('admits %s', (sql) => {
    expect(broken(sql)).toEqual([])
  })
})
