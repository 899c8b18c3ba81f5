-- Lists of orders, the newest first: of a merchant, of a customer, in a state, and by the number that a checkout gave them.
-- Earnings find their own by orders_earning_key, and are approved from the start: the last two indexes are without them.
-- As text, which sorts alike: a look-up of one order never mistakes them for a way to it.
create index orders_merchant_idx on orders (program_id, merchant_id, ((order_uuid::text) collate "C"));
create index orders_customer_idx on orders (program_id, customer_id, ((order_uuid::text) collate "C")) where customer_id is not null;
create index orders_status_idx on orders (program_id, order_status, ((order_uuid::text) collate "C")) where type = 2 or order_status <> 'approved';
create index orders_number_idx on orders (program_id, order_number) where type = 2;
