-- What a point of a program is worth, by the day in Riyadh on which a value begins. The latest row that has begun holds; before the
-- first one, the first. `program.micro_sar_per_point` stays for processes of the version before.
create table program_rate (
  program_id           bigint      not null,
  begins_on            date        not null,
  micro_sar_per_point  bigint      not null,
  created_at           timestamptz not null,
  constraint program_rate_pkey primary key (program_id, begins_on),
  constraint program_rate_value_check check (micro_sar_per_point > 0)
);

insert into program_rate (program_id, begins_on, micro_sar_per_point, created_at)
select program_id, (created_at at time zone 'Asia/Riyadh')::date, micro_sar_per_point, created_at from program;

-- The points that a remembered browser may spend in 24 hours without a code; 0 switches that off.
alter table program add column remembered_limit bigint not null default 1000;
-- What the program takes of the value of either leg, and the VAT on that, in hundredths of a percent.
alter table program add column fee_earn_bp integer not null default 0;
alter table program add column fee_redeem_bp integer not null default 0;
alter table program add column fee_vat_bp integer not null default 1500;
-- What needs a second person. Adjustments of more points than this do; null: none does.
alter table program add column two_person_rates boolean not null default false;
alter table program add column two_person_settlements boolean not null default false;
alter table program add column two_person_adjustments_over bigint;
alter table program add constraint program_remembered_check check (remembered_limit between 0 and 1000000000);
alter table program add constraint program_fee_check check (
  fee_earn_bp between 0 and 10000 and fee_redeem_bp between 0 and 10000 and fee_vat_bp between 0 and 10000
);
alter table program add constraint program_two_person_check check (two_person_adjustments_over between 0 and 1000000000);

-- A change that waits for a second person, or did. `facts` is what the first one saw: the second confirms exactly that. A person who
-- proposes in the dashboard is known by `proposed_uuid`; a command has a name alone.
create table proposal (
  program_id     bigint      not null,
  proposal_uuid  uuid        not null,
  kind           text        not null,
  state          text        not null,
  payload        json        not null,
  facts          json        not null,
  customer_id    uuid,
  reason         text,
  proposed_by    text        not null,
  proposed_uuid  uuid,
  decided_by     text,
  decided_uuid   uuid,
  decided_at     timestamptz,
  expires_at     timestamptz not null,
  created_at     timestamptz not null,
  constraint proposal_pkey primary key (program_id, proposal_uuid),
  constraint proposal_kind_check check (kind in ('program.rate', 'program.set', 'wallet.adjust', 'settlement.close')),
  constraint proposal_state_check check (state in ('open', 'confirmed', 'rejected', 'expired')),
  constraint proposal_decided_check check (
    (state in ('confirmed', 'rejected')) = (decided_at is not null) and (decided_at is null) = (decided_by is null)
  ),
  -- Nobody confirms a proposal of their own.
  constraint proposal_two_people_check check (state <> 'confirmed' or (decided_uuid is not null and decided_uuid is distinct from proposed_uuid))
);

create index proposal_open_idx on proposal (program_id, proposal_uuid) where state = 'open';
create index proposal_customer_idx on proposal (program_id, customer_id) where customer_id is not null;

-- The program's own terms, in both languages. The latest version that has begun holds, and the product's own text before the first.
-- Versions stay: each consent names one.
create table program_terms (
  program_id  bigint      not null,
  version     text        not null,
  begins_on   date        not null,
  text_en     text        not null,
  text_ar     text        not null,
  created_at  timestamptz not null,
  constraint program_terms_pkey primary key (program_id, version),
  constraint program_terms_version_check check (version ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'),
  constraint program_terms_size_check check (length(text_en) between 1 and 20000 and length(text_ar) between 1 and 20000)
);
