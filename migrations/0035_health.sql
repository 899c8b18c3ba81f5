-- What the comparison of payments has found, what was done about it, and what an operator made of it. The id is a UUIDv7 of
-- the first time. A finding that stands is found again by every run. Nobody needs to look at one that is `resolved`: the
-- payment agrees now, or has gone back.
create table reconciliation_finding (
  program_id          bigint      not null,
  finding_uuid        uuid        not null,
  merchant_id         bigint      not null,
  order_uuid          uuid        not null,
  payment_uuid        uuid        not null,
  provider            text        not null,
  provider_reference  text,
  amount_halalas      bigint      not null,
  kind                text        not null,
  action              text        not null,
  detail              text        not null,
  refund_halalas      bigint,
  returned_points     bigint,
  reversed_points     bigint,
  state               text        not null default 'open',
  note                text,
  changed_by          text,
  changed_at          timestamptz,
  times               integer     not null default 1,
  found_at            timestamptz not null,
  seen_at             timestamptz not null,
  ended_at            timestamptz,
  constraint reconciliation_finding_pkey primary key (program_id, finding_uuid),
  constraint reconciliation_finding_once_key unique (program_id, payment_uuid, kind),
  constraint reconciliation_finding_state_check check (state in ('open', 'handled', 'resolved')),
  constraint reconciliation_finding_action_check check (action in ('none', 'reversed')),
  constraint reconciliation_finding_ended_check check ((state = 'open') = (ended_at is null)),
  constraint reconciliation_finding_reversed_check check (
    (action = 'reversed') = (refund_halalas is not null) and (action = 'reversed') = (returned_points is not null)
    and (action = 'reversed') = (reversed_points is not null)),
  constraint reconciliation_finding_size_check check (length(note) <= 1000 and length(detail) <= 500)
);
create index reconciliation_finding_state_idx on reconciliation_finding (program_id, state, finding_uuid);
create index reconciliation_finding_ended_idx on reconciliation_finding (program_id, ended_at) where ended_at is not null;

-- How many messages went out, by hour and by day in Riyadh, with what became of them. Mails belong to no program: they are
-- those of program 0.
create table message_count (
  program_id  bigint      not null,
  span        text        not null,
  begins_at   timestamptz not null,
  kind        text        not null,
  outcome     text        not null,
  error       text        not null default '',
  messages    bigint      not null,
  constraint message_count_pkey primary key (program_id, span, begins_at, kind, outcome, error),
  constraint message_count_span_check check (span in ('hour', 'day')),
  constraint message_count_kind_check check (kind in ('code', 'invitation', 'mail')),
  constraint message_count_outcome_check check (outcome in ('sent', 'unknown', 'failed')),
  constraint message_count_error_check check (length(error) <= 100 and (outcome = 'sent') = (error = ''))
);

-- The processes of the deployment, as each last said of itself: its background jobs, its certificate, what its checks found.
create table service_process (
  process_uuid  uuid        not null,
  role          text        not null,
  version       text        not null,
  host          text        not null,
  pid           bigint      not null,
  facts         json        not null,
  started_at    timestamptz not null,
  seen_at       timestamptz not null,
  stopped_at    timestamptz,
  constraint service_process_pkey primary key (process_uuid),
  constraint service_process_role_check check (role in ('all', 'api', 'worker')),
  constraint service_process_size_check check (octet_length(facts::text) <= 65536)
);
create index service_process_seen_idx on service_process (seen_at);

-- Verifications of a program's ledger that an operator asked for. A worker leases the one that is open.
create table ledger_run (
  program_id        bigint      not null,
  run_uuid          uuid        not null,
  state             text        not null default 'waiting',
  asked_by          text        not null,
  asked_at          timestamptz not null,
  started_at        timestamptz,
  ended_at          timestamptz,
  leased_until      timestamptz,
  attempts          integer     not null default 0,
  cancelled_by      text,
  step              text,
  transfers         bigint      not null default 0,
  entries           bigint      not null default 0,
  wallets           bigint      not null default 0,
  expected_entries  bigint,
  differences       bigint,
  shown             json,
  error             text,
  constraint ledger_run_pkey primary key (program_id, run_uuid),
  constraint ledger_run_state_check check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  constraint ledger_run_ended_check check ((state in ('waiting', 'running')) = (ended_at is null)),
  constraint ledger_run_result_check check ((state = 'done') = (differences is not null)),
  constraint ledger_run_error_check check (length(error) <= 500)
);
create index ledger_run_open_idx on ledger_run (program_id, run_uuid) where ended_at is null;

-- When the last backup by `nuqta backup` was complete.
alter table deployment add column backed_up_at timestamptz;
