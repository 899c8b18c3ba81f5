-- The wallet of an erased customer is closed, as a merged one is. Whoever waited for its lock reads the wallet again, and not the customer.
alter table account add column erased_at timestamptz;
update account a set erased_at = c.erased_at from customer c
where c.program_id = a.program_id and c.customer_id = a.account_id and c.erased_at is not null;
