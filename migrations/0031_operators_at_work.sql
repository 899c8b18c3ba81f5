-- What operators send below a program has an Idempotency-Key too, and no merchant: it stands under merchant 0.
alter table idempotency drop constraint idempotency_merchant_fkey;

-- Since when a merchant is verified, and by whom.
alter table merchant add column verified_at timestamptz;
alter table merchant add column verified_by text;
-- A suspended merchant is not published. What it was before comes back when the suspension is lifted.
alter table merchant add column suspended_at timestamptz;
alter table merchant add column suspended_by text;
alter table merchant add column suspended_reason text;
alter table merchant add column published_before boolean;
alter table merchant add constraint merchant_suspended_check
  check ((suspended_at is null or not published) and (suspended_at is null) = (suspended_reason is null));

-- What operators write down about a merchant, for each other.
create table merchant_note (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  note         text        not null,
  changed_by   text        not null,
  changed_at   timestamptz not null,
  constraint merchant_note_pkey primary key (program_id, merchant_id),
  constraint merchant_note_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint merchant_note_length_check check (char_length(note) <= 4000)
);

-- The papers that an operator has seen before a merchant is verified. The papers themselves stay outside.
create table merchant_document (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  document     text        not null,
  note         text        not null,
  seen_by      text,
  seen_at      timestamptz,
  constraint merchant_document_pkey primary key (program_id, merchant_id, document),
  constraint merchant_document_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint merchant_document_check
    check (document in ('commercial_register', 'vat_certificate', 'bank_letter', 'contract')),
  constraint merchant_document_seen_check check ((seen_by is null) = (seen_at is null)),
  constraint merchant_document_length_check check (char_length(note) <= 500)
);
