-- The open holds of a wallet were found by its entries: a wallet with a million read them all. Only redemptions enter this index, and a hold
-- that ends leaves it. Statements that name a hold by its order cannot use it: they do not ask of account_id.
drop index concurrently if exists hold_account_idx;
create index concurrently hold_account_idx on hold (program_id, account_id, hold_id)
  where state = 'open' and account_id is not null;
