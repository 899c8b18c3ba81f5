import { customersSql, growSql } from '../../src/bench/grow.ts'
import type { Database } from '../../src/db/pool.ts'

const orders = 20_000
const customers = 4_000
const merchants = 500

/** Rows of the tables that hang on orders, wallets and merchants, one for every tenth order. */
const rest = `
  with numbered as (select o.*, row_number() over (order by order_uuid) as n from orders o where program_id = 1)
  insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number, order_number,
    order_status, total_halalas, total_points, authorized_at, paid_at, created_at, updated_at, earned_points)
  select program_id, overlay(order_uuid::text placing '9' from 20)::uuid, merchant_id, customer_id, 2, 'checkout', 'C' || n,
    order_number, 'captured', 10000, 100, at, at, at, at, 0
  from (select *, created_at as at from numbered where n % 10 = 0) o;
  create temporary table bought as
    select *, row_number() over (order by order_uuid) as n from orders where program_id = 1 and type = 2;
  insert into checkout_session (program_id, session_uuid, merchant_id, order_uuid, token_hash, state, expires_at, created_at,
    updated_at, browser_hash, proven_phone, proven_at, confirmed_at, release_at)
  select program_id, order_uuid, merchant_id, order_uuid, decode(md5(n::text), 'hex'), 'open', created_at, created_at,
    created_at, '\\x01', '512345678', created_at, created_at, case when n % 5 = 0 then created_at end from bought;
  insert into order_payment (program_id, payment_uuid, order_uuid, provider, provider_reference, amount_halalas, state,
    created_at, updated_at, reconciled_at)
  select program_id, order_uuid, order_uuid, 'sandbox', n::text, 9000, 'paid', created_at, created_at,
    case when n % 5 > 0 then created_at end from bought;
  insert into payment_task (program_id, task_uuid, payment_uuid, order_uuid, kind, amount_halalas, state, due_at, created_at,
    ended_at)
  select program_id, order_uuid, order_uuid, order_uuid, 'capture', 9000, case when n % 5 = 0 then 'due' else 'done' end,
    created_at, created_at, case when n % 5 > 0 then created_at end from bought;
  insert into order_refund (program_id, refund_uuid, order_uuid, refund_halalas, reversed_points, returned_points,
    provider_halalas, provider_state, created_at)
  select program_id, order_uuid, order_uuid, 100, 0, 0, 0, 'none', created_at from bought;
  insert into order_rating (program_id, order_uuid, rating, created_at) select program_id, order_uuid, 5, created_at from bought;
  insert into hold (program_id, hold_id, account_id, order_uuid, points, state, hold_transfer_id, end_transfer_id, created_at,
    ended_at)
  select program_id, order_uuid, customer_id, order_uuid, 100, 'posted', order_uuid, order_uuid, created_at, created_at from bought;
  insert into pending_earning (program_id, pending_uuid, merchant_id, customer_id, source, order_number, total_halalas,
    total_points, points_per_sar_e4, created_at, order_uuid)
  select program_id, order_uuid, merchant_id, customer_id, 'purchase', 'P' || n, 100, 10, 1000, created_at,
    case when n % 5 > 0 then order_uuid end from bought;
  insert into webhook (program_id, webhook_uuid, merchant_id, slot, name, url, secret, secret_last4, created_at, updated_at)
  select program_id, account_id, merchant_id, 1, 'W', 'https://x', '\\x01', 'abcd', now(), now() from merchant
  where program_id = 1;
  insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts,
    due_at, created_at)
  select 1, e.event_id, e.event_id, e.merchant_id, w.webhook_uuid, e.order_uuid, 1, 0, e.created_at, e.created_at
  from event e join webhook w on w.program_id = 1 and w.merchant_id = e.merchant_id where e.program_id = 1 limit 5000;
  insert into delivery (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, state, series, attempts,
    created_at, ended_at)
  select program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid,
    case when left(webhook_uuid::text, 1) = '0' then 'failed' else 'delivered' end, 1, 1, created_at, created_at
  from delivery_queue;
  insert into delivery_attempt (program_id, delivery_id, series, attempt, started_at, duration_ms, status)
  select program_id, delivery_id, 1, 1, created_at, 5, 200 from delivery;
  insert into wallet_session (program_id, session_uuid, token_hash, phone, seen_at, expires_at, created_at)
  select program_id, customer_id, decode(md5(phone), 'hex'), phone, now(), now(), now() from customer where program_id = 1;
  insert into otp (program_id, purpose, subject_uuid, otp_uuid, phone, code_hash, expires_at, created_at)
  select program_id, 'wallet', customer_id, customer_id, phone, '\\x01', now(), now() from customer where program_id = 1;
  insert into rate_limit (program_id, kind, key_hash, times, asked_at)
  select program_id, kind, decode(md5(phone), 'hex'), array[now()], now() - right(phone, 4)::integer * interval '1 minute'
  from customer cross join (values ('send_again'), ('send_session')) as k(kind) where program_id = 1;
  insert into limit_counter (key_hash, times, counts, kept_until)
  select decode(md5(phone), 'hex'), array[now()], array[1], now() + right(phone, 4)::integer * interval '1 minute'
  from customer where program_id = 1;
  insert into request_log (program_id, request_id, merchant_id, method, route, status, duration_ms, more)
  select program_id, overlay(order_uuid::text placing k::text from 15)::uuid, merchant_id, 'POST',
    case k when 1 then '/v1' else '/v1/orders' end, case k when 2 then 422 else 200 end, 5, 0
  from orders cross join generate_series(1, 5) k where program_id = 1;
  insert into consent (program_id, consent_uuid, customer_id, terms_version, locale, source, created_at)
  select program_id, customer_id, customer_id, '1', 'en', 'wallet', now() from customer where program_id = 1;
  insert into idempotency (program_id, merchant_id, key_hash, route, body_hash, request_uuid, owner, leased_until, created_at)
  select 1, merchant_id, decode(md5(order_number), 'hex'), 'r', '\\x01', order_uuid, order_uuid, now(), now() from bought;
  insert into sms_queue (program_id, sms_uuid, kind, customer_id, merchant_id, state, due_at, created_at, ended_at)
  select 1, customer_id, 'invitation', customer_id, 1, case when right(phone, 1) = '0' then 'due' else 'sent' end, now(), now(),
    case when right(phone, 1) = '0' then null else now() end
  from customer where program_id = 1;
  insert into sandbox_payment (program_id, payment_uuid, kind, state, amount_halalas, description, return_url, callback_url,
    created_at, updated_at)
  select 1, order_uuid, 'sale', 'paid', 100, 'd', 'r', 'c', now(), now() from bought;
  insert into sandbox_refund (program_id, refund_uuid, payment_uuid, amount_halalas, created_at)
  select 1, order_uuid, order_uuid, 1, now() from bought;
  insert into translation (program_id, target, text, translated, created_at)
  select 1, 'ar', order_number, order_number, now() from bought;
  insert into earning_lock (program_id, merchant_id) select program_id, merchant_id from merchant where program_id = 1
    on conflict do nothing;
  drop table bought;`

/** Merchants of the first program, with their keys. */
const shops = `
  insert into program (name, account_id, created_at, updated_at) select 'Large', gen_random_uuid(), now(), now()
  where not exists (select from program);
  insert into merchant (program_id, account_id, name, verified, published, payment_provider, created_at, updated_at)
  select 1, gen_random_uuid(), 'Shop ' || n, true, true, 'sandbox', now(), now() from generate_series(1, ${merchants}) as n;
  insert into account (program_id, account_id, kind, merchant_id, created_at)
  select m.program_id, m.account_id, 'merchant', m.merchant_id, now() from merchant m on conflict do nothing;
  insert into api_key (program_id, merchant_id, public_key, private_key_hash, created_at)
  select program_id, merchant_id, 'pk' || merchant_id, decode(md5(merchant_id::text), 'hex'), now() from merchant
  on conflict do nothing;`

/** Turns autovacuum off for every table: only ANALYZE gives this database statistics. */
const unobserved = `do $$ declare t record; begin
  for t in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = false)', t.name);
  end loop; end $$`

/** Prevents automatic statistics. @param owner the tables' owner */
export async function leaveUnobserved(owner: Database): Promise<void> {
  await owner.script(unobserved)
}

/** Deletes all deliveries but four on the last pages of the queue, so that it keeps its pages, and vacuums it. */
export async function leaveFewDeliveries(owner: Database): Promise<void> {
  await owner.script(`delete from delivery_queue where ctid not in (
    select ctid from delivery_queue order by ctid desc limit 4)`)
  await owner.script('vacuum delivery_queue')
}

/** Fills every table of the hot paths in the first program. @param owner a superuser, to skip foreign keys */
export async function makeLarge(owner: Database): Promise<void> {
  await owner.transaction(async (tx) => {
    await tx.script('set local session_replication_role = replica')
    // Nothing is known of the new rows: a nested loop would join each event with every webhook.
    await tx.script('set local enable_nestloop = off')
    await tx.script(shops)
    const [first] = await tx.run<{ merchant_id: number }>({
      text: "select min(merchant_id) as merchant_id from merchant where name like 'Shop %'",
      values: [],
    })
    await tx.script(customersSql(1, customers))
    const growth = { program_id: 1, first_merchant: first?.merchant_id ?? 1, merchants, customers, orders }
    for (const sql of growSql({ ...growth, from_ms: Date.now() - 3_600_000, every_ms: 100 })) await tx.script(sql)
    await tx.script(rest)
  })
}
