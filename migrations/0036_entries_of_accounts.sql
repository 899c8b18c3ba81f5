-- An entry is in one of two indexes. Those of wallets by version: no version repeats.
drop index concurrently if exists entry_wallet_key;
create unique index concurrently entry_wallet_key on entry (program_id, account_id, account_version) where account_version is not null;

-- Those of merchants and programs by time, with what a settlement adds up: it reads the index alone.
drop index concurrently if exists entry_account_idx;
create index concurrently entry_account_idx on entry (program_id, account_id, created_at) include (kind, amount, micro_sar_per_point) where account_version is null;

-- The settlements of a merchant by their end.
drop index concurrently if exists settlement_merchant_idx;
create index concurrently settlement_merchant_idx on settlement (program_id, merchant_id, (coalesce(until_at, created_at)));

-- Paid orders by the time that they count at: checkouts, and earnings that count at another time than they were made.
drop index concurrently if exists orders_booked_idx;
create index concurrently orders_booked_idx on orders (program_id, merchant_id, (coalesce(booked_at, paid_at))) where (type = 2 and paid_at is not null) or booked_at is not null;
