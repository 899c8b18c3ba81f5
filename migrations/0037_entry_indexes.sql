-- `entry_wallet_key` and `entry_account_idx` take its place: each entry is in one of them.
alter table entry drop constraint entry_version_key;
