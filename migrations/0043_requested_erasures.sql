-- Erasures that operators ask for. A process or a command with the owner's rights does them. A request names its customer by the uuid alone,
-- and has lost its reason when it ends. `obstacle`: why the last attempt has not erased, with the order that is under way.
create table erasure_request (
  program_id    bigint      not null,
  request_uuid  uuid        not null,
  customer_id   uuid        not null,
  reason        text,
  asked_by      text        not null,
  asked_uuid    uuid,
  state         text        not null default 'due',
  attempts      integer     not null default 0,
  due_at        timestamptz not null,
  obstacle      text,
  order_uuid    uuid,
  ended_by      text,
  created_at    timestamptz not null,
  ended_at      timestamptz,
  constraint erasure_request_pkey primary key (program_id, request_uuid),
  constraint erasure_request_customer_fkey foreign key (program_id, customer_id) references customer (program_id, customer_id),
  constraint erasure_request_state_check check (state in ('due', 'done', 'failed', 'cancelled')),
  constraint erasure_request_obstacle_check check (obstacle in ('order', 'merged', 'error')),
  constraint erasure_request_reason_check check (char_length(reason) <= 500 and (state = 'due' or reason is null)),
  constraint erasure_request_ended_check check ((state = 'due') = (ended_at is null))
);
create index erasure_request_due_idx on erasure_request (program_id, due_at) where state = 'due';
-- Nobody asks twice for one customer at a time.
create unique index erasure_request_waiting_key on erasure_request (program_id, customer_id) where state = 'due';
create index erasure_request_customer_idx on erasure_request (program_id, customer_id, request_uuid);

-- A secret that a program's webhook carries from a later time on, so that the receiver can be taught it before; and its last test.
alter table program_webhook add column next_secret bytea, add column next_secret_last4 text, add column next_secret_at timestamptz,
  add column test_uuid uuid;

-- A test of the webhook is a notice without a settlement: `settlement_id` is its `test_uuid`.
alter table settlement_notice drop constraint settlement_notice_settlement_fkey;
alter table settlement_notice drop constraint settlement_notice_event_check;
alter table settlement_notice add constraint settlement_notice_event_check check (event in ('settlement_closed', 'test'));

-- Disputed orders of a program at all merchants, the newest first.
create index settlement_exclusion_open_idx on settlement_exclusion (program_id, excluded_at, order_uuid) where included_at is null;
