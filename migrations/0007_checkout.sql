-- Sessions of the hosted checkout (decisions §6). The link's token is kept as its SHA-256 alone; `expires_at` goes by the
-- business clock. A session is over when the order leaves `new` or the API ends it.

create table checkout_session (
  program_id    bigint      not null,
  session_uuid  uuid        not null,
  merchant_id   bigint      not null,
  order_uuid    uuid        not null,
  token_hash    bytea       not null,
  phone         text,
  name          text,
  callback_url  text,
  state         text        not null default 'open',
  expires_at    timestamptz not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint checkout_session_pkey primary key (program_id, session_uuid),
  constraint checkout_session_token_key unique (program_id, token_hash),
  constraint checkout_session_order_key unique (program_id, order_uuid),
  constraint checkout_session_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint checkout_session_order_fkey foreign key (program_id, order_uuid) references orders (program_id, order_uuid),
  constraint checkout_session_phone_check check (phone ~ '^5[0-9]{8}$'),
  constraint checkout_session_state_check check (state in ('open', 'ended'))
);
