-- Where merchants hear of their events (decisions §10). The secret is sealed under the deployment's secret key
-- (src/secrets.ts); its last four characters are kept for the mask. Slots hold the limit of 20 per merchant: two
-- registrations at once cannot take the same one.

create table webhook (
  program_id    bigint      not null,
  webhook_uuid  uuid        not null,
  merchant_id   bigint      not null,
  slot          smallint    not null,
  name          text        not null,
  url           text        not null,
  secret        bytea       not null,
  secret_last4  text        not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint webhook_pkey primary key (program_id, webhook_uuid),
  constraint webhook_slot_key unique (program_id, merchant_id, slot),
  constraint webhook_merchant_fkey foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint webhook_slot_check check (slot between 1 and 20)
);
