-- Who there is: one deployment, its programs, their merchants and the merchants' keys.
-- These four are small and rarely written: reference tables where the database is spread over several servers,
-- which is why no foreign key starts here.

create table deployment (
  singleton       boolean     not null default true,
  environment     text        not null,
  clock_offset_s  bigint      not null default 0,
  created_at      timestamptz not null,
  constraint deployment_pkey primary key (singleton),
  constraint deployment_singleton_check check (singleton),
  constraint deployment_environment_check check (environment in ('sandbox', 'production')),
  constraint deployment_clock_check check (environment = 'sandbox' or clock_offset_s = 0)
);

-- One points currency with its customers and merchants: the tenant of every other table.
create table program (
  program_id           bigint      not null generated always as identity,
  name                 text        not null,
  account_id           uuid        not null,
  activation           text        not null default 'automatic',
  micro_sar_per_point  bigint      not null default 5000,
  locale               text        not null default 'en',
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  constraint program_pkey primary key (program_id),
  constraint program_name_key unique (name),
  constraint program_activation_check check (activation in ('automatic', 'required')),
  constraint program_value_check check (micro_sar_per_point > 0),
  constraint program_locale_check check (locale in ('ar', 'en'))
);

create table merchant (
  program_id             bigint      not null,
  merchant_id            bigint      not null generated always as identity,
  account_id             uuid        not null,
  name                   text        not null,
  verified               boolean     not null default false,
  published              boolean     not null default false,
  earning_on             boolean     not null default true,
  product_rating_on      boolean     not null default true,
  store_rating_on        boolean     not null default true,
  checkout_on            boolean     not null default true,
  points_per_sar_e4      bigint      not null default 100000,
  product_rating_points  bigint      not null default 50,
  store_rating_points    bigint      not null default 100,
  refund_window_days     integer     not null default 30,
  payment_provider       text        not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  constraint merchant_pkey primary key (program_id, merchant_id),
  constraint merchant_rate_check check (points_per_sar_e4 between 0 and 1000000000),
  constraint merchant_rating_points_check check (
    product_rating_points between 0 and 1000000000 and store_rating_points between 0 and 1000000000
  ),
  constraint merchant_refund_window_check check (refund_window_days between 0 and 3650),
  constraint merchant_payment_provider_check check (
    payment_provider in ('sandbox', 'paytabs', 'moyasar', 'merchant')
  )
);

-- A private key is kept as its SHA-256 alone. Regeneration deletes the row and makes another.
create table api_key (
  program_id          bigint      not null,
  merchant_id         bigint      not null,
  public_key          text        not null,
  private_key_hash    bytea       not null,
  status              boolean     not null default true,
  integration_active  boolean     not null default true,
  created_at          timestamptz not null,
  constraint api_key_pkey primary key (program_id, merchant_id),
  constraint api_key_public_key_key unique (public_key),
  constraint api_key_private_key_hash_key unique (private_key_hash)
);
