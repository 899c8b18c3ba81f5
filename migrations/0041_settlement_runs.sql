-- Previews and closes of settlements that operators asked for. A worker leases the one that is due, and says how far it is.
-- `proposed_by`: a second person has confirmed it.
create table settlement_run (
  program_id    bigint      not null,
  run_uuid      uuid        not null,
  kind          text        not null,
  merchant_id   bigint,
  until_at      timestamptz not null,
  asked_by      text        not null,
  asked_uuid    uuid,
  proposed_by   text,
  state         text        not null default 'due',
  attempts      integer     not null default 0,
  due_at        timestamptz not null,
  leased_until  timestamptz,
  step          text,
  done          bigint      not null default 0,
  total         bigint      not null default 0,
  result        json,
  error         text,
  created_at    timestamptz not null,
  ended_at      timestamptz,
  constraint settlement_run_pkey primary key (program_id, run_uuid),
  constraint settlement_run_kind_check check (kind in ('preview', 'close')),
  constraint settlement_run_state_check check (state in ('due', 'done', 'failed')),
  constraint settlement_run_ended_check check ((state = 'due') = (ended_at is null)),
  constraint settlement_run_size_check check (octet_length(result::text) <= 262144 and length(error) <= 500)
);
create index settlement_run_due_idx on settlement_run (program_id, due_at) where state = 'due';
-- Nobody asks twice at a time; what a second person confirms does not wait.
create unique index settlement_run_asked_key on settlement_run (program_id, kind) where state = 'due' and proposed_by is null;

-- Where a program is told of its settlements. One for each program.
create table program_webhook (
  program_id    bigint      not null,
  webhook_uuid  uuid        not null,
  url           text        not null,
  secret        bytea       not null,
  secret_last4  text        not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint program_webhook_pkey primary key (program_id),
  constraint program_webhook_size_check check (length(url) <= 500)
);

-- A settlement that the webhook is told of, written with it. It stays as long as its settlement.
create table settlement_notice (
  program_id     bigint      not null,
  settlement_id  uuid        not null,
  event          text        not null,
  state          text        not null default 'due',
  attempts       integer     not null default 0,
  due_at         timestamptz not null,
  leased_until   timestamptz,
  error          text,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint settlement_notice_pkey primary key (program_id, settlement_id),
  constraint settlement_notice_settlement_fkey foreign key (program_id, settlement_id) references settlement (program_id, settlement_id),
  constraint settlement_notice_event_check check (event = 'settlement_closed'),
  constraint settlement_notice_state_check check (state in ('due', 'delivered', 'failed')),
  constraint settlement_notice_ended_check check ((state = 'due') = (ended_at is null)),
  constraint settlement_notice_error_check check (length(error) <= 500)
);
create index settlement_notice_due_idx on settlement_notice (program_id, due_at) where state = 'due';
