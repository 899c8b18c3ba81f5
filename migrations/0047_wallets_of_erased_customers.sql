-- After the column, in a transaction of its own: nobody waits for this.
update account a set erased_at = c.erased_at from customer c
where c.program_id = a.program_id and c.customer_id = a.account_id and c.erased_at is not null;
