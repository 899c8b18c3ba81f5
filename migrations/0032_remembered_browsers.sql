-- Browsers that a customer asked to be remembered (docs/decisions/0036-remembered-browsers.md). A browser belongs to a phone and to
-- the customer who had it then: the next customer of the phone has none. proven_at is when the phone was last proven by a code.
create table remembered_browser (
  program_id       bigint      not null,
  remembered_uuid  uuid        not null,
  token_hash       bytea       not null,
  phone            text        not null,
  customer_id      uuid        not null,
  device           text,
  proven_at        timestamptz not null,
  used_at          timestamptz not null,
  expires_at       timestamptz not null,
  created_at       timestamptz not null,
  constraint remembered_browser_pkey primary key (program_id, remembered_uuid),
  constraint remembered_browser_token_key unique (program_id, token_hash),
  constraint remembered_browser_phone_check check (phone ~ '^5[0-9]{8}$')
);

create index remembered_browser_phone_idx on remembered_browser (program_id, phone);

create index remembered_browser_customer_idx on remembered_browser (program_id, customer_id);

create index remembered_browser_expires_idx on remembered_browser (program_id, expires_at);

-- Points that were spent without a code, for as long as the limit looks back.
create table remembered_spend (
  program_id   bigint      not null,
  customer_id  uuid        not null,
  order_uuid   uuid        not null,
  points       bigint      not null,
  spent_at     timestamptz not null,
  constraint remembered_spend_pkey primary key (program_id, customer_id, order_uuid),
  constraint remembered_spend_points_check check (points > 0)
);

create index remembered_spend_time_idx on remembered_spend (program_id, spent_at);

-- The remembered browser that stands for the code in proven_at.
alter table checkout_session add column remembered_uuid uuid;
