-- Who changed what by a command. Rows are only added. Program 0 is the deployment itself: its clock, its secret key.
create table audit (
  program_id bigint not null,
  audit_id uuid not null,
  source text not null,
  actor text not null,
  action text not null,
  object text not null,
  before json,
  after json,
  created_at timestamptz not null,
  constraint audit_pkey primary key (program_id, audit_id),
  constraint audit_source_check check (source in ('command', 'dashboard'))
);
create index audit_object_idx on audit (program_id, object, audit_id);

-- An erased customer keeps the wallet and the orders, and has neither a phone nor a name.
alter table customer add column erased_at timestamptz;
alter table customer alter column phone drop not null;
-- Not validated: every earlier row has a phone, and checking them all would lock the table.
alter table customer add constraint customer_erased_check
  check ((phone is null) = (erased_at is not null) and (erased_at is null or name is null)) not valid;
