-- Customers and the ledger. Entries are append-only; a customer's wallet is the only balance that is stored,
-- and it equals the sum of its entries (`nuqta ledger verify`).

create table customer (
  program_id    bigint      not null,
  customer_id   uuid        not null,
  phone         text        not null,
  name          text,
  status        text        not null,
  created_at    timestamptz not null,
  activated_at  timestamptz,
  constraint customer_pkey primary key (program_id, customer_id),
  constraint customer_phone_key unique (program_id, phone),
  constraint customer_program_fkey foreign key (program_id) references program (program_id),
  constraint customer_phone_check check (phone ~ '^5[0-9]{8}$'),
  constraint customer_status_check check (status in ('invited', 'active')),
  constraint customer_activated_check check ((status = 'active') = (activated_at is not null))
);

-- A customer's account carries the customer's id and the wallet; a merchant's and the program's are summed from entries.
create table account (
  program_id   bigint      not null,
  account_id   uuid        not null,
  kind         text        not null,
  customer_id  uuid,
  merchant_id  bigint,
  posted       bigint,
  held         bigint,
  version      bigint,
  created_at   timestamptz not null,
  constraint account_pkey primary key (program_id, account_id),
  constraint account_customer_fkey foreign key (program_id, customer_id) references customer (program_id, customer_id),
  constraint account_merchant_fkey foreign key (program_id, merchant_id) references merchant (program_id, merchant_id),
  constraint account_kind_check check (kind in ('customer', 'merchant', 'program')),
  constraint account_owner_check check (
    (kind = 'customer' and customer_id = account_id and merchant_id is null)
    or (kind = 'merchant' and customer_id is null and merchant_id is not null)
    or (kind = 'program' and customer_id is null and merchant_id is null)
  ),
  constraint account_wallet_check check (
    (kind = 'customer' and posted is not null and held >= 0 and version >= 0)
    or (kind <> 'customer' and posted is null and held is null and version is null)
  )
) with (fillfactor = 75);

create table transfer (
  program_id   bigint      not null,
  transfer_id  uuid        not null,
  kind         text        not null,
  reference    text        not null,
  order_uuid   uuid,
  reason       text,
  created_at   timestamptz not null,
  constraint transfer_pkey primary key (program_id, transfer_id),
  constraint transfer_reference_key unique (program_id, reference),
  constraint transfer_kind_check check (kind in ('earn', 'hold', 'post', 'release', 'reverse', 'return', 'adjust'))
);

-- Entries of a transfer sum to 0. Versions of a wallet count its entries: 1, 2, 3, without a gap.
create table entry (
  program_id       bigint      not null,
  transfer_id      uuid        not null,
  line             smallint    not null,
  account_id       uuid        not null,
  bucket           text        not null default 'available',
  amount           bigint      not null,
  balance_after    bigint,
  account_version  bigint,
  created_at       timestamptz not null,
  constraint entry_pkey primary key (program_id, transfer_id, line),
  constraint entry_version_key unique (program_id, account_id, account_version),
  constraint entry_transfer_fkey foreign key (program_id, transfer_id) references transfer (program_id, transfer_id),
  constraint entry_account_fkey foreign key (program_id, account_id) references account (program_id, account_id),
  constraint entry_bucket_check check (bucket in ('available', 'held')),
  constraint entry_amount_check check (amount <> 0),
  constraint entry_balance_check check ((balance_after is null) = (account_version is null))
);
