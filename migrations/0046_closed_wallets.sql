-- The wallet of an erased customer is closed, as a merged one is. Whoever waited for its lock reads the wallet again, and not the customer.
alter table account add column erased_at timestamptz;
