-- The hosted checkout: who proves a phone, what a customer agrees to, and the money that a payment provider collects.

-- A session belongs to the browser in which the phone was proven. `release_at`, of the business clock, is when points held
-- and a payment under way are let go: the end of the session, or seven days where the merchant collects (decisions §6).
-- `collector` says who collects the remainder since the confirmation; null where nothing remained.
alter table checkout_session add column browser_hash bytea;
alter table checkout_session add column proven_phone text;
alter table checkout_session add column proven_at timestamptz;
alter table checkout_session add column confirmed_at timestamptz;
alter table checkout_session add column release_at timestamptz;
alter table checkout_session add column collector text;
alter table checkout_session add constraint checkout_session_proven_check check (
  (proven_phone is null) = (proven_at is null) and (proven_phone is null) = (browser_hash is null)
  and (proven_phone ~ '^5[0-9]{8}$')
);
alter table checkout_session add constraint checkout_session_confirmed_check check (
  (confirmed_at is null or proven_at is not null) and (release_at is null or (confirmed_at is not null and state = 'open'))
);

alter table checkout_session add constraint checkout_session_collector_check check (
  collector in ('provider', 'merchant') and (collector is null or confirmed_at is not null)
);

create index checkout_session_release_idx on checkout_session (program_id, release_at) where release_at is not null;

-- One-time codes, as an HMAC alone, by the machine's clock. `subject_uuid` is the checkout session or the wallet session that
-- asked: its newest code is its only one. `shown_code` is the code, sealed, in a sandbox that shows it on the page.
create table otp (
  program_id    bigint      not null,
  purpose       text        not null,
  subject_uuid  uuid        not null,
  otp_uuid      uuid        not null,
  phone         text        not null,
  code_hash     bytea       not null,
  shown_code    bytea,
  tries         smallint    not null default 0,
  used_at       timestamptz,
  expires_at    timestamptz not null,
  created_at    timestamptz not null,
  constraint otp_pkey primary key (program_id, purpose, subject_uuid),
  constraint otp_purpose_check check (purpose in ('checkout', 'wallet')),
  constraint otp_phone_check check (phone ~ '^5[0-9]{8}$'),
  constraint otp_tries_check check (tries >= 0)
);

create index otp_created_idx on otp (program_id, created_at);

-- When something was done within a span of time: by phone, by session, by address (as an HMAC). A row is locked while it is
-- asked whether it may be done once more.
create table rate_limit (
  program_id  bigint         not null,
  kind        text           not null,
  key_hash    bytea          not null,
  times       timestamptz[]  not null,
  asked_at    timestamptz    not null,
  constraint rate_limit_pkey primary key (program_id, kind, key_hash)
);

create index rate_limit_asked_idx on rate_limit (program_id, asked_at);

-- Sign-ins to the wallet, by the machine's clock. The token is another one from the proof of the phone on.
create table wallet_session (
  program_id    bigint      not null,
  session_uuid  uuid        not null,
  token_hash    bytea       not null,
  phone         text        not null,
  proven_at     timestamptz,
  seen_at       timestamptz not null,
  expires_at    timestamptz not null,
  created_at    timestamptz not null,
  constraint wallet_session_pkey primary key (program_id, session_uuid),
  constraint wallet_session_token_key unique (program_id, token_hash),
  constraint wallet_session_phone_check check (phone ~ '^5[0-9]{8}$')
);

create index wallet_session_phone_idx on wallet_session (program_id, phone);

create index wallet_session_expires_idx on wallet_session (program_id, expires_at);

-- What a customer has agreed to, append-only, once a version.
create table consent (
  program_id     bigint      not null,
  consent_uuid   uuid        not null,
  customer_id    uuid        not null,
  terms_version  text        not null,
  locale         text        not null,
  source         text        not null,
  created_at     timestamptz not null,
  constraint consent_pkey primary key (program_id, consent_uuid),
  constraint consent_once_key unique (program_id, customer_id, terms_version),
  constraint consent_customer_fkey foreign key (program_id, customer_id) references customer (program_id, customer_id),
  constraint consent_locale_check check (locale in ('ar', 'en')),
  constraint consent_source_check check (source in ('checkout', 'wallet'))
);

-- Text messages that follow from a commit: the invitation of a customer whose earnings wait. Codes are sent at once instead.
-- `dropped`: there was no reason left to send it.
create table sms_queue (
  program_id    bigint      not null,
  sms_uuid      uuid        not null,
  kind          text        not null,
  customer_id   uuid        not null,
  merchant_id   bigint      not null,
  state         text        not null default 'due',
  attempts      smallint    not null default 0,
  due_at        timestamptz not null,
  leased_until  timestamptz,
  error         text,
  created_at    timestamptz not null,
  ended_at      timestamptz,
  constraint sms_queue_pkey primary key (program_id, sms_uuid),
  constraint sms_queue_once_key unique (program_id, customer_id, kind),
  constraint sms_queue_kind_check check (kind in ('invitation')),
  constraint sms_queue_state_check check (state in ('due', 'sent', 'failed', 'dropped')),
  constraint sms_queue_end_check check ((state = 'due') = (ended_at is null))
);

create index sms_queue_due_idx on sms_queue (program_id, due_at) where state = 'due';
create index sms_queue_ended_idx on sms_queue (program_id, ended_at) where state <> 'due';

-- Payments: `sale` takes the money, `auth` reserves it. `surplus` is money that came when the order could no longer take
-- it, and goes back; `returned` has gone back. At most one payment of an order is `authorized` or `paid`. `leased_until`, of
-- the machine's clock, is while somebody asks the provider for its page, so that it is asked for one page at a time.
alter table order_payment add column kind text not null default 'sale';
alter table order_payment add column page_url text;
alter table order_payment add column error text;
alter table order_payment add column reconciled_at timestamptz;
alter table order_payment add column leased_until timestamptz;
alter table order_payment add constraint order_payment_kind_check check (kind in ('sale', 'auth'));
alter table order_payment drop constraint order_payment_state_check;
alter table order_payment add constraint order_payment_state_check check (
  state in ('created', 'authorized', 'paid', 'voided', 'failed', 'surplus', 'returned')
);

-- One try at a time: a second is begun when the first has come to nothing, so that nobody pays twice.
create unique index order_payment_created_key on order_payment (program_id, order_uuid) where state = 'created';

create index order_payment_reference_idx on order_payment (program_id, provider_reference);
create index order_payment_reconcile_idx on order_payment (program_id, updated_at)
  where state in ('authorized', 'paid') and reconciled_at is null;

-- What a provider still has to be told, written with the change that makes it so: nothing is lost between the two.
-- `give_back` voids, and refunds what can no longer be voided. `refunded_before_halalas` is what had been paid back of the
-- payment before this was first asked for: more of it means that an answer was lost, and it is not asked for again.
create table payment_task (
  program_id          bigint      not null,
  task_uuid           uuid        not null,
  payment_uuid        uuid        not null,
  order_uuid          uuid        not null,
  kind                text        not null,
  refund_uuid         uuid,
  amount_halalas      bigint      not null,
  state               text        not null default 'due',
  attempts            integer     not null default 0,
  due_at              timestamptz not null,
  leased_until        timestamptz,
  refunded_before_halalas bigint,
  provider_reference  text,
  error               text,
  created_at          timestamptz not null,
  ended_at            timestamptz,
  constraint payment_task_pkey primary key (program_id, task_uuid),
  constraint payment_task_payment_fkey
    foreign key (program_id, payment_uuid) references order_payment (program_id, payment_uuid),
  constraint payment_task_refund_fkey
    foreign key (program_id, refund_uuid) references order_refund (program_id, refund_uuid),
  constraint payment_task_kind_check check (kind in ('capture', 'void', 'refund', 'give_back')),
  constraint payment_task_refund_check check ((kind = 'refund') = (refund_uuid is not null)),
  constraint payment_task_amount_check check (amount_halalas between 1 and 999999999999),
  constraint payment_task_state_check check (state in ('due', 'done', 'refused')),
  constraint payment_task_end_check check ((state = 'due') = (ended_at is null))
);

create index payment_task_due_idx on payment_task (program_id, due_at) where state = 'due';
create index payment_task_open_idx on payment_task (program_id) where state in ('due', 'refused');
create index payment_task_payment_idx on payment_task (program_id, payment_uuid);
create unique index payment_task_once_key on payment_task (program_id, payment_uuid, kind) where kind <> 'refund';
create unique index payment_task_refund_key on payment_task (program_id, refund_uuid) where refund_uuid is not null;

-- The sandbox's payment provider: its own books, which the service asks only through the provider's port.
create table sandbox_payment (
  program_id        bigint      not null,
  payment_uuid      uuid        not null,
  kind              text        not null,
  state             text        not null,
  card              text,
  amount_halalas    bigint      not null,
  refunded_halalas  bigint      not null default 0,
  description       text        not null,
  return_url        text        not null,
  callback_url      text        not null,
  settles_at        timestamptz,
  vanishes_at       timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint sandbox_payment_pkey primary key (program_id, payment_uuid),
  constraint sandbox_payment_kind_check check (kind in ('sale', 'auth')),
  constraint sandbox_payment_state_check check (
    state in ('pending', 'challenge', 'authorized', 'paid', 'voided', 'failed')
  ),
  constraint sandbox_payment_amounts_check check (refunded_halalas between 0 and amount_halalas)
);

create table sandbox_refund (
  program_id      bigint      not null,
  refund_uuid     uuid        not null,
  payment_uuid    uuid        not null,
  amount_halalas  bigint      not null,
  created_at      timestamptz not null,
  constraint sandbox_refund_pkey primary key (program_id, refund_uuid),
  constraint sandbox_refund_payment_fkey
    foreign key (program_id, payment_uuid) references sandbox_payment (program_id, payment_uuid),
  constraint sandbox_refund_amount_check check (amount_halalas > 0)
);

create index sandbox_refund_payment_idx on sandbox_refund (program_id, payment_uuid);

-- How a merchant sells: in one step or two, through whose account, and what its pages look like. Credentials are sealed.
alter table merchant add column payment_flow text not null default 'sale';
alter table merchant add column colour text;
alter table merchant add constraint merchant_payment_flow_check check (payment_flow in ('sale', 'two_step'));
alter table merchant add constraint merchant_colour_check check (colour ~ '^#[0-9a-f]{6}$');

create table merchant_logo (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  digest       text        not null,
  media_type   text        not null,
  content      bytea       not null,
  created_at   timestamptz not null,
  constraint merchant_logo_pkey primary key (program_id, merchant_id),
  constraint merchant_logo_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint merchant_logo_type_check check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint merchant_logo_size_check check (octet_length(content) between 1 and 131072)
);

create table merchant_payment_account (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  provider     text        not null,
  credentials  bytea       not null,
  updated_at   timestamptz not null,
  constraint merchant_payment_account_pkey primary key (program_id, merchant_id, provider),
  constraint merchant_payment_account_merchant_fkey
    foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint merchant_payment_account_provider_check check (provider in ('paytabs', 'moyasar'))
);
