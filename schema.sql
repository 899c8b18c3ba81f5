-- Generated from the migrations by `npm run generate`. Read it; change the migrations.
-- Up to 0059_customers_by_folded_name.sql.

create table account (
  program_id bigint not null,
  account_id uuid not null,
  kind text not null,
  customer_id uuid,
  merchant_id bigint,
  posted bigint,
  held bigint,
  version bigint,
  created_at timestamp with time zone not null,
  blocked_at timestamp with time zone,
  blocked_by text,
  blocked_reason text,
  merged_into uuid,
  merged_at timestamp with time zone,
  erased_at timestamp with time zone,
  given_up_phone text,
  constraint account_pkey PRIMARY KEY (program_id, account_id),
  constraint account_customer_fkey FOREIGN KEY (program_id, customer_id) REFERENCES customer(program_id, customer_id),
  constraint account_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint account_given_up_phone_check CHECK (given_up_phone IS NULL OR merged_into IS NOT NULL AND given_up_phone ~ '^5[0-9]{8}$'::text),
  constraint account_kind_check CHECK (kind = ANY (ARRAY['customer'::text, 'merchant'::text, 'program'::text])),
  constraint account_owner_check CHECK (kind = 'customer'::text AND customer_id = account_id AND merchant_id IS NULL OR kind = 'merchant'::text AND customer_id IS NULL AND merchant_id IS NOT NULL OR kind = 'program'::text AND customer_id IS NULL AND merchant_id IS NULL),
  constraint account_wallet_check CHECK (kind = 'customer'::text AND posted IS NOT NULL AND held >= 0 AND version >= 0 OR kind <> 'customer'::text AND posted IS NULL AND held IS NULL AND version IS NULL)
);
CREATE INDEX account_merged_idx ON public.account USING btree (program_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE UNIQUE INDEX account_program_key ON public.account USING btree (program_id) WHERE (kind = 'program'::text);

create table activity_day (
  program_id bigint not null,
  generation integer not null,
  merchant_id bigint not null,
  day date not null,
  purchases bigint not null,
  ratings bigint not null,
  checkouts bigint not null,
  refunds bigint not null,
  sales_halalas bigint not null,
  redeemed_halalas bigint not null,
  refunded_halalas bigint not null,
  issued_points bigint not null,
  redeemed_points bigint not null,
  reversed_points bigint not null,
  returned_points bigint not null,
  new_customers bigint not null,
  returning_customers bigint not null,
  constraint activity_day_pkey PRIMARY KEY (program_id, generation, merchant_id, day)
);
CREATE INDEX activity_day_day_idx ON public.activity_day USING btree (program_id, generation, day);

create table activity_program (
  program_id bigint not null,
  generation integer not null,
  counted_to uuid not null,
  building boolean not null,
  build_step text,
  build_after uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint activity_program_pkey PRIMARY KEY (program_id),
  constraint activity_program_building_check CHECK ((build_step IS NULL) = (build_after IS NULL) AND (NOT building OR build_step IS NOT NULL)),
  constraint activity_program_step_check CHECK (build_step = ANY (ARRAY['orders'::text, 'refunds'::text, 'old figures'::text]))
);

create table activity_window (
  program_id bigint not null,
  from_id uuid not null,
  to_id uuid not null,
  counted integer not null,
  constraint activity_window_pkey PRIMARY KEY (program_id, from_id)
);

create table api_key (
  program_id bigint not null,
  merchant_id bigint not null,
  public_key text not null,
  private_key_hash bytea not null,
  status boolean not null default true,
  integration_active boolean not null default true,
  created_at timestamp with time zone not null,
  private_key_created_at timestamp with time zone,
  constraint api_key_pkey PRIMARY KEY (program_id, merchant_id),
  constraint api_key_private_key_hash_key UNIQUE (private_key_hash),
  constraint api_key_public_key_key UNIQUE (public_key)
);

create table audit (
  program_id bigint not null,
  audit_id uuid not null,
  source text not null,
  actor text not null,
  action text not null,
  object text not null,
  before json,
  after json,
  created_at timestamp with time zone not null,
  constraint audit_pkey PRIMARY KEY (program_id, audit_id),
  constraint audit_source_check CHECK (source = ANY (ARRAY['command'::text, 'dashboard'::text]))
);
CREATE INDEX audit_object_idx ON public.audit USING btree (program_id, object, audit_id);

create table card_session (
  program_id bigint not null,
  card_uuid uuid not null,
  merchant_id bigint not null,
  token_hash bytea not null,
  phone text not null,
  customer_id uuid,
  stage text not null,
  challenge bytea,
  offers_until timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint card_session_pkey PRIMARY KEY (program_id, card_uuid),
  constraint card_session_token_key UNIQUE (program_id, token_hash),
  constraint card_session_challenge_check CHECK ((stage = 'offered'::text) = (challenge IS NOT NULL)),
  constraint card_session_offers_check CHECK (offers_until IS NULL OR stage = 'open'::text),
  constraint card_session_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text),
  constraint card_session_stage_check CHECK (stage = ANY (ARRAY['asked'::text, 'offered'::text, 'open'::text]))
);
CREATE INDEX card_session_expires_idx ON public.card_session USING btree (program_id, expires_at);
CREATE INDEX card_session_phone_idx ON public.card_session USING btree (program_id, phone);

create table checkout_session (
  program_id bigint not null,
  session_uuid uuid not null,
  merchant_id bigint not null,
  order_uuid uuid not null,
  token_hash bytea not null,
  phone text,
  name text,
  callback_url text,
  state text not null default 'open'::text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  browser_hash bytea,
  proven_phone text,
  proven_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  release_at timestamp with time zone,
  collector text,
  stored_bytes integer not null default 1024,
  kept_at timestamp with time zone,
  locale text,
  continued_at timestamp with time zone,
  joined_name text,
  joined_terms text,
  joined_locale text,
  remembered_uuid uuid,
  constraint checkout_session_pkey PRIMARY KEY (program_id, session_uuid),
  constraint checkout_session_order_key UNIQUE (program_id, order_uuid),
  constraint checkout_session_token_key UNIQUE (program_id, token_hash),
  constraint checkout_session_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint checkout_session_order_fkey FOREIGN KEY (program_id, order_uuid) REFERENCES orders(program_id, order_uuid),
  constraint checkout_session_collector_check CHECK ((collector = ANY (ARRAY['provider'::text, 'merchant'::text])) AND (collector IS NULL OR confirmed_at IS NOT NULL)),
  constraint checkout_session_confirmed_check CHECK ((confirmed_at IS NULL OR proven_at IS NOT NULL OR continued_at IS NOT NULL) AND (release_at IS NULL OR confirmed_at IS NOT NULL AND state = 'open'::text)),
  constraint checkout_session_continued_check CHECK (continued_at IS NULL OR confirmed_at IS NOT NULL),
  constraint checkout_session_joined_check CHECK ((joined_name IS NULL) = (joined_terms IS NULL) AND (joined_name IS NULL) = (joined_locale IS NULL) AND (joined_name IS NULL OR continued_at IS NOT NULL) AND (joined_locale = ANY (ARRAY['ar'::text, 'en'::text]))),
  constraint checkout_session_locale_check CHECK (locale = ANY (ARRAY['ar'::text, 'en'::text])),
  constraint checkout_session_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text),
  constraint checkout_session_proven_check CHECK ((proven_phone IS NULL) = (proven_at IS NULL) AND (proven_phone IS NULL) = (browser_hash IS NULL) AND proven_phone ~ '^5[0-9]{8}$'::text),
  constraint checkout_session_state_check CHECK (state = ANY (ARRAY['open'::text, 'ended'::text])),
  constraint checkout_session_stored_check CHECK (stored_bytes > 0)
);
CREATE INDEX checkout_session_release_idx ON public.checkout_session USING btree (program_id, release_at) WHERE (release_at IS NOT NULL);
CREATE INDEX checkout_session_unproven_idx ON public.checkout_session USING btree (program_id, merchant_id, expires_at, session_uuid) INCLUDE (stored_bytes) WHERE ((state = 'open'::text) AND (kept_at IS NULL) AND ((proven_at IS NULL) OR (remembered_uuid IS NOT NULL)));

create table consent (
  program_id bigint not null,
  consent_uuid uuid not null,
  customer_id uuid not null,
  terms_version text not null,
  locale text not null,
  source text not null,
  created_at timestamp with time zone not null,
  constraint consent_pkey PRIMARY KEY (program_id, consent_uuid),
  constraint consent_once_key UNIQUE (program_id, customer_id, terms_version),
  constraint consent_customer_fkey FOREIGN KEY (program_id, customer_id) REFERENCES customer(program_id, customer_id),
  constraint consent_locale_check CHECK (locale = ANY (ARRAY['ar'::text, 'en'::text])),
  constraint consent_source_check CHECK (source = ANY (ARRAY['checkout'::text, 'wallet'::text]))
);

create table customer (
  program_id bigint not null,
  customer_id uuid not null,
  phone text,
  name text,
  status text not null,
  created_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  erased_at timestamp with time zone,
  constraint customer_pkey PRIMARY KEY (program_id, customer_id),
  constraint customer_phone_key UNIQUE (program_id, phone),
  constraint customer_program_fkey FOREIGN KEY (program_id) REFERENCES program(program_id),
  constraint customer_activated_check CHECK ((status = 'active'::text) = (activated_at IS NOT NULL)),
  constraint customer_erased_check CHECK ((phone IS NULL) = (erased_at IS NOT NULL) AND (erased_at IS NULL OR name IS NULL)),
  constraint customer_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text),
  constraint customer_status_check CHECK (status = ANY (ARRAY['invited'::text, 'active'::text]))
);
CREATE INDEX customer_folded_name_idx ON public.customer USING btree (program_id, translate(lower(name), 'أإآٱةىؤئیکـًٌٍَُِّْٰ'::text, 'ااااهيوييك'::text) COLLATE "C", customer_id) WHERE (name IS NOT NULL);

create table delivery (
  program_id bigint not null,
  delivery_id uuid not null,
  event_id uuid not null,
  merchant_id bigint not null,
  webhook_uuid uuid not null,
  order_uuid uuid not null,
  state text not null,
  series smallint not null,
  attempts smallint not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint delivery_pkey PRIMARY KEY (program_id, delivery_id),
  constraint delivery_state_check CHECK (state = ANY (ARRAY['delivered'::text, 'failed'::text]))
) partition by RANGE (delivery_id);
CREATE INDEX delivery_failed_idx ON ONLY public.delivery USING btree (program_id, webhook_uuid, delivery_id) WHERE (state = 'failed'::text);
CREATE INDEX delivery_merchant_idx ON ONLY public.delivery USING btree (program_id, merchant_id, delivery_id);

create table delivery_attempt (
  program_id bigint not null,
  delivery_id uuid not null,
  series smallint not null,
  attempt smallint not null,
  started_at timestamp with time zone not null,
  duration_ms integer,
  status smallint,
  response text,
  error text,
  error_code text,
  constraint delivery_attempt_pkey PRIMARY KEY (program_id, delivery_id, series, attempt)
) partition by RANGE (delivery_id);

create table delivery_attempt_default (
  program_id bigint not null,
  delivery_id uuid not null,
  series smallint not null,
  attempt smallint not null,
  started_at timestamp with time zone not null,
  duration_ms integer,
  status smallint,
  response text,
  error text,
  error_code text,
  constraint delivery_attempt_default_pkey PRIMARY KEY (program_id, delivery_id, series, attempt)
);

create table delivery_default (
  program_id bigint not null,
  delivery_id uuid not null,
  event_id uuid not null,
  merchant_id bigint not null,
  webhook_uuid uuid not null,
  order_uuid uuid not null,
  state text not null,
  series smallint not null,
  attempts smallint not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint delivery_default_pkey PRIMARY KEY (program_id, delivery_id),
  constraint delivery_state_check CHECK (state = ANY (ARRAY['delivered'::text, 'failed'::text]))
);

create table delivery_queue (
  program_id bigint not null,
  delivery_id uuid not null,
  event_id uuid not null,
  merchant_id bigint not null,
  webhook_uuid uuid not null,
  order_uuid uuid not null,
  series smallint not null,
  attempts smallint not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint delivery_queue_pkey PRIMARY KEY (program_id, order_uuid, delivery_id),
  constraint delivery_queue_attempts_check CHECK (attempts >= 0 AND (leased_until IS NULL OR attempts > 0)),
  constraint delivery_queue_series_check CHECK (series > 0)
);
CREATE INDEX delivery_queue_webhook_idx ON public.delivery_queue USING btree (program_id, webhook_uuid, due_at, delivery_id) WHERE (webhook_uuid IS NOT NULL);

create table deployment (
  singleton boolean not null default true,
  environment text not null,
  clock_offset_s bigint not null default 0,
  created_at timestamp with time zone not null,
  secret_canary bytea,
  backed_up_at timestamp with time zone,
  constraint deployment_pkey PRIMARY KEY (singleton),
  constraint deployment_clock_check CHECK (environment = 'sandbox'::text OR clock_offset_s = 0),
  constraint deployment_environment_check CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint deployment_singleton_check CHECK (singleton)
);

create table earning_lock (
  program_id bigint not null,
  merchant_id bigint not null,
  closing_to timestamp with time zone,
  settled_to timestamp with time zone,
  settled_points numeric not null default 0,
  constraint earning_lock_pkey PRIMARY KEY (program_id, merchant_id),
  constraint earning_lock_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id)
);

create table entry (
  program_id bigint not null,
  transfer_id uuid not null,
  line smallint not null,
  account_id uuid not null,
  bucket text not null default 'available'::text,
  amount bigint not null,
  balance_after bigint,
  account_version bigint,
  created_at timestamp with time zone not null,
  kind text,
  micro_sar_per_point bigint,
  constraint entry_pkey PRIMARY KEY (program_id, transfer_id, line),
  constraint entry_account_fkey FOREIGN KEY (program_id, account_id) REFERENCES account(program_id, account_id),
  constraint entry_transfer_fkey FOREIGN KEY (program_id, transfer_id) REFERENCES transfer(program_id, transfer_id),
  constraint entry_amount_check CHECK (amount <> 0),
  constraint entry_balance_check CHECK ((balance_after IS NULL) = (account_version IS NULL)),
  constraint entry_bucket_check CHECK (bucket = ANY (ARRAY['available'::text, 'held'::text]))
);
CREATE INDEX entry_account_idx ON public.entry USING btree (program_id, account_id, created_at) INCLUDE (kind, amount, micro_sar_per_point) WHERE (account_version IS NULL);
CREATE UNIQUE INDEX entry_wallet_key ON public.entry USING btree (program_id, account_id, account_version) WHERE (account_version IS NOT NULL);

create table erasure_request (
  program_id bigint not null,
  request_uuid uuid not null,
  customer_id uuid not null,
  reason text,
  asked_by text not null,
  asked_uuid uuid,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  obstacle text,
  order_uuid uuid,
  ended_by text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  orders uuid[],
  constraint erasure_request_pkey PRIMARY KEY (program_id, request_uuid),
  constraint erasure_request_customer_fkey FOREIGN KEY (program_id, customer_id) REFERENCES customer(program_id, customer_id),
  constraint erasure_request_ended_check CHECK ((state = 'due'::text) = (ended_at IS NULL)),
  constraint erasure_request_obstacle_check CHECK (obstacle = ANY (ARRAY['order'::text, 'merged'::text, 'error'::text])),
  constraint erasure_request_orders_check CHECK (state = 'due'::text OR orders IS NULL),
  constraint erasure_request_reason_check CHECK (char_length(reason) <= 500 AND (state = 'due'::text OR reason IS NULL)),
  constraint erasure_request_state_check CHECK (state = ANY (ARRAY['due'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))
);
CREATE INDEX erasure_request_customer_idx ON public.erasure_request USING btree (program_id, customer_id, request_uuid);
CREATE INDEX erasure_request_due_idx ON public.erasure_request USING btree (program_id, due_at) WHERE (state = 'due'::text);
CREATE UNIQUE INDEX erasure_request_waiting_key ON public.erasure_request USING btree (program_id, customer_id) WHERE (state = 'due'::text);

create table event (
  program_id bigint not null,
  event_id uuid not null,
  merchant_id bigint not null,
  order_uuid uuid not null,
  name text not null,
  payload json not null,
  created_at timestamp with time zone not null,
  constraint event_pkey PRIMARY KEY (program_id, event_id),
  constraint event_name_check CHECK (name = ANY (ARRAY['approved'::text, 'authorized'::text, 'captured'::text, 'cancelled'::text, 'completed'::text, 'shipping_status_updated'::text, 'refunded'::text, 'auto_refunded'::text, 'test'::text]))
) partition by RANGE (event_id);
CREATE INDEX event_order_idx ON ONLY public.event USING btree (program_id, order_uuid);

create table event_default (
  program_id bigint not null,
  event_id uuid not null,
  merchant_id bigint not null,
  order_uuid uuid not null,
  name text not null,
  payload json not null,
  created_at timestamp with time zone not null,
  constraint event_default_pkey PRIMARY KEY (program_id, event_id),
  constraint event_name_check CHECK (name = ANY (ARRAY['approved'::text, 'authorized'::text, 'captured'::text, 'cancelled'::text, 'completed'::text, 'shipping_status_updated'::text, 'refunded'::text, 'auto_refunded'::text, 'test'::text]))
);

create table hold (
  program_id bigint not null,
  hold_id uuid not null,
  account_id uuid not null,
  order_uuid uuid not null,
  points bigint not null,
  state text not null default 'open'::text,
  hold_transfer_id uuid not null,
  end_transfer_id uuid,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint hold_pkey PRIMARY KEY (program_id, hold_id),
  constraint hold_account_fkey FOREIGN KEY (program_id, account_id) REFERENCES account(program_id, account_id),
  constraint hold_end_transfer_fkey FOREIGN KEY (program_id, end_transfer_id) REFERENCES transfer(program_id, transfer_id),
  constraint hold_order_fkey FOREIGN KEY (program_id, order_uuid) REFERENCES orders(program_id, order_uuid),
  constraint hold_transfer_fkey FOREIGN KEY (program_id, hold_transfer_id) REFERENCES transfer(program_id, transfer_id),
  constraint hold_end_check CHECK ((state = 'open'::text) = (end_transfer_id IS NULL) AND (state = 'open'::text) = (ended_at IS NULL)),
  constraint hold_points_check CHECK (points > 0),
  constraint hold_state_check CHECK (state = ANY (ARRAY['open'::text, 'posted'::text, 'released'::text]))
);
CREATE INDEX hold_account_idx ON public.hold USING btree (program_id, account_id, hold_id) WHERE ((state = 'open'::text) AND (account_id IS NOT NULL));
CREATE UNIQUE INDEX hold_open_key ON public.hold USING btree (program_id, order_uuid) WHERE (state = 'open'::text);
CREATE INDEX hold_order_idx ON public.hold USING btree (program_id, order_uuid);

create table idempotency (
  program_id bigint not null,
  merchant_id bigint not null,
  key_hash bytea not null,
  route text not null,
  body_hash bytea not null,
  request_uuid uuid not null,
  owner uuid not null,
  leased_until timestamp with time zone not null,
  status smallint,
  answer bytea,
  created_at timestamp with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (program_id, merchant_id, key_hash),
  constraint idempotency_answer_check CHECK ((status IS NULL) = (answer IS NULL)),
  constraint idempotency_status_check CHECK (status >= 200 AND status <= 499 AND status <> 429)
);
CREATE INDEX idempotency_created_idx ON public.idempotency USING btree (program_id, created_at);

create table ledger_run (
  program_id bigint not null,
  run_uuid uuid not null,
  state text not null default 'waiting'::text,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  leased_until timestamp with time zone,
  attempts integer not null default 0,
  cancelled_by text,
  step text,
  transfers bigint not null default 0,
  entries bigint not null default 0,
  wallets bigint not null default 0,
  expected_entries bigint,
  differences bigint,
  shown json,
  error text,
  constraint ledger_run_pkey PRIMARY KEY (program_id, run_uuid),
  constraint ledger_run_ended_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text])) = (ended_at IS NULL)),
  constraint ledger_run_error_check CHECK (length(error) <= 500),
  constraint ledger_run_result_check CHECK ((state = 'done'::text) = (differences IS NOT NULL)),
  constraint ledger_run_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))
);
CREATE INDEX ledger_run_open_idx ON public.ledger_run USING btree (program_id, run_uuid) WHERE (ended_at IS NULL);

create table liability_month (
  program_id bigint not null,
  day date not null,
  month date not null,
  issued_points numeric not null,
  returned_points numeric not null,
  redeemed_points numeric not null,
  reversed_points numeric not null,
  adjusted_points numeric not null,
  kept_points numeric not null,
  left_points numeric not null,
  left_micro_sar numeric not null,
  constraint liability_month_pkey PRIMARY KEY (program_id, day, month)
);

create table liability_report (
  program_id bigint not null,
  day date not null,
  until timestamp with time zone not null,
  step text,
  after_id uuid,
  ties boolean,
  wallet_entries bigint not null,
  entries_read bigint not null,
  wallets bigint not null,
  wallets_below_zero bigint not null,
  owed_points numeric not null,
  receivable_points numeric not null,
  held_points numeric not null,
  micro_sar_per_point bigint not null,
  first_micro_sar_per_point bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint liability_report_pkey PRIMARY KEY (program_id, day),
  constraint liability_report_over_check CHECK ((step IS NULL) = (after_id IS NULL) AND (step IS NULL) = (ties IS NOT NULL) AND (step IS NULL) = (completed_at IS NOT NULL)),
  constraint liability_report_step_check CHECK (step = ANY (ARRAY['ledger'::text, 'wallets'::text]))
);
CREATE INDEX liability_report_made_idx ON public.liability_report USING btree (program_id, completed_at, day) WHERE (step IS NULL);
CREATE INDEX liability_report_open_idx ON public.liability_report USING btree (program_id, created_at, day) WHERE (step IS NOT NULL);

create table limit_counter (
  key_hash bytea not null,
  times timestamp with time zone[] not null,
  counts integer[] not null,
  kept_until timestamp with time zone not null,
  constraint limit_counter_pkey PRIMARY KEY (key_hash),
  constraint limit_counter_size_check CHECK (cardinality(times) = cardinality(counts) AND cardinality(times) >= 1 AND cardinality(times) <= 200)
);
CREATE INDEX limit_counter_kept_idx ON public.limit_counter USING btree (kept_until);

create table merchant (
  program_id bigint not null,
  merchant_id bigint not null generated always as identity,
  account_id uuid not null,
  name text not null,
  verified boolean not null default false,
  published boolean not null default false,
  earning_on boolean not null default true,
  product_rating_on boolean not null default true,
  store_rating_on boolean not null default true,
  checkout_on boolean not null default true,
  points_per_sar_e4 bigint not null default 100000,
  product_rating_points bigint not null default 50,
  store_rating_points bigint not null default 100,
  refund_window_days integer not null default 30,
  payment_provider text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  payment_flow text not null default 'sale'::text,
  colour text,
  signed_checkouts boolean not null default false,
  checkout_secret bytea,
  return_hosts text[] not null default '{}'::text[],
  name_ar text,
  verified_at timestamp with time zone,
  verified_by text,
  suspended_at timestamp with time zone,
  suspended_by text,
  suspended_reason text,
  published_before boolean,
  payment_methods text[] not null default '{}'::text[],
  demo_place smallint,
  constraint merchant_pkey PRIMARY KEY (program_id, merchant_id),
  constraint merchant_checkout_secret_check CHECK (NOT signed_checkouts OR checkout_secret IS NOT NULL),
  constraint merchant_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$'::text),
  constraint merchant_payment_flow_check CHECK (payment_flow = ANY (ARRAY['sale'::text, 'two_step'::text])),
  constraint merchant_payment_provider_check CHECK (payment_provider = ANY (ARRAY['sandbox'::text, 'paytabs'::text, 'moyasar'::text, 'merchant'::text])),
  constraint merchant_rate_check CHECK (points_per_sar_e4 >= 0 AND points_per_sar_e4 <= 1000000000),
  constraint merchant_rating_points_check CHECK (product_rating_points >= 0 AND product_rating_points <= 1000000000 AND store_rating_points >= 0 AND store_rating_points <= 1000000000),
  constraint merchant_refund_window_check CHECK (refund_window_days >= 0 AND refund_window_days <= 3650),
  constraint merchant_return_hosts_check CHECK (cardinality(return_hosts) <= 50),
  constraint merchant_suspended_check CHECK ((suspended_at IS NULL OR NOT published) AND (suspended_at IS NULL) = (suspended_reason IS NULL))
);
CREATE INDEX merchant_name_idx ON public.merchant USING btree (lower(name) COLLATE "C", merchant_id);
CREATE INDEX merchant_program_name_idx ON public.merchant USING btree (program_id, lower(name) COLLATE "C") INCLUDE (merchant_id);

create table merchant_audit (
  program_id bigint not null,
  merchant_id bigint not null,
  audit_id uuid not null,
  constraint merchant_audit_pkey PRIMARY KEY (program_id, merchant_id, audit_id)
);

create table merchant_customer (
  program_id bigint not null,
  generation integer not null,
  merchant_id bigint not null,
  customer_id uuid not null,
  orders bigint not null,
  first_at timestamp with time zone not null,
  second_at timestamp with time zone,
  last_at timestamp with time zone not null,
  sales_halalas bigint not null,
  earned_points bigint not null,
  redeemed_points bigint not null,
  constraint merchant_customer_pkey PRIMARY KEY (program_id, generation, merchant_id, customer_id),
  constraint merchant_customer_second_check CHECK ((second_at IS NULL) = (orders = 1))
);
CREATE INDEX merchant_customer_last_idx ON public.merchant_customer USING btree (program_id, generation, merchant_id, last_at DESC, ((customer_id)::text) COLLATE "C" DESC);

create table merchant_document (
  program_id bigint not null,
  merchant_id bigint not null,
  document text not null,
  note text not null,
  seen_by text,
  seen_at timestamp with time zone,
  constraint merchant_document_pkey PRIMARY KEY (program_id, merchant_id, document),
  constraint merchant_document_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint merchant_document_check CHECK (document = ANY (ARRAY['commercial_register'::text, 'vat_certificate'::text, 'bank_letter'::text, 'contract'::text])),
  constraint merchant_document_length_check CHECK (char_length(note) <= 500),
  constraint merchant_document_seen_check CHECK ((seen_by IS NULL) = (seen_at IS NULL))
);

create table merchant_logo (
  program_id bigint not null,
  merchant_id bigint not null,
  digest text not null,
  media_type text not null,
  content bytea not null,
  created_at timestamp with time zone not null,
  constraint merchant_logo_pkey PRIMARY KEY (program_id, merchant_id),
  constraint merchant_logo_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint merchant_logo_size_check CHECK (octet_length(content) >= 1 AND octet_length(content) <= 131072),
  constraint merchant_logo_type_check CHECK (media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))
);

create table merchant_note (
  program_id bigint not null,
  merchant_id bigint not null,
  note text not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint merchant_note_pkey PRIMARY KEY (program_id, merchant_id),
  constraint merchant_note_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint merchant_note_length_check CHECK (char_length(note) <= 4000)
);

create table merchant_payment_account (
  program_id bigint not null,
  merchant_id bigint not null,
  provider text not null,
  credentials bytea not null,
  updated_at timestamp with time zone not null,
  constraint merchant_payment_account_pkey PRIMARY KEY (program_id, merchant_id, provider),
  constraint merchant_payment_account_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint merchant_payment_account_provider_check CHECK (provider = ANY (ARRAY['paytabs'::text, 'moyasar'::text]))
);

create table merchant_wide_logo (
  program_id bigint not null,
  merchant_id bigint not null,
  digest text not null,
  media_type text not null,
  content bytea not null,
  created_at timestamp with time zone not null,
  constraint merchant_wide_logo_pkey PRIMARY KEY (program_id, merchant_id),
  constraint merchant_wide_logo_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint merchant_wide_logo_size_check CHECK (octet_length(content) >= 1 AND octet_length(content) <= 131072),
  constraint merchant_wide_logo_type_check CHECK (media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))
);

create table message_count (
  program_id bigint not null,
  span text not null,
  begins_at timestamp with time zone not null,
  kind text not null,
  outcome text not null,
  error text not null default ''::text,
  messages bigint not null,
  constraint message_count_pkey PRIMARY KEY (program_id, span, begins_at, kind, outcome, error),
  constraint message_count_error_check CHECK (length(error) <= 100 AND (outcome = 'sent'::text) = (error = ''::text)),
  constraint message_count_kind_check CHECK (kind = ANY (ARRAY['code'::text, 'invitation'::text, 'mail'::text])),
  constraint message_count_outcome_check CHECK (outcome = ANY (ARRAY['sent'::text, 'unknown'::text, 'failed'::text])),
  constraint message_count_span_check CHECK (span = ANY (ARRAY['hour'::text, 'day'::text]))
);

create table order_payment (
  program_id bigint not null,
  payment_uuid uuid not null,
  order_uuid uuid not null,
  provider text not null,
  provider_reference text,
  amount_halalas bigint not null,
  state text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  kind text not null default 'sale'::text,
  page_url text,
  error text,
  reconciled_at timestamp with time zone,
  leased_until timestamp with time zone,
  paid_with text,
  provider_account text,
  own_account boolean,
  constraint order_payment_pkey PRIMARY KEY (program_id, payment_uuid),
  constraint order_payment_order_fkey FOREIGN KEY (program_id, order_uuid) REFERENCES orders(program_id, order_uuid),
  constraint order_payment_amount_check CHECK (amount_halalas >= 1 AND amount_halalas <= '999999999999'::bigint),
  constraint order_payment_kind_check CHECK (kind = ANY (ARRAY['sale'::text, 'auth'::text])),
  constraint order_payment_provider_check CHECK (provider = ANY (ARRAY['sandbox'::text, 'paytabs'::text, 'moyasar'::text])),
  constraint order_payment_reference_check CHECK ((state = ANY (ARRAY['created'::text, 'failed'::text])) OR provider_reference IS NOT NULL),
  constraint order_payment_state_check CHECK (state = ANY (ARRAY['created'::text, 'authorized'::text, 'paid'::text, 'voided'::text, 'failed'::text, 'surplus'::text, 'returned'::text]))
);
CREATE UNIQUE INDEX order_payment_created_key ON public.order_payment USING btree (program_id, order_uuid) WHERE (state = 'created'::text);
CREATE UNIQUE INDEX order_payment_live_key ON public.order_payment USING btree (program_id, order_uuid) WHERE (state = ANY (ARRAY['authorized'::text, 'paid'::text]));
CREATE INDEX order_payment_order_idx ON public.order_payment USING btree (program_id, order_uuid);
CREATE INDEX order_payment_reconcile_idx ON public.order_payment USING btree (program_id, updated_at) WHERE ((state = ANY (ARRAY['authorized'::text, 'paid'::text])) AND (reconciled_at IS NULL));
CREATE INDEX order_payment_reference_idx ON public.order_payment USING btree (program_id, provider_reference);

create table order_rating (
  program_id bigint not null,
  order_uuid uuid not null,
  product_id text,
  product_name text,
  rating smallint,
  comment text,
  created_at timestamp with time zone not null,
  constraint order_rating_pkey PRIMARY KEY (program_id, order_uuid),
  constraint order_rating_rating_check CHECK (rating >= 1 AND rating <= 5)
);

create table order_refund (
  program_id bigint not null,
  refund_uuid uuid not null,
  order_uuid uuid not null,
  refund_halalas bigint not null,
  reversed_points bigint not null,
  returned_points bigint not null,
  provider_halalas bigint not null,
  provider_state text not null,
  provider_refund_reference text,
  payment_uuid uuid,
  reason text,
  created_at timestamp with time zone not null,
  constraint order_refund_pkey PRIMARY KEY (program_id, refund_uuid),
  constraint order_refund_order_fkey FOREIGN KEY (program_id, order_uuid) REFERENCES orders(program_id, order_uuid),
  constraint order_refund_payment_fkey FOREIGN KEY (program_id, payment_uuid) REFERENCES order_payment(program_id, payment_uuid),
  constraint order_refund_amounts_check CHECK (refund_halalas >= 0 AND reversed_points >= 0 AND returned_points >= 0 AND provider_halalas >= 0 AND provider_halalas <= refund_halalas),
  constraint order_refund_leg_check CHECK ((provider_state = 'none'::text) = (provider_halalas = 0) AND (provider_state = 'none'::text) = (payment_uuid IS NULL)),
  constraint order_refund_provider_check CHECK (provider_state = ANY (ARRAY['none'::text, 'due'::text, 'done'::text, 'refused'::text]))
);
CREATE INDEX order_refund_due_idx ON public.order_refund USING btree (program_id, created_at) WHERE (provider_state = 'due'::text);
CREATE INDEX order_refund_order_idx ON public.order_refund USING btree (program_id, order_uuid);
CREATE INDEX order_refund_payment_idx ON public.order_refund USING btree (program_id, payment_uuid) WHERE (payment_uuid IS NOT NULL);

create table orders (
  program_id bigint not null,
  order_uuid uuid not null,
  id bigint not null generated always as identity,
  merchant_id bigint not null,
  customer_id uuid,
  type smallint not null,
  source text not null,
  reference_number text not null,
  order_number text not null,
  order_status text not null,
  total_halalas bigint not null,
  total_points bigint not null,
  earned_points bigint not null default 0,
  shipping_halalas bigint,
  tax_halalas bigint,
  discount_halalas bigint,
  shipping_address json,
  items json,
  metadata json,
  shipping_status text not null default 'new'::text,
  label_ar text,
  label_en text,
  payment_method text,
  reason text,
  refunded_halalas bigint not null default 0,
  returned_points bigint not null default 0,
  reversed_points bigint not null default 0,
  paid_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  authorized_at timestamp with time zone,
  redeemed_halalas bigint not null default 0,
  booked_at timestamp with time zone,
  refunded_late boolean not null default false,
  micro_sar_per_point bigint,
  constraint orders_pkey PRIMARY KEY (program_id, order_uuid),
  constraint orders_reference_number_key UNIQUE (program_id, reference_number),
  constraint orders_customer_fkey FOREIGN KEY (program_id, customer_id) REFERENCES customer(program_id, customer_id),
  constraint orders_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint orders_amounts_check CHECK (total_halalas >= 0 AND total_halalas <= '999999999999'::bigint AND total_points >= 0 AND earned_points >= 0 AND shipping_halalas >= 0 AND tax_halalas >= 0 AND discount_halalas >= 0),
  constraint orders_authorized_check CHECK (((order_status <> ALL (ARRAY['authorized'::text, 'captured'::text])) OR authorized_at IS NOT NULL) AND ((order_status <> ALL (ARRAY['new'::text, 'approved'::text])) OR authorized_at IS NULL) AND (type = 2 OR authorized_at IS NULL)),
  constraint orders_customer_check CHECK (customer_id IS NOT NULL OR type = 2 AND total_points = 0),
  constraint orders_label_check CHECK ((label_ar IS NULL) = (label_en IS NULL)),
  constraint orders_paid_check CHECK ((paid_at IS NOT NULL) = (order_status = ANY (ARRAY['approved'::text, 'captured'::text, 'fully_refunded'::text, 'partially_refunded'::text]))),
  constraint orders_points_back_check CHECK (returned_points >= 0 AND reversed_points >= 0 AND reversed_points <= earned_points AND (type = 1 AND total_points = earned_points AND returned_points = 0 OR type = 2 AND returned_points <= total_points)),
  constraint orders_redeemed_check CHECK (redeemed_halalas >= 0 AND redeemed_halalas <= total_halalas AND (redeemed_halalas = 0 OR type = 2 AND total_points > 0)),
  constraint orders_refunded_check CHECK (order_status = 'fully_refunded'::text AND refunded_halalas = total_halalas OR order_status = 'partially_refunded'::text AND refunded_halalas > 0 AND refunded_halalas < total_halalas OR (order_status = ANY (ARRAY['new'::text, 'approved'::text, 'authorized'::text, 'captured'::text, 'cancelled'::text])) AND refunded_halalas = 0),
  constraint orders_shipping_status_check CHECK (shipping_status = ANY (ARRAY['new'::text, 'license_in_progress'::text, 'ready_shipping'::text, 'delivery_is_in_progress'::text, 'delivered'::text, 'cancelled'::text])),
  constraint orders_source_check CHECK (type = 1 AND (source = ANY (ARRAY['purchase'::text, 'product_rating'::text, 'store_rating'::text])) OR type = 2 AND source = 'checkout'::text),
  constraint orders_status_check CHECK (type = 1 AND (order_status = ANY (ARRAY['approved'::text, 'fully_refunded'::text, 'partially_refunded'::text])) OR type = 2 AND (order_status = ANY (ARRAY['new'::text, 'approved'::text, 'authorized'::text, 'captured'::text, 'cancelled'::text, 'fully_refunded'::text, 'partially_refunded'::text])))
);
CREATE INDEX orders_booked_idx ON public.orders USING btree (program_id, merchant_id, COALESCE(booked_at, paid_at)) WHERE ((paid_at IS NOT NULL) AND ((type = 2) OR (booked_at IS NOT NULL) OR (earned_points = 0)));
CREATE INDEX orders_checkout_number_idx ON public.orders USING btree (program_id, merchant_id, order_number COLLATE "C", created_at) WHERE ((type = 2) AND (order_number <> ''::text));
CREATE INDEX orders_customer_idx ON public.orders USING btree (program_id, customer_id, ((order_uuid)::text) COLLATE "C") WHERE (customer_id IS NOT NULL);
CREATE UNIQUE INDEX orders_earning_key ON public.orders USING btree (program_id, merchant_id, source, order_number) WHERE (type = 1);
CREATE INDEX orders_list_idx ON public.orders USING btree (program_id, ((- merchant_id)), type, order_status, created_at, ((order_uuid)::text) COLLATE "C");
CREATE INDEX orders_merchant_idx ON public.orders USING btree (program_id, merchant_id, ((order_uuid)::text) COLLATE "C");
CREATE INDEX orders_number_idx ON public.orders USING btree (program_id, order_number) WHERE (type = 2);
CREATE INDEX orders_status_idx ON public.orders USING btree (program_id, order_status, ((order_uuid)::text) COLLATE "C") WHERE ((type = 2) OR (order_status <> 'approved'::text));

create table otp (
  program_id bigint not null,
  purpose text not null,
  subject_uuid uuid not null,
  otp_uuid uuid not null,
  phone text not null,
  code_hash bytea not null,
  shown_code bytea,
  tries smallint not null default 0,
  used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint otp_pkey PRIMARY KEY (program_id, purpose, subject_uuid),
  constraint otp_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text),
  constraint otp_purpose_check CHECK (purpose = ANY (ARRAY['checkout'::text, 'wallet'::text])),
  constraint otp_tries_check CHECK (tries >= 0)
);
CREATE INDEX otp_created_idx ON public.otp USING btree (program_id, created_at);

create table payment_task (
  program_id bigint not null,
  task_uuid uuid not null,
  payment_uuid uuid not null,
  order_uuid uuid not null,
  kind text not null,
  refund_uuid uuid,
  amount_halalas bigint not null,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  refunded_before_halalas bigint,
  provider_reference text,
  error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint payment_task_pkey PRIMARY KEY (program_id, task_uuid),
  constraint payment_task_payment_fkey FOREIGN KEY (program_id, payment_uuid) REFERENCES order_payment(program_id, payment_uuid),
  constraint payment_task_refund_fkey FOREIGN KEY (program_id, refund_uuid) REFERENCES order_refund(program_id, refund_uuid),
  constraint payment_task_amount_check CHECK (amount_halalas >= 1 AND amount_halalas <= '999999999999'::bigint),
  constraint payment_task_end_check CHECK ((state = 'due'::text) = (ended_at IS NULL)),
  constraint payment_task_kind_check CHECK (kind = ANY (ARRAY['capture'::text, 'void'::text, 'refund'::text, 'give_back'::text])),
  constraint payment_task_refund_check CHECK ((kind = 'refund'::text) = (refund_uuid IS NOT NULL)),
  constraint payment_task_state_check CHECK (state = ANY (ARRAY['due'::text, 'done'::text, 'refused'::text]))
);
CREATE INDEX payment_task_due_idx ON public.payment_task USING btree (program_id, due_at) WHERE (state = 'due'::text);
CREATE UNIQUE INDEX payment_task_once_key ON public.payment_task USING btree (program_id, payment_uuid, kind) WHERE (kind <> 'refund'::text);
CREATE INDEX payment_task_open_idx ON public.payment_task USING btree (program_id) WHERE (state = ANY (ARRAY['due'::text, 'refused'::text]));
CREATE INDEX payment_task_payment_idx ON public.payment_task USING btree (program_id, payment_uuid);
CREATE UNIQUE INDEX payment_task_refund_key ON public.payment_task USING btree (program_id, refund_uuid) WHERE (refund_uuid IS NOT NULL);

create table pending_earning (
  program_id bigint not null,
  pending_uuid uuid not null,
  id bigint not null generated always as identity,
  merchant_id bigint not null,
  customer_id uuid not null,
  source text not null,
  order_number text not null,
  total_halalas bigint not null,
  total_points bigint not null,
  points_per_sar_e4 bigint not null,
  shipping_halalas bigint,
  tax_halalas bigint,
  discount_halalas bigint,
  shipping_address json,
  items json,
  metadata json,
  order_uuid uuid,
  created_at timestamp with time zone not null,
  constraint pending_earning_pkey PRIMARY KEY (program_id, pending_uuid),
  constraint pending_earning_key UNIQUE (program_id, merchant_id, source, order_number),
  constraint pending_earning_customer_fkey FOREIGN KEY (program_id, customer_id) REFERENCES customer(program_id, customer_id),
  constraint pending_earning_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint pending_earning_amounts_check CHECK (total_halalas >= 0 AND total_halalas <= '999999999999'::bigint AND total_points >= 0),
  constraint pending_earning_source_check CHECK (source = ANY (ARRAY['purchase'::text, 'product_rating'::text, 'store_rating'::text]))
);
CREATE INDEX pending_earning_customer_idx ON public.pending_earning USING btree (program_id, customer_id) WHERE (order_uuid IS NULL);

create table program (
  program_id bigint not null generated always as identity,
  name text not null,
  account_id uuid not null,
  activation text not null default 'automatic'::text,
  micro_sar_per_point bigint not null default 5000,
  locale text not null default 'en'::text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  operator_name text,
  operator_contact text,
  remembered_limit bigint not null default 1000,
  fee_earn_bp integer not null default 0,
  fee_redeem_bp integer not null default 0,
  fee_vat_bp integer not null default 1500,
  two_person_rates boolean not null default false,
  two_person_settlements boolean not null default false,
  two_person_adjustments_over bigint,
  constraint program_pkey PRIMARY KEY (program_id),
  constraint program_name_key UNIQUE (name),
  constraint program_activation_check CHECK (activation = ANY (ARRAY['automatic'::text, 'required'::text])),
  constraint program_fee_check CHECK (fee_earn_bp >= 0 AND fee_earn_bp <= 10000 AND fee_redeem_bp >= 0 AND fee_redeem_bp <= 10000 AND fee_vat_bp >= 0 AND fee_vat_bp <= 10000),
  constraint program_locale_check CHECK (locale = ANY (ARRAY['ar'::text, 'en'::text])),
  constraint program_remembered_check CHECK (remembered_limit >= 0 AND remembered_limit <= 1000000000),
  constraint program_two_person_check CHECK (two_person_adjustments_over >= 0 AND two_person_adjustments_over <= 1000000000),
  constraint program_value_check CHECK (micro_sar_per_point > 0)
);

create table program_rate (
  program_id bigint not null,
  begins_on date not null,
  micro_sar_per_point bigint not null,
  created_at timestamp with time zone not null,
  constraint program_rate_pkey PRIMARY KEY (program_id, begins_on),
  constraint program_rate_value_check CHECK (micro_sar_per_point > 0)
);

create table program_terms (
  program_id bigint not null,
  version text not null,
  begins_on date not null,
  text_en text not null,
  text_ar text not null,
  created_at timestamp with time zone not null,
  constraint program_terms_pkey PRIMARY KEY (program_id, version),
  constraint program_terms_size_check CHECK (length(text_en) >= 1 AND length(text_en) <= 20000 AND length(text_ar) >= 1 AND length(text_ar) <= 20000),
  constraint program_terms_version_check CHECK (version ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'::text)
);

create table program_webhook (
  program_id bigint not null,
  webhook_uuid uuid not null,
  url text not null,
  secret bytea not null,
  secret_last4 text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_secret bytea,
  next_secret_last4 text,
  next_secret_at timestamp with time zone,
  test_uuid uuid,
  constraint program_webhook_pkey PRIMARY KEY (program_id),
  constraint program_webhook_size_check CHECK (length(url) <= 500)
);

create table proposal (
  program_id bigint not null,
  proposal_uuid uuid not null,
  kind text not null,
  state text not null,
  payload json not null,
  facts json not null,
  customer_id uuid,
  reason text,
  proposed_by text not null,
  proposed_uuid uuid,
  decided_by text,
  decided_uuid uuid,
  decided_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint proposal_pkey PRIMARY KEY (program_id, proposal_uuid),
  constraint proposal_decided_check CHECK ((state = ANY (ARRAY['confirmed'::text, 'rejected'::text])) = (decided_at IS NOT NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  constraint proposal_kind_check CHECK (kind = ANY (ARRAY['program.rate'::text, 'program.set'::text, 'wallet.adjust'::text, 'settlement.close'::text])),
  constraint proposal_state_check CHECK (state = ANY (ARRAY['open'::text, 'confirmed'::text, 'rejected'::text, 'expired'::text])),
  constraint proposal_two_people_check CHECK (state <> 'confirmed'::text OR decided_uuid IS NOT NULL AND decided_uuid IS DISTINCT FROM proposed_uuid)
);
CREATE INDEX proposal_customer_idx ON public.proposal USING btree (program_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX proposal_expires_idx ON public.proposal USING btree (program_id, expires_at);
CREATE INDEX proposal_open_idx ON public.proposal USING btree (program_id, proposal_uuid) WHERE (state = 'open'::text);

create table provider_money (
  program_id bigint not null,
  money_uuid uuid not null,
  merchant_id bigint not null,
  order_uuid uuid not null,
  kind text not null,
  amount_halalas bigint not null,
  booked_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint provider_money_pkey PRIMARY KEY (program_id, money_uuid),
  constraint provider_money_amount_check CHECK (amount_halalas > 0),
  constraint provider_money_kind_check CHECK (kind = ANY (ARRAY['collected'::text, 'paid_back'::text, 'missing'::text]))
);
CREATE INDEX provider_money_merchant_idx ON public.provider_money USING btree (program_id, merchant_id, booked_at);
CREATE UNIQUE INDEX provider_money_once_key ON public.provider_money USING btree (program_id, order_uuid, kind) WHERE (kind <> 'paid_back'::text);
CREATE INDEX provider_money_order_idx ON public.provider_money USING btree (program_id, order_uuid);

create table rate_limit (
  program_id bigint not null,
  kind text not null,
  key_hash bytea not null,
  times timestamp with time zone[] not null,
  asked_at timestamp with time zone not null,
  constraint rate_limit_pkey PRIMARY KEY (program_id, kind, key_hash)
);
CREATE INDEX rate_limit_asked_idx ON public.rate_limit USING btree (program_id, asked_at);

create table reconciliation_finding (
  program_id bigint not null,
  finding_uuid uuid not null,
  merchant_id bigint not null,
  order_uuid uuid not null,
  payment_uuid uuid not null,
  provider text not null,
  provider_reference text,
  amount_halalas bigint not null,
  kind text not null,
  action text not null,
  detail text not null,
  refund_halalas bigint,
  returned_points bigint,
  reversed_points bigint,
  state text not null default 'open'::text,
  note text,
  changed_by text,
  changed_at timestamp with time zone,
  times integer not null default 1,
  found_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint reconciliation_finding_pkey PRIMARY KEY (program_id, finding_uuid),
  constraint reconciliation_finding_once_key UNIQUE (program_id, payment_uuid, kind),
  constraint reconciliation_finding_action_check CHECK (action = ANY (ARRAY['none'::text, 'reversed'::text])),
  constraint reconciliation_finding_ended_check CHECK ((state = 'open'::text) = (ended_at IS NULL)),
  constraint reconciliation_finding_reversed_check CHECK ((action = 'reversed'::text) = (refund_halalas IS NOT NULL) AND (action = 'reversed'::text) = (returned_points IS NOT NULL) AND (action = 'reversed'::text) = (reversed_points IS NOT NULL)),
  constraint reconciliation_finding_size_check CHECK (length(note) <= 1000 AND length(detail) <= 500),
  constraint reconciliation_finding_state_check CHECK (state = ANY (ARRAY['open'::text, 'handled'::text, 'resolved'::text]))
);
CREATE INDEX reconciliation_finding_ended_idx ON public.reconciliation_finding USING btree (program_id, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX reconciliation_finding_state_idx ON public.reconciliation_finding USING btree (program_id, state, finding_uuid);

create table remembered_browser (
  program_id bigint not null,
  remembered_uuid uuid not null,
  token_hash bytea not null,
  phone text not null,
  customer_id uuid not null,
  device text,
  proven_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint remembered_browser_pkey PRIMARY KEY (program_id, remembered_uuid),
  constraint remembered_browser_token_key UNIQUE (program_id, token_hash),
  constraint remembered_browser_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text)
);
CREATE INDEX remembered_browser_customer_idx ON public.remembered_browser USING btree (program_id, customer_id);
CREATE INDEX remembered_browser_expires_idx ON public.remembered_browser USING btree (program_id, expires_at);
CREATE INDEX remembered_browser_phone_idx ON public.remembered_browser USING btree (program_id, phone);

create table remembered_spend (
  program_id bigint not null,
  customer_id uuid not null,
  order_uuid uuid not null,
  points bigint not null,
  spent_at timestamp with time zone not null,
  constraint remembered_spend_pkey PRIMARY KEY (program_id, customer_id, order_uuid),
  constraint remembered_spend_points_check CHECK (points > 0)
);
CREATE INDEX remembered_spend_time_idx ON public.remembered_spend USING btree (program_id, spent_at);

create table request_log (
  program_id bigint not null,
  request_id uuid not null,
  merchant_id bigint not null,
  method text not null,
  route text not null,
  order_uuid uuid,
  status smallint not null,
  duration_ms integer not null,
  failure text,
  fields json,
  body_bytes integer,
  body json,
  more integer not null,
  constraint request_log_pkey PRIMARY KEY (program_id, request_id),
  constraint request_log_more_check CHECK (more >= 0)
);
CREATE INDEX request_log_failed_idx ON public.request_log USING btree (program_id, merchant_id, request_id) WHERE (status >= 400);
CREATE INDEX request_log_merchant_idx ON public.request_log USING btree (program_id, merchant_id, request_id);
CREATE INDEX request_log_route_idx ON public.request_log USING btree (program_id, merchant_id, route, request_id);

create table sandbox_payment (
  program_id bigint not null,
  payment_uuid uuid not null,
  kind text not null,
  state text not null,
  card text,
  amount_halalas bigint not null,
  refunded_halalas bigint not null default 0,
  description text not null,
  return_url text not null,
  callback_url text not null,
  settles_at timestamp with time zone,
  vanishes_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sandbox_payment_pkey PRIMARY KEY (program_id, payment_uuid),
  constraint sandbox_payment_amounts_check CHECK (refunded_halalas >= 0 AND refunded_halalas <= amount_halalas),
  constraint sandbox_payment_kind_check CHECK (kind = ANY (ARRAY['sale'::text, 'auth'::text])),
  constraint sandbox_payment_state_check CHECK (state = ANY (ARRAY['pending'::text, 'challenge'::text, 'authorized'::text, 'paid'::text, 'voided'::text, 'failed'::text]))
);

create table sandbox_refund (
  program_id bigint not null,
  refund_uuid uuid not null,
  payment_uuid uuid not null,
  amount_halalas bigint not null,
  created_at timestamp with time zone not null,
  constraint sandbox_refund_pkey PRIMARY KEY (program_id, refund_uuid),
  constraint sandbox_refund_payment_fkey FOREIGN KEY (program_id, payment_uuid) REFERENCES sandbox_payment(program_id, payment_uuid),
  constraint sandbox_refund_amount_check CHECK (amount_halalas > 0)
);
CREATE INDEX sandbox_refund_payment_idx ON public.sandbox_refund USING btree (program_id, payment_uuid);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table service_process (
  process_uuid uuid not null,
  role text not null,
  version text not null,
  host text not null,
  pid bigint not null,
  facts json not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  constraint service_process_pkey PRIMARY KEY (process_uuid),
  constraint service_process_role_check CHECK (role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text])),
  constraint service_process_size_check CHECK (octet_length(facts::text) <= 65536)
);
CREATE INDEX service_process_seen_idx ON public.service_process USING btree (seen_at);

create table settlement (
  program_id bigint not null,
  settlement_id uuid not null,
  merchant_id bigint not null,
  orders bigint not null,
  net_points numeric not null,
  net_halalas numeric not null,
  micro_sar_per_point bigint,
  created_at timestamp with time zone not null,
  from_at timestamp with time zone,
  until_at timestamp with time zone,
  money_halalas numeric,
  fee_halalas numeric,
  vat_halalas numeric,
  due_halalas numeric,
  fee_vat_bp integer,
  run_uuid uuid,
  constraint settlement_pkey PRIMARY KEY (program_id, settlement_id),
  constraint settlement_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id)
);
CREATE INDEX settlement_merchant_idx ON public.settlement USING btree (program_id, merchant_id, COALESCE(until_at, created_at));

create table settlement_exclusion (
  program_id bigint not null,
  order_uuid uuid not null,
  merchant_id bigint not null,
  reason text,
  excluded_at timestamp with time zone not null,
  included_at timestamp with time zone,
  constraint settlement_exclusion_pkey PRIMARY KEY (program_id, order_uuid)
);
CREATE INDEX settlement_exclusion_merchant_idx ON public.settlement_exclusion USING btree (program_id, merchant_id, included_at);
CREATE INDEX settlement_exclusion_open_idx ON public.settlement_exclusion USING btree (program_id, excluded_at, order_uuid) WHERE (included_at IS NULL);

create table settlement_line (
  program_id bigint not null,
  settlement_id uuid not null,
  line smallint not null,
  kind text not null,
  micro_sar_per_point bigint,
  entries bigint not null,
  points numeric not null,
  micro_sar numeric not null,
  constraint settlement_line_pkey PRIMARY KEY (program_id, settlement_id, line),
  constraint settlement_line_settlement_fkey FOREIGN KEY (program_id, settlement_id) REFERENCES settlement(program_id, settlement_id),
  constraint settlement_line_kind_check CHECK (kind = ANY (ARRAY['earn'::text, 'reverse'::text, 'post'::text, 'return'::text, 'collected'::text, 'paid_back'::text, 'missing'::text, 'fee_earn'::text, 'fee_redeem'::text, 'vat'::text, 'rounding'::text]))
);

create table settlement_notice (
  program_id bigint not null,
  settlement_id uuid not null,
  event text not null,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint settlement_notice_pkey PRIMARY KEY (program_id, settlement_id),
  constraint settlement_notice_ended_check CHECK ((state = 'due'::text) = (ended_at IS NULL)),
  constraint settlement_notice_error_check CHECK (length(error) <= 500),
  constraint settlement_notice_event_check CHECK (event = ANY (ARRAY['settlement_closed'::text, 'test'::text])),
  constraint settlement_notice_state_check CHECK (state = ANY (ARRAY['due'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX settlement_notice_due_idx ON public.settlement_notice USING btree (program_id, due_at) WHERE (state = 'due'::text);

create table settlement_run (
  program_id bigint not null,
  run_uuid uuid not null,
  kind text not null,
  merchant_id bigint,
  until_at timestamp with time zone not null,
  asked_by text not null,
  asked_uuid uuid,
  proposed_by text,
  state text not null default 'due'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  step text,
  done bigint not null default 0,
  total bigint not null default 0,
  result json,
  error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint settlement_run_pkey PRIMARY KEY (program_id, run_uuid),
  constraint settlement_run_ended_check CHECK ((state = 'due'::text) = (ended_at IS NULL)),
  constraint settlement_run_kind_check CHECK (kind = ANY (ARRAY['preview'::text, 'close'::text])),
  constraint settlement_run_size_check CHECK (octet_length(result::text) <= 262144 AND length(error) <= 500),
  constraint settlement_run_state_check CHECK (state = ANY (ARRAY['due'::text, 'done'::text, 'failed'::text]))
);
CREATE UNIQUE INDEX settlement_run_asked_key ON public.settlement_run USING btree (program_id, kind) WHERE ((state = 'due'::text) AND (proposed_by IS NULL));
CREATE INDEX settlement_run_due_idx ON public.settlement_run USING btree (program_id, due_at) WHERE (state = 'due'::text);

create table shown_mail (
  mail_uuid uuid not null,
  content bytea not null,
  created_at timestamp with time zone not null,
  constraint shown_mail_pkey PRIMARY KEY (mail_uuid)
);

create table sms_queue (
  program_id bigint not null,
  sms_uuid uuid not null,
  kind text not null,
  customer_id uuid not null,
  merchant_id bigint not null,
  state text not null default 'due'::text,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sms_queue_pkey PRIMARY KEY (program_id, sms_uuid),
  constraint sms_queue_once_key UNIQUE (program_id, customer_id, kind),
  constraint sms_queue_end_check CHECK ((state = 'due'::text) = (ended_at IS NULL)),
  constraint sms_queue_kind_check CHECK (kind = 'invitation'::text),
  constraint sms_queue_state_check CHECK (state = ANY (ARRAY['due'::text, 'sent'::text, 'failed'::text, 'dropped'::text]))
);
CREATE INDEX sms_queue_due_idx ON public.sms_queue USING btree (program_id, due_at) WHERE (state = 'due'::text);
CREATE INDEX sms_queue_ended_idx ON public.sms_queue USING btree (program_id, ended_at) WHERE (state <> 'due'::text);
CREATE INDEX sms_queue_merchant_idx ON public.sms_queue USING btree (program_id, merchant_id, due_at) WHERE (state = 'due'::text);

create table staff (
  staff_uuid uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  locale text,
  is_operator boolean not null default false,
  disabled boolean not null default false,
  email_proven_at timestamp with time zone,
  totp_secret bytea,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint staff_pkey PRIMARY KEY (staff_uuid),
  constraint staff_email_key UNIQUE (email),
  constraint staff_email_check CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254),
  constraint staff_locale_check CHECK (locale = ANY (ARRAY['ar'::text, 'en'::text])),
  constraint staff_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint staff_totp_check CHECK ((totp_confirmed_at IS NULL OR totp_secret IS NOT NULL) AND (totp_last_step IS NULL OR totp_confirmed_at IS NOT NULL))
);
CREATE INDEX staff_operator_idx ON public.staff USING btree (lower(name), staff_uuid) WHERE is_operator;

create table staff_link (
  link_uuid uuid not null,
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  staff_uuid uuid,
  program_id bigint,
  merchant_id bigint,
  role text,
  invited_by text,
  mailed boolean not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint staff_link_pkey PRIMARY KEY (link_uuid),
  constraint staff_link_token_key UNIQUE (token_hash),
  constraint staff_link_invitation_check CHECK ((purpose = 'invitation'::text) = (merchant_id IS NOT NULL) AND (purpose = 'invitation'::text) = (program_id IS NOT NULL) AND (purpose = 'invitation'::text) = (role IS NOT NULL) AND (purpose = 'invitation'::text) = (staff_uuid IS NULL)),
  constraint staff_link_purpose_check CHECK (purpose = ANY (ARRAY['invitation'::text, 'reset'::text, 'first_sign_in'::text, 'recovery'::text])),
  constraint staff_link_role_check CHECK (role = ANY (ARRAY['owner'::text, 'manager'::text, 'support'::text, 'read_only'::text]))
);
CREATE INDEX staff_link_expires_idx ON public.staff_link USING btree (expires_at);
CREATE INDEX staff_link_merchant_idx ON public.staff_link USING btree (program_id, merchant_id) WHERE (purpose = 'invitation'::text);
CREATE INDEX staff_link_staff_idx ON public.staff_link USING btree (staff_uuid) WHERE (purpose <> 'invitation'::text);

create table staff_membership (
  program_id bigint not null,
  merchant_id bigint not null,
  staff_uuid uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint staff_membership_pkey PRIMARY KEY (program_id, merchant_id, staff_uuid),
  constraint staff_membership_role_check CHECK (role = ANY (ARRAY['owner'::text, 'manager'::text, 'support'::text, 'read_only'::text]))
);
CREATE INDEX staff_membership_staff_idx ON public.staff_membership USING btree (staff_uuid);

create table staff_passkey (
  passkey_uuid uuid not null,
  staff_uuid uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint staff_passkey_pkey PRIMARY KEY (passkey_uuid),
  constraint staff_passkey_credential_key UNIQUE (credential_id),
  constraint staff_passkey_name_check CHECK (length(name) >= 1 AND length(name) <= 60),
  constraint staff_passkey_size_check CHECK (octet_length(credential_id) >= 1 AND octet_length(credential_id) <= 1023 AND octet_length(public_key) >= 1 AND octet_length(public_key) <= 4096)
);
CREATE INDEX staff_passkey_staff_idx ON public.staff_passkey USING btree (staff_uuid);

create table staff_recovery_code (
  staff_uuid uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  constraint staff_recovery_code_pkey PRIMARY KEY (staff_uuid, code_hash)
);

create table staff_session (
  session_uuid uuid not null,
  token_hash bytea not null,
  staff_uuid uuid not null,
  method text not null,
  address text,
  browser text,
  proven_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint staff_session_pkey PRIMARY KEY (session_uuid),
  constraint staff_session_token_key UNIQUE (token_hash),
  constraint staff_session_browser_check CHECK (length(browser) <= 100 AND length(address) <= 45),
  constraint staff_session_method_check CHECK (method = ANY (ARRAY['password'::text, 'two_factors'::text, 'passkey'::text, 'link'::text]))
);
CREATE INDEX staff_session_expires_idx ON public.staff_session USING btree (expires_at);
CREATE INDEX staff_session_seen_idx ON public.staff_session USING btree (seen_at);
CREATE INDEX staff_session_staff_idx ON public.staff_session USING btree (staff_uuid, created_at);

create table staff_used (
  key_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint staff_used_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX staff_used_expires_idx ON public.staff_used USING btree (expires_at);

create table transfer (
  program_id bigint not null,
  transfer_id uuid not null,
  kind text not null,
  reference text not null,
  order_uuid uuid,
  reason text,
  created_at timestamp with time zone not null,
  constraint transfer_pkey PRIMARY KEY (program_id, transfer_id),
  constraint transfer_reference_key UNIQUE (program_id, reference),
  constraint transfer_kind_check CHECK (kind = ANY (ARRAY['earn'::text, 'hold'::text, 'post'::text, 'release'::text, 'reverse'::text, 'return'::text, 'adjust'::text]))
);

create table translation (
  program_id bigint not null,
  target text not null,
  text text not null,
  translated text not null,
  created_at timestamp with time zone not null,
  constraint translation_pkey PRIMARY KEY (program_id, target, text),
  constraint translation_target_check CHECK (target = ANY (ARRAY['ar'::text, 'en'::text]))
);
CREATE INDEX translation_created_idx ON public.translation USING btree (program_id, created_at);

create table wallet_session (
  program_id bigint not null,
  session_uuid uuid not null,
  token_hash bytea not null,
  phone text not null,
  proven_at timestamp with time zone,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint wallet_session_pkey PRIMARY KEY (program_id, session_uuid),
  constraint wallet_session_token_key UNIQUE (program_id, token_hash),
  constraint wallet_session_phone_check CHECK (phone ~ '^5[0-9]{8}$'::text)
);
CREATE INDEX wallet_session_expires_idx ON public.wallet_session USING btree (program_id, expires_at);
CREATE INDEX wallet_session_phone_idx ON public.wallet_session USING btree (program_id, phone);

create table webhook (
  program_id bigint not null,
  webhook_uuid uuid not null,
  merchant_id bigint not null,
  slot smallint not null,
  name text not null,
  url text not null,
  secret bytea not null,
  secret_last4 text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_secret bytea,
  next_secret_last4 text,
  next_secret_at timestamp with time zone,
  constraint webhook_pkey PRIMARY KEY (program_id, webhook_uuid),
  constraint webhook_slot_key UNIQUE (program_id, merchant_id, slot),
  constraint webhook_merchant_fkey FOREIGN KEY (program_id, merchant_id) REFERENCES merchant(program_id, merchant_id),
  constraint webhook_next_secret_check CHECK ((next_secret IS NULL) = (next_secret_at IS NULL) AND (next_secret IS NULL) = (next_secret_last4 IS NULL)),
  constraint webhook_slot_check CHECK (slot >= 1 AND slot <= 20)
);

create table webhook_rotation (
  program_id bigint not null,
  webhook_uuid uuid not null,
  rotation_uuid uuid not null,
  old_last4 text not null,
  new_last4 text not null,
  effective_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint webhook_rotation_pkey PRIMARY KEY (program_id, webhook_uuid, rotation_uuid)
);
CREATE INDEX webhook_rotation_effective_idx ON public.webhook_rotation USING btree (program_id, effective_at);

create table write_probe (
  singleton boolean not null,
  probed_at timestamp with time zone not null,
  constraint write_probe_pkey PRIMARY KEY (singleton),
  constraint write_probe_singleton_check CHECK (singleton)
);
