-- What customers see of their points in a shop: sessions that read a balance and nothing else.
create table card_session (
  program_id bigint not null,
  card_uuid uuid not null,
  merchant_id bigint not null,
  token_hash bytea not null,
  phone text not null,
  -- Who had the phone when its code was right: the next customer of the phone is another.
  customer_id uuid,
  stage text not null,
  -- Of an offered session: the SHA-256 of what only the frame knows that asked for it.
  challenge bytea,
  -- Until when a window whose code was right may offer one session to its frame.
  offers_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint card_session_pkey primary key (program_id, card_uuid),
  constraint card_session_token_key unique (program_id, token_hash),
  constraint card_session_phone_check check (phone ~ '^5[0-9]{8}$'),
  constraint card_session_stage_check check (stage in ('asked', 'offered', 'open')),
  constraint card_session_challenge_check check ((stage = 'offered') = (challenge is not null)),
  constraint card_session_offers_check check (offers_until is null or stage = 'open')
);

create index card_session_phone_idx on card_session (program_id, phone);

create index card_session_expires_idx on card_session (program_id, expires_at);
