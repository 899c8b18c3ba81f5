-- What a program owes its customers at the end of a day. A background job adds it up from the ledger in parts, so that nothing
-- ever reads all of it at once. Nothing else writes these rows, and the ledger only grows: a report that was deleted can be made again.

-- A report of one business day in Riyadh. While it is made, `step` and `after_id` say how far the job has come.
create table liability_report (
  program_id bigint not null,
  day date not null,
  until timestamptz not null,
  step text,
  after_id uuid,
  ties boolean,
  wallet_entries bigint not null,
  entries_read bigint not null,
  wallets bigint not null,
  wallets_below_zero bigint not null,
  owed_points numeric not null,
  receivable_points numeric not null,
  held_points numeric not null,
  micro_sar_per_point bigint not null,
  first_micro_sar_per_point bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  constraint liability_report_pkey primary key (program_id, day),
  constraint liability_report_step_check check (step in ('ledger', 'wallets')),
  constraint liability_report_over_check check (
    (step is null) = (after_id is null) and (step is null) = (ties is not null) and (step is null) = (completed_at is not null))
);
create index liability_report_open_idx on liability_report (program_id, created_at, day) where step is not null;
create index liability_report_made_idx on liability_report (program_id, completed_at, day) where step is null;

-- One month of a report: what moved in it, by the accounts of merchants and the program; and of the points that were issued in it,
-- what is left in wallets.
create table liability_month (
  program_id bigint not null,
  day date not null,
  month date not null,
  issued_points numeric not null,
  returned_points numeric not null,
  redeemed_points numeric not null,
  reversed_points numeric not null,
  adjusted_points numeric not null,
  kept_points numeric not null,
  left_points numeric not null,
  left_micro_sar numeric not null,
  constraint liability_month_pkey primary key (program_id, day, month)
);
