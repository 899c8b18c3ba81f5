-- The customers of a program by name, as operators find them.
drop index concurrently if exists customer_name_idx;
create index concurrently customer_name_idx on customer (program_id, (lower(name) collate "C"), customer_id) where name is not null;
-- The wallets that were merged into another.
drop index concurrently if exists account_merged_idx;
create index concurrently account_merged_idx on account (program_id, merged_into) where merged_into is not null;
