-- What requests with an Idempotency-Key were answered (decisions §13; docs/decisions/0008-idempotency.md). A row is made
-- before its request is handled. While `answer` is null the request is under way, for `owner`, until `leased_until` of the
-- machine's clock. The answer is sealed (src/secrets.ts): it may hold a webhook's secret or a checkout's link.

create table idempotency (
  program_id    bigint      not null,
  merchant_id   bigint      not null,
  key_hash      bytea       not null,
  route         text        not null,
  body_hash     bytea       not null,
  request_uuid  uuid        not null,
  owner         uuid        not null,
  leased_until  timestamptz not null,
  status        smallint,
  answer        bytea,
  created_at    timestamptz not null,
  constraint idempotency_pkey primary key (program_id, merchant_id, key_hash),
  constraint idempotency_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint idempotency_answer_check check ((status is null) = (answer is null)),
  constraint idempotency_status_check check (status between 200 and 499 and status <> 429)
);

create index idempotency_created_idx on idempotency (program_id, created_at);
