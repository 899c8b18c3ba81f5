-- The dashboard's list of a merchant's orders, the newest first by business time: one stretch for each type and state, so that
-- every filter reads only what it shows. Merchant and id are there as expressions, which sort alike or just the other way round:
-- look-ups of earnings never mistake it for a way to them, nor the list another index for its own.
drop index concurrently if exists orders_list_idx;
create index concurrently orders_list_idx on orders (program_id, ((-merchant_id)), type, order_status, created_at, ((order_uuid::text) collate "C"));

-- The number of a checkout may come again, for strangers open checkouts: its orders at one merchant, the newest first.
-- No number is empty; the condition keeps it apart from orders_number_idx.
drop index concurrently if exists orders_checkout_number_idx;
create index concurrently orders_checkout_number_idx on orders (program_id, merchant_id, (order_number collate "C"), created_at) where type = 2 and order_number <> '';
