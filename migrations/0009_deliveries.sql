-- From the outbox to the receivers. The queue holds what is still to be sent and nothing else, so that it stays small
-- however long the log is; a delivery that has ended moves to the log. Its id is its event's with the webhook's slot as
-- the last byte: a UUIDv7 of the event's moment, so both logs are partitioned and forgotten by month like the events.

create table delivery_queue (
  program_id    bigint      not null,
  delivery_id   uuid        not null,
  event_id      uuid        not null,
  merchant_id   bigint      not null,
  webhook_uuid  uuid        not null,
  order_uuid    uuid        not null,
  series        smallint    not null,
  attempts      smallint    not null,
  due_at        timestamptz not null,
  leased_until  timestamptz,
  created_at    timestamptz not null,
  constraint delivery_queue_pkey primary key (program_id, order_uuid, delivery_id),
  constraint delivery_queue_series_check check (series > 0),
  constraint delivery_queue_attempts_check check (attempts >= 0 and (leased_until is null or attempts > 0))
) with (
  -- Room for leases to be written beside their rows; rows come and go, so what is dead is cleared early.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 2147483647
);

create index delivery_queue_due_idx on delivery_queue (program_id, webhook_uuid, due_at, delivery_id);

-- A queue is empty now and full in a moment, so what the planner has last seen of it is of no use: it would walk the whole
-- queue for each of its rows. These statistics say that one program and one webhook have all of it, and they stay.
alter table delivery_queue alter column program_id set (n_distinct = 1);
alter table delivery_queue alter column webhook_uuid set (n_distinct = 1);
alter table delivery_queue alter column order_uuid set (n_distinct = -1);
insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts,
  due_at, created_at)
select n, k.id, k.id, n, k.id, k.id, 1, 0, timestamptz '2026-01-01Z' + n * interval '1 s', timestamptz '2026-01-01Z'
from generate_series(1, 1000) as n cross join lateral (select lpad(to_hex(n), 32, '0')::uuid as id) k;
analyze delivery_queue;
delete from delivery_queue;

create table delivery (
  program_id    bigint      not null,
  delivery_id   uuid        not null,
  event_id      uuid        not null,
  merchant_id   bigint      not null,
  webhook_uuid  uuid        not null,
  order_uuid    uuid        not null,
  state         text        not null,
  series        smallint    not null,
  attempts      smallint    not null,
  created_at    timestamptz not null,
  ended_at      timestamptz not null,
  constraint delivery_pkey primary key (program_id, delivery_id),
  constraint delivery_state_check check (state in ('delivered', 'failed'))
) partition by range (delivery_id);

create index delivery_merchant_idx on delivery (program_id, merchant_id, delivery_id);
create index delivery_failed_idx on delivery (program_id, webhook_uuid, delivery_id) where state = 'failed';

create table delivery_default partition of delivery default;

-- One row an attempt. `status` is the answer's, null where none came; `response` its first 16 KiB. A replay is a new series.
create table delivery_attempt (
  program_id   bigint      not null,
  delivery_id  uuid        not null,
  series       smallint    not null,
  attempt      smallint    not null,
  started_at   timestamptz not null,
  duration_ms  integer,
  status       smallint,
  response     text,
  error        text,
  constraint delivery_attempt_pkey primary key (program_id, delivery_id, series, attempt)
) partition by range (delivery_id);

create table delivery_attempt_default partition of delivery_attempt default;

-- A secret that takes over at a moment of the merchant's choice, and the record of each such switch.
alter table webhook add column next_secret bytea;
alter table webhook add column next_secret_last4 text;
alter table webhook add column next_secret_at timestamptz;
alter table webhook add constraint webhook_next_secret_check check (
  (next_secret is null) = (next_secret_at is null) and (next_secret is null) = (next_secret_last4 is null)
);

create table webhook_rotation (
  program_id     bigint      not null,
  webhook_uuid   uuid        not null,
  rotation_uuid  uuid        not null,
  old_last4      text        not null,
  new_last4      text        not null,
  effective_at   timestamptz not null,
  created_at     timestamptz not null,
  constraint webhook_rotation_pkey primary key (program_id, webhook_uuid, rotation_uuid)
);

-- What `nuqta webhooks test` sends.
alter table event drop constraint event_name_check;
alter table event add constraint event_name_check check (name in (
  'approved', 'authorized', 'captured', 'cancelled', 'completed', 'shipping_status_updated', 'refunded',
  'auto_refunded', 'test'
));
