-- People who work in the dashboard, and how they sign in. They belong to the deployment, not to a program: one person can work for
-- merchants of several. Few rows, rarely written: reference tables where the database is spread over several servers. Times are
-- of the machine's clock.
create table staff (
  staff_uuid         uuid        not null,
  email              text        not null,
  name               text        not null,
  password_hash      text,
  locale             text,
  is_operator        boolean     not null default false,
  disabled           boolean     not null default false,
  email_proven_at    timestamptz,
  totp_secret        bytea,
  totp_confirmed_at  timestamptz,
  totp_last_step     bigint,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  constraint staff_pkey primary key (staff_uuid),
  constraint staff_email_key unique (email),
  constraint staff_email_check check (email = lower(email) and length(email) between 3 and 254),
  constraint staff_name_check check (length(name) between 1 and 100),
  constraint staff_locale_check check (locale in ('ar', 'en')),
  constraint staff_totp_check check (
    (totp_confirmed_at is null or totp_secret is not null) and (totp_last_step is null or totp_confirmed_at is not null)
  )
);

-- What a person may do at a merchant. The last owner stays: changes lock the rows of the merchant first.
create table staff_membership (
  program_id   bigint      not null,
  merchant_id  bigint      not null,
  staff_uuid   uuid        not null,
  role         text        not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  constraint staff_membership_pkey primary key (program_id, merchant_id, staff_uuid),
  constraint staff_membership_role_check check (role in ('owner', 'manager', 'support', 'read_only'))
);

create index staff_membership_staff_idx on staff_membership (staff_uuid);

-- The token is stored as its hash. `seen_at` is written once a minute at most.
create table staff_session (
  session_uuid  uuid        not null,
  token_hash    bytea       not null,
  staff_uuid    uuid        not null,
  method        text        not null,
  address       text,
  browser       text,
  proven_at     timestamptz not null,
  seen_at       timestamptz not null,
  expires_at    timestamptz not null,
  created_at    timestamptz not null,
  constraint staff_session_pkey primary key (session_uuid),
  constraint staff_session_token_key unique (token_hash),
  constraint staff_session_method_check check (method in ('password', 'two_factors', 'passkey', 'link')),
  constraint staff_session_browser_check check (length(browser) <= 100 and length(address) <= 45)
);

create index staff_session_staff_idx on staff_session (staff_uuid, created_at);
create index staff_session_expires_idx on staff_session (expires_at);
create index staff_session_seen_idx on staff_session (seen_at);

-- A used code leaves no row.
create table staff_recovery_code (
  staff_uuid  uuid        not null,
  code_hash   bytea       not null,
  created_at  timestamptz not null,
  constraint staff_recovery_code_pkey primary key (staff_uuid, code_hash)
);

create table staff_passkey (
  passkey_uuid   uuid        not null,
  staff_uuid     uuid        not null,
  credential_id  bytea       not null,
  public_key     bytea       not null,
  counter        bigint      not null,
  transports     text[]      not null,
  name           text        not null,
  created_at     timestamptz not null,
  used_at        timestamptz,
  constraint staff_passkey_pkey primary key (passkey_uuid),
  constraint staff_passkey_credential_key unique (credential_id),
  constraint staff_passkey_size_check check (
    octet_length(credential_id) between 1 and 1023 and octet_length(public_key) between 1 and 4096
  ),
  constraint staff_passkey_name_check check (length(name) between 1 and 60)
);

create index staff_passkey_staff_idx on staff_passkey (staff_uuid);

-- Links that work once, by the hash of their token. An invitation names a merchant and a role, and no person yet. `mailed`: the token
-- went to the address alone, so whoever uses it reads that mailbox.
create table staff_link (
  link_uuid    uuid        not null,
  token_hash   bytea       not null,
  purpose      text        not null,
  email        text        not null,
  staff_uuid   uuid,
  program_id   bigint,
  merchant_id  bigint,
  role         text,
  invited_by   text,
  mailed       boolean     not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  created_at   timestamptz not null,
  constraint staff_link_pkey primary key (link_uuid),
  constraint staff_link_token_key unique (token_hash),
  constraint staff_link_purpose_check check (purpose in ('invitation', 'reset', 'first_sign_in', 'recovery')),
  constraint staff_link_invitation_check check (
    (purpose = 'invitation') = (merchant_id is not null) and (purpose = 'invitation') = (program_id is not null)
    and (purpose = 'invitation') = (role is not null) and (purpose = 'invitation') = (staff_uuid is null)
  ),
  constraint staff_link_role_check check (role in ('owner', 'manager', 'support', 'read_only'))
);

create index staff_link_merchant_idx on staff_link (program_id, merchant_id) where purpose = 'invitation';
create index staff_link_staff_idx on staff_link (staff_uuid) where purpose <> 'invitation';
create index staff_link_expires_idx on staff_link (expires_at);

-- Signed challenges that were used, until they expire: each is used once, and asking for one stores nothing.
create table staff_used (
  key_hash    bytea       not null,
  expires_at  timestamptz not null,
  constraint staff_used_pkey primary key (key_hash)
);

create index staff_used_expires_idx on staff_used (expires_at);

-- The mails of a sandbox, sealed: its dashboard shows them instead of sending them.
create table shown_mail (
  mail_uuid   uuid        not null,
  content     bytea       not null,
  created_at  timestamptz not null,
  constraint shown_mail_pkey primary key (mail_uuid)
);
